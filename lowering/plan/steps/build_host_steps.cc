// The steps that the host does: custom calls, and communication with other processes or the host.
#include <algorithm>

#include "frontend/hlo/processes/communication.h"
#include "lowering/plan/steps/communication_step.h"
#include "lowering/plan/steps/exchange_order.h"
#include "lowering/plan/steps/leaves.h"
#include "lowering/plan/steps/step_builder.h"
#include "runtime/program/call_types.h"
#include "runtime/program/program_format.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using AllocationKind = ProgramSpec::AllocationKind;
using Step = ProgramSpec::Step;

namespace {

// Appends the numbers of call_types.h for each array of a shape. Returns false if there is
// something that has none.
bool AppendShapes(const Shape& shape, std::vector<int64_t>* numbers) {
  if (shape.IsTuple()) {
    for (const Shape& element : shape.elements()) {
      if (!AppendShapes(element, numbers)) return false;
    }
    return true;
  }
  if (!shape.IsArray()) return true;  // a token, which has no slice
  const absl::string_view type = hlo::HloName(shape.element_type());
  const int64_t number = runtime::CallTypeNumber(type.data(), type.size());
  if (number < 0) return false;
  numbers->push_back(number);
  numbers->push_back(static_cast<int64_t>(shape.dims().size()));
  numbers->insert(numbers->end(), shape.dims().begin(), shape.dims().end());
  return true;
}

// Returns whether the numbers describe the slices. Dynamic arrays may have other sizes.
bool NumbersFit(const Step& step) {
  runtime::program_format::StepRecord record{};
  record.num_numbers = step.numbers.size();
  std::vector<runtime::program_format::SliceRecord> slices;
  for (const ProgramSpec::Slice& slice : step.slices)
    slices.push_back({0, 0, static_cast<uint64_t>(slice.bytes)});
  record.num_slices = static_cast<uint32_t>(slices.size());
  return runtime::WrongCall(record, slices.data(), step.numbers.data()) == nullptr;
}

}  // namespace

void StepBuilder::AddHostOperands(absl::Span<Instruction* const> operands, const Instruction& inst,
                                  const Environment& environment, int32_t sequence,
                                  MemorySpace space, Step* step) {
  for (const Instruction* operand : operands) {
    for (int32_t leaf : environment.at(operand)) {
      if (leaf == kToken) continue;
      const bool there =
          space == MemorySpace::kDevice && spec_.allocations[leaf].space == MemorySpace::kDevice;
      if (!plan_.one_memory && !there) leaf = CopiedTo(space, sequence, leaf, inst);
      step->slices.push_back(SliceOf(leaf));
    }
  }
  step->num_inputs = static_cast<int32_t>(step->slices.size());
}

void StepBuilder::AddHostResults(Step step, const Instruction& inst, const Leaves& results,
                                 int32_t sequence, MemorySpace space) {
  std::vector<std::pair<int32_t, int32_t>> copies;
  for (int32_t leaf : results) {
    if (leaf == kToken) continue;
    int32_t target = leaf;
    if (!plan_.one_memory && space == MemorySpace::kHost) {
      target = NewAllocation(AllocationKind::kTemp, 0, spec_.allocations[leaf].bytes, &inst,
                             MemorySpace::kHost);
      copies.push_back({target, leaf});
    }
    step.slices.push_back(SliceOf(target));
  }
  if (step.kind == Step::Kind::kCustomCall && !NumbersFit(step)) step.numbers.clear();
  spec_.sequences[sequence].steps.push_back(std::move(step));
  for (auto [from, to] : copies) AddCopy(sequence, from, to, inst);
}

StepBuilder::Leaves StepBuilder::AddHostStep(Step step, const Instruction& inst,
                                             absl::Span<Instruction* const> operands,
                                             const Shape& result, const Environment& environment,
                                             int32_t sequence, MemorySpace space) {
  AddHostOperands(operands, inst, environment, sequence, space, &step);
  Leaves results = NewTemps(inst, result);
  AddHostResults(std::move(step), inst, results, sequence, space);
  return results;
}

StepBuilder::Leaves StepBuilder::BeginExchange(Step step, const Instruction& inst,
                                               const Environment& environment, int32_t sequence) {
  AddHostOperands(inst.operands, inst, environment, sequence, MemorySpace::kHost, &step);
  step.kind = Step::Kind::kExchangeBegin;
  OpenExchange open{&inst, sequence, NewTemps(inst, inst.shape), step};
  open.end.kind = Step::Kind::kExchangeEnd;
  open.end.numbers = {num_begins_[sequence]++};
  spec_.sequences[sequence].steps.push_back(std::move(step));
  open_exchanges_.push_back(std::move(open));
  return open_exchanges_.back().results;
}

void StepBuilder::EndExchanges(const Instruction* reader, const Environment& environment,
                               int32_t sequence) {
  if (open_exchanges_.empty() || (reader != nullptr && IsAlias(reader->opcode))) return;
  const auto ends = [&](const OpenExchange& open) {
    if (open.sequence != sequence) return false;
    if (reader == nullptr) return true;
    return std::any_of(
        reader->operands.begin(), reader->operands.end(), [&](const Instruction* operand) {
          const Leaves& leaves = environment.at(operand);
          return std::any_of(leaves.begin(), leaves.end(), [&](int32_t leaf) {
            return leaf != kToken &&
                   std::find(open.results.begin(), open.results.end(), leaf) != open.results.end();
          });
        });
  };
  std::vector<OpenExchange> left;
  for (OpenExchange& open : open_exchanges_) {
    if (!ends(open)) {
      left.push_back(std::move(open));
    } else {
      AddHostResults(std::move(open.end), *open.inst, open.results, sequence, MemorySpace::kHost);
    }
  }
  open_exchanges_ = std::move(left);
}

absl::StatusOr<StepBuilder::Leaves> StepBuilder::BuildCustomCall(const Instruction& call,
                                                                 const Environment& environment,
                                                                 int32_t sequence) {
  Step step;
  step.kind = Step::Kind::kCustomCall;
  step.label = call.name;
  step.target = call.GetString(Attr::kCustomCallTarget);
  step.config = call.GetString(Attr::kBackendConfig);
  const std::string& version = call.GetString(Attr::kApiVersion);
  bool plain =
      version.empty() || version == "API_VERSION_ORIGINAL" || version == "API_VERSION_UNSPECIFIED";
  step.flags = 0;
  if (call.shape.IsTuple()) step.flags |= runtime::program_format::kTupleResult;
  if (!plain) step.flags |= runtime::program_format::kNotPlain;
  bool known = AppendShapes(call.shape, &step.numbers);
  std::vector<int64_t> results;
  results.swap(step.numbers);
  for (const Instruction* operand : call.operands)
    known = AppendShapes(operand->shape, &step.numbers) && known;
  step.numbers.insert(step.numbers.end(), results.begin(), results.end());
  if (!known) step.numbers.clear();
  return AddHostStep(std::move(step), call, call.operands, call.shape, environment, sequence);
}

bool StepBuilder::ExchangesOnDevice() const {
  return options_.device.kind == runtime::DeviceKind::kCuda &&
         (options_.device.libraries & runtime::kNccl) != 0;
}

bool StepBuilder::ExchangesOverlap() const {
  return !ExchangesOnDevice() && !options_.without.Has(Rewrite::kOverlap);
}

absl::StatusOr<StepBuilder::Leaves> StepBuilder::BuildCommunication(const Instruction& inst,
                                                                    const Environment& environment,
                                                                    int32_t sequence) {
  if (inst.opcode == Opcode::kSendDone) return Leaves{kToken};
  // A recv's array comes with its recv-done, and a send's is there already.
  if (inst.opcode == Opcode::kRecv) return Leaves(LeafCount(inst.shape), kToken);
  const hlo::GridShape grid{module_.num_replicas, module_.num_partitions};
  absl::StatusOr<Step> step = CommunicationStep(inst, grid);
  if (!step.ok()) return step.status();
  const bool is_send = inst.opcode == Opcode::kSend;
  absl::Span<Instruction* const> operands(inst.operands);
  if (inst.opcode == Opcode::kRecvDone) operands = {};
  if (inst.opcode == Opcode::kInfeed && LeafCount(inst.shape) == 1)
    return Leaves{kToken};  // an empty tuple
  const bool is_exchange = inst.opcode == Opcode::kExchange;
  if (is_exchange && ExchangesOverlap())
    return BeginExchange(*std::move(step), inst, environment, sequence);
  Leaves results = AddHostStep(
      *std::move(step), inst, operands, is_send ? Shape::Token() : inst.shape, environment,
      sequence, is_exchange && ExchangesOnDevice() ? MemorySpace::kDevice : MemorySpace::kHost);
  return is_send ? Leaves(LeafCount(inst.shape), kToken) : results;
}

}  // namespace halyard::lowering
