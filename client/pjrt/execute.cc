// Runs programs.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/api/buffer_rep.h"
#include "client/pjrt/buffer.h"
#include "client/pjrt/program.h"

// It would hold the data of FFI handlers for one run. Halyard's handlers have no such data.
struct PJRT_ExecuteContext {};

namespace halyard::pjrt {
namespace {

// The arguments of one run. Donated arguments are taken away from their handles.
class Arguments {
 public:
  // Returns FailedPrecondition if an argument has been deleted, and InvalidArgument if it belongs
  // to another client.
  absl::Status Take(const Program& program, PJRT_Buffer* const* buffers, size_t count,
                    const std::vector<bool>& donate) {
    for (size_t i = 0; i < count; ++i) {
      PJRT_Buffer* const buffer = buffers[i];
      HALYARD_PJRT_NEED(buffer);
      if (buffer->client != program.client) {
        return absl::InvalidArgumentError(
            absl::StrCat("argument ", i, " is a buffer of another client"));
      }
      std::lock_guard<std::mutex> lock(buffer->mutex);
      const bool twice = std::count(buffers, buffers + count, buffer) > 1;
      Item item{buffer, buffer->contents};
      if (item.contents == nullptr && twice) item.contents = Earlier(buffer);
      if (item.contents == nullptr) {
        return absl::FailedPreconditionError(
            absl::StrCat("argument ", i, " has been deleted or donated"));
      }
      if (donate[i]) {
        item.donated = true;
        buffer->contents = nullptr;
        // Nothing else reads the memory: no other run, no copy, and no NumPy array.
        item.reuse = !twice && item.contents.use_count() == 1;
      }
      items_.push_back(std::move(item));
    }
    return absl::OkStatus();
  }

  // Gives the donated arguments back to their handles, because the run will not happen.
  void GiveBack() {
    for (Item& item : items_) {
      if (!item.donated) continue;
      std::lock_guard<std::mutex> lock(item.buffer->mutex);
      item.buffer->contents = std::move(item.contents);
    }
  }

  // Returns the error of the first argument that was never made, or OK.
  absl::Status error() const {
    for (const Item& item : items_) {
      if (!item.contents->array.has_value()) return item.contents->error;
    }
    return absl::OkStatus();
  }

  // `wanted` are the program's parameters. Arrays without elements may stand for tokens, as in JAX.
  absl::StatusOr<std::vector<Buffer>> arrays(const Program& program,
                                             absl::Span<const hlo::Shape> wanted) const {
    std::vector<Buffer> arrays;
    for (size_t i = 0; i < items_.size(); ++i) {
      const Buffer& array = *items_[i].contents->array;
      if (!wanted[i].IsToken() || array.shape().IsToken()) {
        arrays.push_back(array);
        continue;
      }
      absl::StatusOr<Buffer> token =
          program.client->client->BufferFromLiteral(hlo::Literal::Token());
      if (!token.ok()) return token.status();
      arrays.push_back(*std::move(token));
    }
    return arrays;
  }
  std::vector<bool> reuse() const {
    std::vector<bool> reuse;
    for (const Item& item : items_) reuse.push_back(item.reuse);
    return reuse;
  }

 private:
  struct Item {
    PJRT_Buffer* buffer;
    std::shared_ptr<Contents> contents;
    bool donated = false;  // the handle counts as deleted
    bool reuse = false;    // a result may take over the memory
  };

  std::shared_ptr<Contents> Earlier(const PJRT_Buffer* buffer) const {
    for (const Item& item : items_) {
      if (item.buffer == buffer) return item.contents;
    }
    return nullptr;
  }

  std::vector<Item> items_;
};

std::vector<bool> Donated(const Program& program, const PJRT_ExecuteOptions* options) {
  std::vector<bool> donate = program.donated;
  if (options == nullptr ||
      options->struct_size < PJRT_STRUCT_SIZE(PJRT_ExecuteOptions, num_non_donatable_input_indices))
    return donate;
  for (size_t i = 0; i < options->num_non_donatable_input_indices; ++i) {
    const int64_t input = options->non_donatable_input_indices[i];
    if (input >= 0 && input < static_cast<int64_t>(donate.size()))
      donate[static_cast<size_t>(input)] = false;
  }
  return donate;
}

absl::Status CheckCall(const PJRT_LoadedExecutable_Execute_Args& args) {
  const Program& program = *args.executable->program;
  if (args.executable->deleted)
    return absl::FailedPreconditionError(absl::StrCat(program.name, " has been deleted"));
  if (args.num_devices != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a run on ", args.num_devices, " devices; there is one"));
  }
  if (args.execute_device != nullptr && args.execute_device != &program.client->device)
    return absl::InvalidArgumentError("the device to run on is another client's");
  if (args.options != nullptr &&
      (args.options->num_send_ops != 0 || args.options->num_recv_ops != 0))
    return absl::UnimplementedError("send and receive callbacks are not supported");
  const std::vector<hlo::Shape>& wanted = program.executable->parameter_shapes();
  if (args.num_args != wanted.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(program.name, " takes ", wanted.size(), " arguments, not ", args.num_args));
  }
  if (args.num_args != 0) HALYARD_PJRT_NEED(args.argument_lists);
  for (size_t i = 0; i < wanted.size(); ++i) {
    const PJRT_Buffer* given = args.argument_lists[0][i];
    if (given == nullptr || hlo::Shape::SameIgnoringLayout(given->shape, wanted[i])) continue;
    if (wanted[i].IsToken() && given->shape.IsArray() && given->shape.NumElements() == 0) continue;
    return absl::InvalidArgumentError(absl::StrCat("argument ", i, " of ", program.name, " is ",
                                                   given->shape.ToString(), "; it takes ",
                                                   wanted[i].ToString()));
  }
  return absl::OkStatus();
}

// Returns the event that is set when all results are ready. Each result of a run has the error of
// the run.
std::shared_ptr<EventState> Completion(PJRT_Buffer* const* outputs, size_t count) {
  // The results of a run become ready together, so one stands for all.
  if (count == 0) return EventState::Done();
  absl::StatusOr<std::shared_ptr<Contents>> contents = ContentsOf(outputs[count - 1]);
  return contents.ok() ? ReadyEvent(outputs[count - 1], *contents)
                       : EventState::Done(contents.status());
}

// Returns errors of the call itself at once. An error of the run comes from the results and the
// event.
absl::Status Execute(PJRT_LoadedExecutable_Execute_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  absl::Status status = CheckCall(args);
  if (!status.ok()) return status;
  const std::shared_ptr<Program>& program = args.executable->program;
  const std::vector<hlo::Shape>& results = program->executable->result_shapes();
  if (!results.empty()) HALYARD_PJRT_NEED(args.output_lists);
  Arguments arguments;
  status = arguments.Take(*program, args.num_args == 0 ? nullptr : args.argument_lists[0],
                          args.num_args, Donated(*program, args.options));
  if (!status.ok()) {
    arguments.GiveBack();
    return status;
  }
  status = arguments.error();
  if (status.ok()) {
    RunOptions options;
    options.donate = arguments.reuse();
    // A run without results is not asynchronous, because no result could report its error.
    options.asynchronous = !results.empty();
    absl::StatusOr<std::vector<Buffer>> arrays =
        arguments.arrays(*program, program->executable->parameter_shapes());
    if (arrays.ok()) arrays = program->executable->Run(*arrays, options);
    status = arrays.status();
    for (size_t i = 0; arrays.ok() && i < results.size(); ++i)
      args.output_lists[0][i] = NewBuffer(program->client, std::move((*arrays)[i]));
  }
  for (size_t i = 0; !status.ok() && i < results.size(); ++i)
    args.output_lists[0][i] = NewErrorBuffer(program->client, results[i], status);
  if (args.device_complete_events == nullptr) return absl::OkStatus();
  std::shared_ptr<EventState> done = EventState::Done(status);
  if (status.ok() && !results.empty()) done = Completion(args.output_lists[0], results.size());
  args.device_complete_events[0] = NewEvent(std::move(done));
  return absl::OkStatus();
}

absl::Status CreateContext(PJRT_ExecuteContext_Create_Args& args) {
  args.context = new PJRT_ExecuteContext;
  return absl::OkStatus();
}

absl::Status DestroyContext(PJRT_ExecuteContext_Destroy_Args& args) {
  delete args.context;
  return absl::OkStatus();
}

}  // namespace

void AddExecuteEntries(PJRT_Api* api) {
  HALYARD_PJRT_SERVE_UP_TO(api, PJRT_LoadedExecutable_Execute, execute_device, Execute);
  HALYARD_PJRT_SERVE(api, PJRT_ExecuteContext_Create, CreateContext);
  HALYARD_PJRT_SERVE(api, PJRT_ExecuteContext_Destroy, DestroyContext);
}

}  // namespace halyard::pjrt
