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

// The arguments of one process of a run. Donated arguments are taken away from their handles.
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
      !HALYARD_PJRT_HAS(PJRT_ExecuteOptions, *options, num_non_donatable_input_indices))
    return donate;
  for (size_t i = 0; i < options->num_non_donatable_input_indices; ++i) {
    const int64_t input = options->non_donatable_input_indices[i];
    if (input >= 0 && input < static_cast<int64_t>(donate.size()))
      donate[static_cast<size_t>(input)] = false;
  }
  return donate;
}

absl::Status CheckOptions(const PJRT_ExecuteOptions& options) {
  if (HALYARD_PJRT_HAS(PJRT_ExecuteOptions, options, num_recv_ops) &&
      (options.num_send_ops != 0 || options.num_recv_ops != 0))
    return absl::UnimplementedError("send and receive callbacks are not supported");
  if (HALYARD_PJRT_HAS(PJRT_ExecuteOptions, options, num_non_donatable_input_indices)) {
    HALYARD_PJRT_NEED_LIST(options.non_donatable_input_indices,
                           options.num_non_donatable_input_indices);
  }
  return absl::OkStatus();
}

// Checks that each device has a list of arguments and one for results, which may be null if empty.
absl::Status CheckLists(const PJRT_LoadedExecutable_Execute_Args& args, size_t num_results) {
  HALYARD_PJRT_NEED_LIST(args.argument_lists, args.num_args);
  HALYARD_PJRT_NEED_LIST(args.output_lists, num_results);
  for (size_t d = 0; d < args.num_devices; ++d) {
    if (args.num_args != 0) HALYARD_PJRT_NEED(args.argument_lists[d]);
    if (num_results != 0) HALYARD_PJRT_NEED(args.output_lists[d]);
  }
  return absl::OkStatus();
}

absl::Status CheckCall(const PJRT_LoadedExecutable_Execute_Args& args) {
  const Program& program = *args.executable->program;
  if (args.executable->deleted)
    return absl::FailedPreconditionError(absl::StrCat(program.name, " has been deleted"));
  if (args.num_devices != program.devices.size()) {
    return absl::InvalidArgumentError(absl::StrCat("a run on ", args.num_devices, " devices; ",
                                                   program.name, " runs on ",
                                                   program.devices.size()));
  }
  if (args.execute_device != nullptr) {
    if (args.execute_device->client != program.client.get())
      return absl::InvalidArgumentError("the device to run on is another client's");
    if (args.execute_device != program.devices[0] && !program.portable) {
      return absl::InvalidArgumentError(absl::StrCat(program.name, " is compiled for device ",
                                                     program.devices[0]->description.id, ", not ",
                                                     args.execute_device->description.id));
    }
  }
  absl::Status status = args.options == nullptr ? absl::OkStatus() : CheckOptions(*args.options);
  if (!status.ok()) return status;
  const std::vector<hlo::Shape>& wanted = program.executable->parameter_shapes();
  if (args.num_args != wanted.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(program.name, " takes ", wanted.size(), " arguments, not ", args.num_args));
  }
  status = CheckLists(args, program.executable->result_shapes().size());
  if (!status.ok()) return status;
  for (size_t n = 0; n < wanted.size() * args.num_devices; ++n) {
    const size_t i = n % wanted.size();
    const PJRT_Buffer* given = args.argument_lists[n / wanted.size()][i];
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

// What each process gives: a list of arrays.
using Results = std::vector<std::vector<Buffer>>;

absl::StatusOr<Results> RunAll(const Program& program, const std::vector<Arguments>& arguments,
                               int device) {
  Results lists;
  std::vector<std::vector<bool>> donate;
  for (const Arguments& own : arguments) {
    if (absl::Status status = own.error(); !status.ok()) return status;
    absl::StatusOr<std::vector<Buffer>> arrays =
        own.arrays(program, program.executable->parameter_shapes());
    if (!arrays.ok()) return arrays.status();
    lists.push_back(*std::move(arrays));
    donate.push_back(own.reuse());
  }
  // A run without results is not asynchronous, because no result could report its error.
  const bool asynchronous = !program.executable->result_shapes().empty();
  if (lists.size() > 1) {
    GridRunOptions options;
    options.asynchronous = asynchronous;
    options.donate = std::move(donate);
    return program.executable->RunGrid(lists, options);
  }
  RunOptions options;
  options.device = device;
  options.donate = std::move(donate[0]);
  options.asynchronous = asynchronous;
  absl::StatusOr<std::vector<Buffer>> results = program.executable->Run(lists[0], options);
  if (!results.ok()) return results.status();
  return Results{*std::move(results)};
}

// Returns errors of the call itself at once. An error of the run comes from the results and the
// event.
absl::Status Execute(PJRT_LoadedExecutable_Execute_Args& args) {
  HALYARD_PJRT_NEED(args.executable);
  absl::Status status = CheckCall(args);
  if (!status.ok()) return status;
  const std::shared_ptr<Program>& program = args.executable->program;
  const std::vector<hlo::Shape>& shapes = program->executable->result_shapes();
  std::vector<Arguments> arguments(args.num_devices);
  for (size_t d = 0; d < args.num_devices && status.ok(); ++d) {
    status = arguments[d].Take(*program, args.num_args == 0 ? nullptr : args.argument_lists[d],
                               args.num_args, Donated(*program, args.options));
  }
  if (!status.ok()) {
    for (Arguments& own : arguments) own.GiveBack();
    return status;
  }
  const int only_device = args.execute_device == nullptr ? -1 : args.execute_device->description.id;
  absl::StatusOr<Results> results = RunAll(*program, arguments, only_device);
  for (size_t d = 0; d < args.num_devices; ++d) {
    const int device = only_device >= 0 ? only_device : program->devices[d]->description.id;
    for (size_t i = 0; i < shapes.size(); ++i) {
      args.output_lists[d][i] =
          results.ok() ? NewBuffer(program->client, std::move((*results)[d][i]))
                       : NewErrorBuffer(program->client, device, shapes[i], results.status());
    }
    if (args.device_complete_events == nullptr) continue;
    std::shared_ptr<EventState> done = EventState::Done(results.status());
    if (results.ok() && !shapes.empty()) done = Completion(args.output_lists[d], shapes.size());
    args.device_complete_events[d] = NewEvent(std::move(done));
  }
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
