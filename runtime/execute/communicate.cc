// Executes steps that meet other processes or the host.
#include <string.h>

#include "runtime/collectives/grid.h"
#include "runtime/execute/instance.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

using program_format::StepRecord;

// Calls the host's function. If there is none, what the program gives (`gives`) is dropped, and
// what it takes is an error.
template <typename Function, typename... Arguments>
Status AskHost(Grid* grid, Function function, bool gives, const char* label, void* user,
               uint32_t process, Arguments... arguments) {
  if (function == nullptr && gives) return Status();
  const uint64_t begin = MonotonicNanoseconds();
  Status status = function == nullptr
                      ? MakeStatus(Code::kFailedPrecondition, "the run has no host that gives it")
                      : function(user, process, arguments...);
  grid->AddWaited(process, MonotonicNanoseconds() - begin);
  if (status.ok()) return status;
  return MakeStatus(status.code(), "%s: %s", label, status.message());
}

ExchangeStep ExchangeOf(const Program& program, uint64_t index) {
  const StepRecord& step = program.step(index);
  const int64_t* numbers = program.numbers(step);
  ExchangeStep exchange;
  exchange.step = index;
  exchange.label = program.String(step.label).data;
  exchange.pattern = static_cast<ExchangePattern>(numbers[0]);
  exchange.num_groups = static_cast<uint32_t>(numbers[1]);
  exchange.groups = numbers + 2;
  exchange.num_arrays = step.num_inputs;
  return exchange;
}

}  // namespace

// Finds the step with which each exchange begins that ends in a step of its own.
Status Executable::PairExchanges() {
  if (!program_->communicates()) return Status();
  auto* begins =
      static_cast<uint64_t*>(HeapAllocateZeroed(program_->num_steps() + 1, sizeof(uint64_t)));
  if (begins == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for an executable's tables");
  for (uint32_t s = 0; s < program_->num_sequences(); ++s) {
    uint64_t num_begins = 0;
    for (uint32_t i = 0; i < sequences_[s].count; ++i) {
      Node& node = nodes_[sequences_[s].first + i];
      if (node.kind != NodeKind::kCommunication) continue;
      const StepRecord& step = program_->step(node.step);
      const auto kind = static_cast<StepKind>(step.kind);
      if (kind == StepKind::kExchangeBegin) begins[num_begins++] = node.step;
      if (kind == StepKind::kExchangeEnd) node.begin = begins[*program_->numbers(step)];
    }
  }
  HeapFree(begins);
  return Status();
}

bool Instance::IsOnDevice(const StepRecord& step) const {
  const Program& program = *executable_->program_;
  if (executable_->context_->is_x86() || step.num_slices == 0 ||
      static_cast<StepKind>(step.kind) != StepKind::kExchange) {
    return false;
  }
  const uint64_t first = program.slices(step)[0].allocation;
  return program.allocation(static_cast<uint32_t>(first)).space != kHostSpace;
}

Status Instance::ExchangeOnDevice(const Node& node) {
  const Program& program = *executable_->program_;
  const StepRecord& step = program.step(node.step);
  const program_format::SliceRecord* slices = program.slices(step);
  if (options_->profile != nullptr) HY_RETURN_IF_ERROR(Sync());
  for (uint32_t i = 0; i < step.num_slices; ++i) {
    const Binding& binding = bindings_[slices[i].allocation];
    device_arrays_[i] = {binding.block, binding.offset + slices[i].offset, slices[i].bytes};
  }
  Event last = last_;
  Status status =
      exchange_.Exchange(executable_->context_->device(), options_->grid, options_->process,
                         ExchangeOf(program, node.step), device_arrays_, options_->stream, &last);
  SetSubmitted(last);
  if (status.ok() && options_->profile != nullptr) return Sync();
  return status;
}

Status Instance::RunCommunication(const Node& node) {
  if (options_->profile == nullptr) return Communicate(node);
  HY_RETURN_IF_ERROR(Sync());  // what the device does before is not part of the step
  const uint64_t waited = options_->grid->waited_ns(options_->process);
  const uint64_t begin = MonotonicNanoseconds();
  HY_RETURN_IF_ERROR(Communicate(node));
  const Program& program = *executable_->program_;
  options_->profile(
      options_->profile_user,
      {node.step, program.String(program.step(node.step).label).data, begin, MonotonicNanoseconds(),
       options_->grid->waited_ns(options_->process) - waited});
  return Status();
}

Status Instance::Communicate(const Node& node) {
  const Program& program = *executable_->program_;
  const StepRecord& step = program.step(node.step);
  const program_format::SliceRecord* slices = program.slices(step);
  if (node.waits) HY_RETURN_IF_ERROR(Sync());
  if (IsOnDevice(step)) return ExchangeOnDevice(node);
  for (uint32_t i = 0; i < step.num_slices; ++i)
    arrays_[i] = {HostAddress(slices[i]), slices[i].bytes};
  Grid* grid = options_->grid;
  const GridHost& host = grid->host();
  const uint32_t process = options_->process;
  const int64_t* numbers = program.numbers(step);
  const char* label = program.String(step.label).data;
  const char* shapes = program.String(step.target).data;
  switch (static_cast<StepKind>(step.kind)) {
    case StepKind::kProcessId: {
      const uint32_t id =
          numbers[0] == 0 ? process / grid->partitions() : process % grid->partitions();
      memcpy(arrays_[0].data, &id, sizeof(id));
      return Status();
    }
    case StepKind::kSend:
      if (numbers[1] == 0) return grid->Send(process, numbers[0], label, arrays_, step.num_slices);
      return AskHost(grid, host.send, true, label, host.user, process, numbers[0], shapes, arrays_,
                     step.num_slices);
    case StepKind::kReceive:
      if (numbers[1] == 0)
        return grid->Receive(process, numbers[0], label, arrays_, step.num_slices);
      return AskHost(grid, host.receive, false, label, host.user, process, numbers[0], shapes,
                     arrays_, step.num_slices);
    case StepKind::kInfeed:
      return AskHost(grid, host.infeed, false, label, host.user, process, shapes, arrays_,
                     step.num_slices);
    case StepKind::kOutfeed:
      return AskHost(grid, host.outfeed, true, label, host.user, process, shapes, arrays_,
                     step.num_slices);
    case StepKind::kExchangeBegin:
      return grid->BeginExchange(process, ExchangeOf(program, node.step), arrays_);
    case StepKind::kExchangeEnd:
      return grid->EndExchange(process, ExchangeOf(program, node.begin), arrays_,
                               arrays_ + step.num_inputs);
    default:
      return grid->Exchange(process, ExchangeOf(program, node.step), arrays_,
                            arrays_ + step.num_inputs);
  }
}

}  // namespace halyard::runtime
