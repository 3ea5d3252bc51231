// Which rule applies to an op. Most compute an element from the elements at the same place, and
// need nothing.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/sizes/sized_builder.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Instruction;
using hlo::Opcode;

namespace {

// Checks that dimension `from` of the operand varies as dimension `to` of the result.
bool VariesAlike(const SizedBuilder& b, const Instruction& inst, size_t operand, int64_t from,
                 int64_t to) {
  return b.facts().Size(inst.operands[operand], from) == b.facts().Size(&inst, to);
}

absl::Status CheckElementwise(const SizedBuilder& b, const Instruction& inst) {
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const int64_t rank = inst.operands[i]->shape.rank();
    for (int64_t d = 0; d < rank; ++d) {
      if (rank != inst.shape.rank() || !VariesAlike(b, inst, i, d, d))
        return SizedBuilder::NoRule(inst, "its operands vary in different ways");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckBroadcast(const SizedBuilder& b, const Instruction& inst) {
  const hlo::Ints& places = inst.GetInts(Attr::kDimensions);
  for (size_t i = 0; i < places.size(); ++i) {
    if (!VariesAlike(b, inst, 0, static_cast<int64_t>(i), places[i]))
      return SizedBuilder::NoRule(inst, "a dimension is broadcast for some sizes only");
  }
  return absl::OkStatus();
}

// Checks that the last `count` dimensions of an operand have one size: the others are a batch.
absl::Status CheckFixed(const SizedBuilder& b, const Instruction& inst, size_t operand,
                        int64_t count) {
  const Instruction* array = inst.operands[operand];
  for (int64_t d = array->shape.rank() - count; d < array->shape.rank(); ++d) {
    if (b.facts().Size(array, d) != nullptr) {
      return SizedBuilder::NoRule(
          inst, absl::StrCat("there is no rule for a variable size of dimension ", d, " of ",
                             array->name));
    }
  }
  return absl::OkStatus();
}

// Bits of smaller elements are the last dimension.
absl::Status CheckBitcast(const SizedBuilder& b, const Instruction& inst) {
  const int64_t from = inst.operands[0]->shape.rank(), to = inst.shape.rank();
  if (from > to) {
    if (absl::Status s = CheckFixed(b, inst, 0, 1); !s.ok()) return s;
  }
  return absl::OkStatus();
}

// A window that takes one element at a time leaves a dimension as it is.
absl::Status CheckSelectAndScatter(const SizedBuilder& b, const Instruction& inst) {
  for (const SizedBuilder::Limit& limit : b.Varying(inst.operands[0])) {
    if (inst.GetWindow().dims[static_cast<size_t>(limit.dim)] == hlo::WindowDim()) continue;
    return SizedBuilder::NoRule(inst, "its windows move along a dimension of variable size");
  }
  return absl::OkStatus();
}

// Ops for which nothing varies need no rule.
absl::Status CheckNothingVaries(const SizedBuilder& b, const Instruction& inst) {
  bool varies = b.facts().HasVaryingShape(&inst) || b.facts().Attributes(&inst) != nullptr;
  for (const Instruction* operand : inst.operands) varies |= b.facts().HasVaryingShape(operand);
  if (!varies) return absl::OkStatus();
  return SizedBuilder::NoRule(
      inst, absl::StrCat("there is no rule for ", hlo::RowOf(inst.opcode).hlo_name,
                         " of variable sizes"));
}

}  // namespace

absl::Status PadInstruction(SizedBuilder& b, Instruction* inst) {
  switch (inst->opcode) {
    case Opcode::kParameter:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kOptimizationBarrier:
    case Opcode::kIota:
    case Opcode::kTranspose:
    case Opcode::kAfterAll:
      return absl::OkStatus();
    case Opcode::kConstant:
      return PadConstant(b, inst);
    case Opcode::kBroadcast:
      return CheckBroadcast(b, *inst);
    case Opcode::kReshape:
      return PadReshape(b, inst);
    case Opcode::kBitcastConvert:
      return CheckBitcast(b, *inst);
    case Opcode::kReverse:
      return PadReverse(b, inst);
    case Opcode::kSlice:
      return PadSlice(b, inst);
    case Opcode::kConcatenate:
      return PadConcatenate(b, inst);
    case Opcode::kPad:
      return PadPad(b, inst);
    case Opcode::kDynamicSlice:
      return PadDynamicSlice(b, inst);
    case Opcode::kDynamicUpdateSlice:
      return PadDynamicUpdateSlice(b, inst);
    case Opcode::kGather:
      return PadGather(b, inst);
    case Opcode::kScatter:
      return PadScatter(b, inst);
    case Opcode::kDot:
      return PadDot(b, inst);
    case Opcode::kConvolution:
      return PadConvolution(b, inst);
    case Opcode::kReduce:
      return PadReduce(b, inst);
    case Opcode::kReduceWindow:
      return PadReduceWindow(b, inst);
    case Opcode::kSort:
      return PadSort(b, inst);
    case Opcode::kSelectAndScatter:
      return CheckSelectAndScatter(b, *inst);
    case Opcode::kTopK:
      return CheckFixed(b, *inst, 0, 1);
    case Opcode::kFft:
      return CheckFixed(b, *inst, 0, static_cast<int64_t>(inst->GetInts(Attr::kFftLength).size()));
    case Opcode::kCholesky:
      return CheckFixed(b, *inst, 0, 2);
    case Opcode::kTriangularSolve:
      return CheckFixed(b, *inst, 0, 2);
    default:
      if (hlo::RowOf(inst->opcode).elementwise) return CheckElementwise(b, *inst);
      return CheckNothingVaries(b, *inst);
  }
}

}  // namespace halyard::lowering
