// Runs programs that communicate with their host and with each other.
#include <pthread.h>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/processes/host_queues.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

struct GridCall {
  Executable* executable;
  HostsOfRun* hosts;
  RunOptions options;
  const void* const* const* arguments;  // by process
  void* const* const* results;
  Grid* grid;
};

// The buffers of one process.
struct ProcessBuffers {
  ProcessBuffers(uint32_t inputs, uint32_t outputs)
      : num_inputs(inputs),
        count(inputs + outputs),
        buffers(static_cast<Buffer**>(HeapAllocateZeroed(inputs + outputs + 1, sizeof(Buffer*)))) {}
  ~ProcessBuffers() {
    for (uint32_t i = 0; buffers != nullptr && i < count; ++i) {
      if (buffers[i] != nullptr) buffers[i]->Release();
    }
    HeapFree(buffers);
  }
  ProcessBuffers(const ProcessBuffers&) = delete;
  ProcessBuffers& operator=(const ProcessBuffers&) = delete;
  Buffer** outputs() { return buffers + num_inputs; }

  uint32_t num_inputs, count;
  Buffer** buffers;
};

// The arguments and results of a process. A list that has nothing may be missing.
const void* const* ArgumentsOf(const GridCall& call, uint32_t process) {
  return call.arguments == nullptr ? nullptr : call.arguments[process];
}
void* const* ResultsOf(const GridCall& call, uint32_t process) {
  return call.results == nullptr ? nullptr : call.results[process];
}

Status CheckProcess(const GridCall& call, uint32_t process) {
  const Program& program = call.executable->program();
  const void* const* arguments = ArgumentsOf(call, process);
  void* const* results = ResultsOf(call, process);
  if ((program.num_parameters() != 0 && arguments == nullptr) ||
      (program.num_results() != 0 && results == nullptr))
    return MakeStatus(Code::kInvalidArgument, "its arguments or results are NULL");
  HY_RETURN_IF_ERROR(CheckMemory(program, arguments, results));
  for (uint32_t i = 0; i < program.num_parameters(); ++i)
    HY_RETURN_IF_ERROR(CheckElements(program, i, arguments[i]));
  return Status();
}

// Returns kInvalidArgument if a result of a process shares memory with an array of another one.
// CheckProcess has looked at those of the same process.
Status CheckBetween(const GridCall& call, uint32_t process, uint32_t other) {
  const Program& program = call.executable->program();
  const uint32_t num_arguments = program.num_parameters(), num_results = program.num_results();
  const auto bytes_of = [&](uint32_t result) {
    return static_cast<uint64_t>(program.result(result).bytes);
  };
  for (uint32_t i = 0; i < num_results; ++i) {
    const void* written = ResultsOf(call, process)[i];
    bool overlap = false;
    for (uint32_t k = 0; k < num_arguments && !overlap; ++k) {
      overlap = ArraysOverlap(written, bytes_of(i), ArgumentsOf(call, other)[k],
                              static_cast<uint64_t>(program.parameter(k).bytes));
    }
    for (uint32_t k = 0; k < num_results && !overlap; ++k)
      overlap = ArraysOverlap(written, bytes_of(i), ResultsOf(call, other)[k], bytes_of(k));
    if (!overlap) continue;
    const uint32_t partitions = program.num_partitions();
    return MakeStatus(Code::kInvalidArgument,
                      "result %u (%s) of process (%u, %u) overlaps an array of process (%u, %u)", i,
                      program.String(program.result(i).name).data, process / partitions,
                      process % partitions, other / partitions, other % partitions);
  }
  return Status();
}

Status RunProcess(const GridCall& call, uint32_t process) {
  const Program& program = call.executable->program();
  Context* context = call.executable->context();
  const uint32_t num_inputs = program.num_parameters(), num_outputs = program.num_results();
  ProcessBuffers all(num_inputs, num_outputs);
  if (all.buffers == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for a run's arguments");
  const void* const* arguments = ArgumentsOf(call, process);
  for (uint32_t i = 0; i < num_inputs; ++i) {
    HY_RETURN_IF_ERROR(context->CopyFromHost(arguments[i],
                                             static_cast<uint64_t>(program.parameter(i).bytes),
                                             call.executable->parameter_space(i), &all.buffers[i]));
  }
  RunOptions options = call.options;
  options.grid = call.grid;
  options.private_buffers = true;
  options.process = options.stream = process;
  HY_RETURN_IF_ERROR(
      call.executable->Run(options, all.buffers, num_inputs, all.outputs(), num_outputs));
  void* const* results = ResultsOf(call, process);
  for (uint32_t i = 0; i < num_outputs; ++i) {
    const Buffer* result = all.outputs()[i];
    HY_RETURN_IF_ERROR(result->CopyToHost(results[i], 0, result->bytes()));
  }
  return Status();
}

void RunAndEnd(const GridCall& call, uint32_t process) {
  const Status status = RunProcess(call, process);
  call.grid->End(process, status);
  if (!status.ok()) call.hosts->CloseAll();  // no process waits for a host any longer
}

struct GridThread {
  const GridCall* call;
  uint32_t process;
  pthread_t thread;
};

void* RunThread(void* argument) {
  const GridThread& own = *static_cast<const GridThread*>(argument);
  const HostScope scope(&own.call->executable->context()->host());
  RunAndEnd(*own.call, own.process);
  return nullptr;
}

// The first process runs in this thread, and the others in threads of their own.
void RunAll(const GridCall& call, GridThread* threads) {
  const uint32_t size = call.grid->size();
  uint32_t started = 1;
  for (; started < size; ++started) {
    threads[started] = {&call, started, {}};
    if (pthread_create(&threads[started].thread, nullptr, RunThread, &threads[started]) != 0) break;
  }
  for (uint32_t process = started; process < size; ++process) {
    call.grid->End(process, MakeStatus(Code::kResourceExhausted, "no thread for it"));
    call.hosts->CloseAll();
  }
  RunAndEnd(call, 0);
  for (uint32_t process = 1; process < started; ++process)
    pthread_join(threads[process].thread, nullptr);
}

Status RunGrid(GridCall* call) {
  const Program& program = call->executable->program();
  const uint32_t size = program.num_replicas() * program.num_partitions();
  call->hosts->num_hosts = size;
  for (uint32_t process = 0; process < size; ++process) {
    Status status = CheckProcess(*call, process);
    if (status.ok()) continue;
    return MakeStatus(status.code(), "process (%u, %u): %s", process / program.num_partitions(),
                      process % program.num_partitions(), status.message());
  }
  for (uint32_t process = 0; process < size; ++process) {
    for (uint32_t other = 0; other < size; ++other) {
      if (other != process) HY_RETURN_IF_ERROR(CheckBetween(*call, process, other));
    }
  }
  if (size > 1 && call->options.temporaries != nullptr) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_run_options: a buffer for temporaries serves one process, and %s has %u",
                      program.name().data, size);
  }
  HY_RETURN_IF_ERROR(call->hosts->Begin());
  auto* threads = static_cast<GridThread*>(HeapAllocateZeroed(size, sizeof(GridThread)));
  Status status = threads == nullptr
                      ? MakeStatus(Code::kResourceExhausted, "no memory for a run's threads")
                      : Grid::Create(program.num_replicas(), program.num_partitions(),
                                     program.num_steps(), call->hosts->ForGrid(), {}, &call->grid);
  if (status.ok()) {
    RunAll(*call, threads);
    status = call->grid->TakeError();
    call->grid->Destroy();
  }
  call->hosts->CloseAll();
  HeapFree(threads);
  return status;
}

}  // namespace
}  // namespace halyard::runtime

using halyard::runtime::From;
using halyard::runtime::GridCall;
using halyard::runtime::HostsOfRun;
using halyard::runtime::Program;
using halyard::runtime::Return;
using halyard::runtime::Status;

extern "C" {

int hy_program_num_replicas(const hy_program* program) {
  return program == nullptr ? 0 : static_cast<int>(From(program)->program().num_replicas());
}

int hy_program_num_partitions(const hy_program* program) {
  return program == nullptr ? 0 : static_cast<int>(From(program)->program().num_partitions());
}

int hy_program_communicates(const hy_program* program) {
  return program != nullptr && From(program)->program().communicates() ? 1 : 0;
}

hy_status hy_run_grid(hy_program* program, const hy_run_options* options, hy_host* const* hosts,
                      const void* const* const* arguments, void* const* const* results) {
  HY_NEEDS(program);
  HY_RUNS(program);
  Status status = halyard::runtime::NeedsSizes(From(program), __func__);
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  const Program& of = From(program)->program();
  if (of.num_parameters() != 0) HY_NEEDS(arguments);
  if (of.num_results() != 0) HY_NEEDS(results);
  hy_run_options read;
  status = halyard::runtime::ReadOptions(options, "hy_run_options", &read, sizeof(read));
  if (!status.ok()) return Return(static_cast<Status&&>(status));
  HostsOfRun host = {hosts, 0, read.cancel == nullptr ? nullptr : &read.cancel->requested};
  GridCall call = {From(program), &host, {}, arguments, results, nullptr};
  call.options.cancel = host.cancel;
  call.options.temporaries = From(read.temporaries);
  return Return(RunGrid(&call));
}

}  // extern "C"
