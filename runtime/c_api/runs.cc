// The functions of the C API that run programs.
#include <string.h>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "runtime/execute/task_queue.h"

namespace halyard::runtime {
namespace {

// So many pointers may lie on the stack, so that runs allocate nothing.
constexpr uint32_t kMostOnStack = 2048;

// Returns memory for `count` pointers or flags, of the stack if there are not too many.
#define HY_ARRAY(T, count) \
  static_cast<T*>((count) <= kMostOnStack ? __builtin_alloca(((count) + 1) * sizeof(T)) : nullptr)

// An array of buffers of one call, which it releases. All entries begin as null.
class BufferArray {
 public:
  // `memory` has room for the array, or is null.
  BufferArray(uint32_t count, Buffer** memory) : count_(count), given_(memory), items_(memory) {
    if (items_ == nullptr)
      items_ = static_cast<Buffer**>(HeapAllocate(uint64_t{count} * sizeof(Buffer*)));
    if (items_ != nullptr) memset(items_, 0, uint64_t{count} * sizeof(Buffer*));
  }
  ~BufferArray() {
    for (uint32_t i = 0; items_ != nullptr && i < count_; ++i) {
      if (items_[i] != nullptr) items_[i]->Release();
    }
    if (items_ != given_) HeapFree(items_);
  }
  BufferArray(const BufferArray&) = delete;
  BufferArray& operator=(const BufferArray&) = delete;
  bool ok() const { return items_ != nullptr; }
  Buffer*& operator[](uint32_t i) { return items_[i]; }
  Buffer** data() { return items_; }

 private:
  uint32_t count_;
  Buffer** given_;
  Buffer** items_;
};

Status NoRunMemory() {
  return MakeStatus(Code::kResourceExhausted, "no memory for a run's arguments");
}

Status RunOnHostMemory(Executable* executable, RunOptions options, const void* const* arguments,
                       void* const* results) {
  const Program& program = executable->program();
  Context* context = executable->context();
  HY_RETURN_IF_ERROR(CheckMemory(program, arguments, results));
  const uint32_t num_inputs = program.num_parameters(), num_outputs = program.num_results();
  Buffer** input_memory = HY_ARRAY(Buffer*, num_inputs);
  Buffer** output_memory = HY_ARRAY(Buffer*, num_outputs);
  BufferArray inputs(num_inputs, input_memory), outputs(num_outputs, output_memory);
  if (!inputs.ok() || !outputs.ok()) return NoRunMemory();
  for (uint32_t i = 0; i < num_inputs; ++i) {
    const uint64_t bytes = static_cast<uint64_t>(program.parameter(i).bytes);
    HY_RETURN_IF_ERROR(CheckElements(program, i, arguments[i]));
    if (context->is_x86() && AtHostAlignment(arguments[i])) {
      HY_RETURN_IF_ERROR(
          context->WrapHost(const_cast<void*>(arguments[i]), bytes, nullptr, nullptr, &inputs[i]));
    } else {
      HY_RETURN_IF_ERROR(
          context->CopyFromHost(arguments[i], bytes, executable->parameter_space(i), &inputs[i]));
    }
  }
  for (uint32_t i = 0; i < num_outputs; ++i) {
    const uint64_t bytes = static_cast<uint64_t>(program.result(i).bytes);
    if (context->is_x86() && AtHostAlignment(results[i])) {
      HY_RETURN_IF_ERROR(context->WrapHost(results[i], bytes, nullptr, nullptr, &outputs[i]));
    }
  }
  options.private_buffers = true;
  HY_RETURN_IF_ERROR(
      executable->Run(options, inputs.data(), num_inputs, outputs.data(), num_outputs));
  for (uint32_t i = 0; i < num_outputs; ++i) {
    if (context->is_x86() && outputs[i]->host() == results[i]) continue;
    HY_RETURN_IF_ERROR(outputs[i]->CopyToHost(results[i], 0, outputs[i]->bytes()));
  }
  return Status();
}

Status RunOnBuffers(Executable* executable, RunOptions options, Buffer* const* arguments,
                    const unsigned char* donate, Buffer** results) {
  const uint32_t count = executable->program().num_parameters();
  bool* given = HY_ARRAY(bool, count);
  bool* flags = given != nullptr ? given : static_cast<bool*>(HeapAllocate(count));
  if (flags == nullptr) return NoRunMemory();
  for (uint32_t i = 0; i < count; ++i) flags[i] = donate != nullptr && donate[i] != 0;
  options.donate = flags;
  Status status =
      executable->Run(options, arguments, count, results, executable->program().num_results());
  if (flags != given) HeapFree(flags);
  return status;
}

// One call of hy_run_async. The pointers to arguments and results lie behind it.
struct AsyncRun {
  TaskQueue::Task task;  // first
  Executable* executable;
  RunOptions options;
  hy_done done;
  void* user;

  const void** arguments() { return reinterpret_cast<const void**>(this + 1); }
  void** results() {
    return reinterpret_cast<void**>(this + 1) + executable->program().num_parameters();
  }
};

// The callback may free the program, so this holds a reference.
void RunTask(TaskQueue::Task* task) {
  AsyncRun* run = reinterpret_cast<AsyncRun*>(task);
  Executable* executable = run->executable;
  const hy_done done = run->done;
  void* user = run->user;
  const hy_status status =
      Return(RunOnHostMemory(executable, run->options, run->arguments(), run->results()));
  task->queue->FreeTask(task);
  done(user, status);
  DropProgram(executable);
}

Status RunAsync(Executable* executable, const RunOptions& options, const void* const* arguments,
                void* const* results, hy_done done, void* user) {
  const Program& program = executable->program();
  const uint32_t num_arguments = program.num_parameters(), num_results = program.num_results();
  HY_RETURN_IF_ERROR(CheckMemory(program, arguments, results));
  TaskQueue* queue = nullptr;
  HY_RETURN_IF_ERROR(executable->context()->Tasks(&queue));
  AsyncRun* run = reinterpret_cast<AsyncRun*>(
      queue->NewTask(sizeof(AsyncRun) + (uint64_t{num_arguments} + num_results) * sizeof(void*)));
  if (run == nullptr) return NoRunMemory();
  run->task.run = &RunTask;
  run->task.owner = executable;
  run->executable = executable;
  run->options = options;
  run->done = done;
  run->user = user;
  if (num_arguments != 0) memcpy(run->arguments(), arguments, num_arguments * sizeof(void*));
  if (num_results != 0) memcpy(run->results(), results, num_results * sizeof(void*));
  KeepProgram(executable);
  Status status = queue->Push(&run->task);
  if (!status.ok()) {
    DropProgram(executable);
    queue->FreeTask(&run->task);
  }
  return status;
}

}  // namespace

Status ReadRunOptions(const hy_run_options* given, RunOptions* options) {
  hy_run_options read;
  HY_RETURN_IF_ERROR(ReadOptions(given, "hy_run_options", &read, sizeof(read)));
  if (read.cancel != nullptr) options->cancel = &read.cancel->requested;
  options->temporaries = From(read.temporaries);
  return Status();
}

}  // namespace halyard::runtime

using halyard::runtime::From;
using halyard::runtime::Return;
using halyard::runtime::RunOptions;
using halyard::runtime::Status;

// What all functions that run begin with: checks of the pointers, and the options as `read`.
#define HY_RUN_BEGINS()                                                                  \
  HY_NEEDS(program);                                                                     \
  HY_RUNS(program);                                                                      \
  if (From(program)->program().num_parameters() != 0) HY_NEEDS(arguments);               \
  if (From(program)->program().num_results() != 0) HY_NEEDS(results);                    \
  RunOptions read;                                                                       \
  if (Status wrong = halyard::runtime::NeedsSizes(From(program), __func__); !wrong.ok()) \
    return Return(static_cast<Status&&>(wrong));                                         \
  if (Status wrong = halyard::runtime::ReadRunOptions(options, &read); !wrong.ok())      \
  return Return(static_cast<Status&&>(wrong))

extern "C" {

void hy_cancel_request(hy_cancel* cancel) {
  if (cancel != nullptr) __atomic_store_n(&cancel->requested, 1, __ATOMIC_RELAXED);
}

hy_status hy_run(hy_program* program, const void* const* arguments, void* const* results) {
  return hy_run_with(program, nullptr, arguments, results);
}

hy_status hy_run_with(hy_program* program, const hy_run_options* options,
                      const void* const* arguments, void* const* results) {
  HY_RUN_BEGINS();
  return Return(halyard::runtime::RunOnHostMemory(From(program), read, arguments, results));
}

hy_status hy_run_async(hy_program* program, const hy_run_options* options,
                       const void* const* arguments, void* const* results, hy_done done,
                       void* user) {
  HY_RUN_BEGINS();
  HY_NEEDS(done);
  return Return(halyard::runtime::RunAsync(From(program), read, arguments, results, done, user));
}

hy_status hy_run_buffers(hy_program* program, hy_buffer* const* arguments,
                         const unsigned char* donate, hy_buffer** results) {
  return hy_run_buffers_with(program, nullptr, arguments, donate, results);
}

hy_status hy_run_buffers_with(hy_program* program, const hy_run_options* options,
                              hy_buffer* const* arguments, const unsigned char* donate,
                              hy_buffer** results) {
  HY_RUN_BEGINS();
  return Return(halyard::runtime::RunOnBuffers(
      From(program), read, reinterpret_cast<halyard::runtime::Buffer* const*>(arguments), donate,
      reinterpret_cast<halyard::runtime::Buffer**>(results)));
}

}  // extern "C"
