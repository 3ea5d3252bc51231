#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/communication.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/steps/communication_step.h"
#include "lowering/plan/steps/exchange_order.h"
#include "lowering/plan/steps/kernel_text.h"
#include "lowering/plan/steps/leaves.h"
#include "lowering/plan/steps/plan.h"
#include "lowering/plan/steps/step_builder.h"
#include "runtime/device_class.h"
#include "runtime/program/program_format.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;
using AllocationKind = ProgramSpec::AllocationKind;
using Step = ProgramSpec::Step;

int32_t StepBuilder::NewAllocation(AllocationKind kind, int64_t number, int64_t bytes,
                                   const Instruction* source, MemorySpace space) {
  ProgramSpec::Allocation allocation;
  allocation.kind = kind;
  allocation.space = space;
  allocation.number = number;
  allocation.bytes = bytes;
  if (source != nullptr) {
    allocation.label = source->name;
    if (!source->provenance.op_names.empty()) {
      absl::StrAppend(&allocation.label, " ", source->provenance.op_names.front());
    }
  }
  spec_.allocations.push_back(std::move(allocation));
  plan_.sources.push_back(source);
  return static_cast<int32_t>(spec_.allocations.size()) - 1;
}

StepBuilder::Leaves StepBuilder::NewTemps(const Instruction& inst, const Shape& shape) {
  Leaves leaves;
  for (const Shape& leaf : hlo::FlattenShape(shape)) {
    leaves.push_back(
        leaf.IsToken() ? kToken : NewAllocation(AllocationKind::kTemp, 0, leaf.ByteSize(), &inst));
  }
  return leaves;
}

ProgramSpec::Slice StepBuilder::SliceOf(int32_t allocation) const {
  return {allocation, 0, spec_.allocations[allocation].bytes};
}

int32_t StepBuilder::NewSequence() {
  spec_.sequences.emplace_back();
  return static_cast<int32_t>(spec_.sequences.size()) - 1;
}

int32_t StepBuilder::ConstantAllocation(const Instruction& constant) {
  const uint8_t* data = reinterpret_cast<const uint8_t*>(constant.literal.bytes().data());
  int64_t bytes = static_cast<int64_t>(constant.literal.bytes().size());
  auto [begin, end] = constants_.equal_range(bytes);
  for (auto it = begin; it != end; ++it) {
    const uint8_t* other = it->second.second;
    if (bytes == 0 || other == data || memcmp(other, data, bytes) == 0) return it->second.first;
  }
  int64_t number = static_cast<int64_t>(spec_.constants.size());
  // The copy of the literal shares its bytes, which nothing writes any more.
  auto owner = std::make_shared<const hlo::Literal>(constant.literal);
  data = reinterpret_cast<const uint8_t*>(owner->bytes().data());
  spec_.constants.push_back({owner, data, bytes});
  int32_t allocation = NewAllocation(AllocationKind::kConstant, number, bytes, &constant);
  constants_.emplace(bytes, std::pair{allocation, data});
  return allocation;
}

void StepBuilder::AddCopy(int32_t sequence, int32_t from, int32_t to, const Instruction& source) {
  if (spec_.allocations[from].bytes == 0) return;
  Step step;
  step.kind = Step::Kind::kCopy;
  step.slices = {SliceOf(from), SliceOf(to)};
  step.num_inputs = 1;
  step.label = absl::StrCat("copy of ", source.name);
  spec_.sequences[sequence].steps.push_back(std::move(step));
}

int32_t StepBuilder::CopiedTo(MemorySpace space, int32_t sequence, int32_t allocation,
                              const Instruction& source) {
  int32_t copy =
      NewAllocation(AllocationKind::kTemp, 0, spec_.allocations[allocation].bytes, &source, space);
  AddCopy(sequence, allocation, copy, source);
  return copy;
}

void StepBuilder::AddParameters() {
  for (const Instruction* parameter : module_.entry()->parameters()) {
    for (const Shape& leaf : hlo::FlattenShape(parameter->shape)) {
      int64_t number = static_cast<int64_t>(spec_.parameters.size());
      ProgramSpec::Value value;
      value.name = absl::StrCat("arg", number);
      value.element_type =
          leaf.IsToken() ? "token" : std::string(hlo::HloName(leaf.element_type()));
      value.dims = leaf.dims();
      value.bytes = leaf.ByteSize();
      parameters_.push_back(leaf.IsToken() ? kToken
                                           : NewAllocation(AllocationKind::kParameter, number,
                                                           value.bytes, parameter));
      spec_.parameters.push_back(std::move(value));
    }
  }
}

void StepBuilder::AddResults(const Leaves& root) {
  const Instruction* inst = module_.entry()->root();
  std::vector<Shape> shapes = hlo::FlattenShape(inst->shape);
  Leaves results;
  for (size_t i = 0; i < root.size(); ++i) {
    ProgramSpec::Value value;
    value.name = absl::StrCat("out", i);
    value.element_type =
        shapes[i].IsToken() ? "token" : std::string(hlo::HloName(shapes[i].element_type()));
    value.dims = shapes[i].dims();
    value.bytes = shapes[i].ByteSize();
    spec_.results.push_back(std::move(value));
    // A token is a result without bytes.
    const Instruction* origin = Origin(inst, i).first;
    results.push_back(NewAllocation(AllocationKind::kResult, static_cast<int64_t>(i),
                                    shapes[i].ByteSize(), origin));
    if (root[i] != kToken) AddCopy(0, root[i], results[i], *origin);
  }
  AddDonations(results);
}

void StepBuilder::AddDonations(const Leaves& results) {
  for (const hlo::InputOutputAlias& alias : module_.aliases) {
    int64_t leaf = alias.parameter_leaf;
    for (int64_t p = 0; p < alias.parameter_number; ++p) {
      leaf += static_cast<int64_t>(LeafCount(module_.entry()->parameters()[p]->shape));
    }
    int32_t parameter = parameters_[leaf], result = results[alias.result_leaf];
    if (parameter == kToken) continue;
    if (spec_.allocations[parameter].bytes != spec_.allocations[result].bytes) {
      spec_.parameters[leaf].donated_to_result = runtime::program_format::kDonatedToNone;
      continue;
    }
    plan_.donations.push_back({parameter, result});
  }
  // The first free result of the same type takes over a donor.
  for (int64_t donor : module_.donors) {
    size_t leaf = 0;
    for (int64_t p = 0; p < donor; ++p) leaf += LeafCount(module_.entry()->parameters()[p]->shape);
    const size_t end = leaf + LeafCount(module_.entry()->parameters()[donor]->shape);
    for (; leaf < end; ++leaf) {
      if (parameters_[leaf] == kToken) continue;
      ProgramSpec::Value& given = spec_.parameters[leaf];
      given.donated_to_result = runtime::program_format::kDonatedToNone;  // until one is found
      for (size_t i = 0; i < results.size(); ++i) {
        const ProgramSpec::Value& value = spec_.results[i];
        const bool taken =
            std::any_of(plan_.donations.begin(), plan_.donations.end(), [&](const auto& donation) {
              return donation.first == parameters_[leaf] || donation.second == results[i];
            });
        if (taken || value.element_type != given.element_type || value.dims != given.dims) continue;
        plan_.donations.push_back({parameters_[leaf], results[i]});
        break;
      }
    }
  }
}

absl::StatusOr<StepBuilder::Leaves> StepBuilder::BuildSequence(const Computation& computation,
                                                               const Leaves* parameters,
                                                               int32_t sequence, bool is_body) {
  Environment environment;
  size_t next = 0;
  for (const Instruction* parameter : computation.parameters()) {
    size_t count = LeafCount(parameter->shape);
    environment[parameter] = Leaves(parameters->begin() + next, parameters->begin() + next + count);
    next += count;
  }
  std::vector<const Instruction*> order = StepOrder(computation, is_body);
  hlo::ReceiveLate(&order);
  if (ExchangesOverlap()) OrderExchanges(computation, &order);
  for (const Instruction* inst : order) {
    EndExchanges(inst, environment, sequence);
    if (absl::Status s = BuildInstruction(*inst, sequence, &environment); !s.ok()) return s;
  }
  EndExchanges(nullptr, environment, sequence);
  return environment.at(computation.root());
}

absl::Status StepBuilder::BuildInstruction(const Instruction& inst, int32_t sequence,
                                           Environment* environment) {
  absl::StatusOr<Leaves> leaves = Leaves();
  switch (inst.opcode) {
    case Opcode::kParameter:
      return absl::OkStatus();
    case Opcode::kConstant:
      leaves = Leaves{ConstantAllocation(inst)};
      break;
    case Opcode::kTuple:
      for (const Instruction* operand : inst.operands) {
        const Leaves& part = environment->at(operand);
        leaves->insert(leaves->end(), part.begin(), part.end());
      }
      break;
    case Opcode::kGetTupleElement: {
      const Leaves& tuple = environment->at(inst.operand(0));
      size_t begin = LeafOffset(inst.operand(0)->shape, inst.GetInt(Attr::kIndex));
      leaves = Leaves(tuple.begin() + begin, tuple.begin() + begin + LeafCount(inst.shape));
      break;
    }
    case Opcode::kReshape:
    case Opcode::kOptimizationBarrier:
      leaves = environment->at(inst.operand(0));
      break;
    case Opcode::kAfterAll:
      leaves = Leaves{kToken};
      break;
    case Opcode::kFusion:
      leaves = BuildKernel(inst, *environment, sequence);
      break;
    case Opcode::kWhile:
      leaves = BuildWhile(inst, environment->at(inst.operand(0)), sequence);
      break;
    case Opcode::kConditional:
      leaves = BuildCase(inst, *environment, sequence);
      break;
    case Opcode::kCustomCall:
      leaves = BuildCustomCall(inst, *environment, sequence);
      break;
    default:
      if (!hlo::IsCommunication(inst.opcode)) {
        return LocatedError(absl::StatusCode::kUnimplemented, inst,
                            "this op cannot be compiled yet");
      }
      leaves = BuildCommunication(inst, *environment, sequence);
      break;
  }
  if (!leaves.ok()) return leaves.status();
  (*environment)[&inst] = *std::move(leaves);
  return absl::OkStatus();
}

absl::StatusOr<StepBuilder::Leaves> StepBuilder::BuildKernel(const Instruction& fusion,
                                                             const Environment& environment,
                                                             int32_t sequence) {
  const Computation& computation = *fusion.called[0];
  Leaves outputs = NewTemps(fusion, fusion.shape);
  PlannedKernel kernel;
  kernel.fusion = &fusion;
  const RewriteSet& without = options_.without;
  absl::StatusOr<std::string> text = KernelText(computation, !without.Has(Rewrite::kCollapse));
  if (!text.ok()) return text.status();
  kernel.hlo = *std::move(text);
  if (!without.Has(Rewrite::kInPlace)) kernel.may_alias = InPlacePairs(computation);
  std::vector<std::string> ops;
  for (const auto& inst : computation.instructions()) {
    if (inst->opcode == Opcode::kParameter || inst->opcode == Opcode::kConstant ||
        inst->opcode == Opcode::kTuple || inst->opcode == Opcode::kGetTupleElement) {
      continue;
    }
    if (ops.size() < 6) ops.emplace_back(hlo::RowOf(inst->opcode).hlo_name);
  }
  kernel.name = absl::StrCat(fusion.name, " (", absl::StrJoin(ops, ", "), ")");

  Leaves inputs;
  for (const Instruction* operand : fusion.operands) inputs.push_back(environment.at(operand)[0]);
  if (IsOnHost(fusion)) {
    kernel.on_host = true;
    for (int32_t output : outputs) spec_.allocations[output].space = MemorySpace::kHost;
    for (int32_t& input : inputs) {
      if (spec_.allocations[input].space != MemorySpace::kHost) {
        input = InHostSpace(sequence, input, fusion);
      }
    }
  }
  const Instruction* root = computation.root();
  for (size_t i = 0; IsSequence(root->opcode) && i < root->operands.size(); ++i) {
    if (SequenceOperandOf(*root, i) != SequenceOperand::kInPlace) continue;
    // The array is copied to the place of the result, unless it may be there already.
    int64_t updated = root->operand(i)->parameter_number;
    kernel.must_alias.push_back({static_cast<int32_t>(i), static_cast<int32_t>(updated)});
    AddCopy(sequence, inputs[updated], outputs[i], fusion);
    inputs[updated] = outputs[i];
  }
  int64_t bytes = 0;
  for (int32_t output : outputs) bytes += spec_.allocations[output].bytes;
  if (bytes == 0) return outputs;
  Step step;
  step.kind = Step::Kind::kKernel;
  step.kernel = static_cast<int32_t>(plan_.kernels.size());
  step.num_inputs = static_cast<int32_t>(inputs.size());
  for (int32_t input : inputs) step.slices.push_back(SliceOf(input));
  for (int32_t output : outputs) step.slices.push_back(SliceOf(output));
  step.label = fusion.name;
  spec_.sequences[sequence].steps.push_back(std::move(step));
  plan_.kernels.push_back(std::move(kernel));
  return outputs;
}

absl::Status StepBuilder::Run() {
  spec_.name = module_.name();
  spec_.num_replicas = module_.num_replicas;
  spec_.num_partitions = module_.num_partitions;
  spec_.device = options_.device;
  spec_.target = options_.target;
  plan_.one_memory = !runtime::IsGpu(options_.device);
  NewSequence();
  AddParameters();
  absl::StatusOr<Leaves> root = BuildSequence(*module_.entry(), &parameters_, 0);
  if (!root.ok()) return root.status();
  AddResults(*root);
  return absl::OkStatus();
}

absl::Status BuildSteps(const hlo::Module& module, const PlanOptions& options, Plan* plan) {
  return StepBuilder(module, options, plan).Run();
}

}  // namespace halyard::lowering
