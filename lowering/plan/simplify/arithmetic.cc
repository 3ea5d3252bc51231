#include <complex>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/simplify/rules.h"

namespace halyard::lowering {
namespace {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;

// Returns whether `inst` is a constant, or a broadcast of one, all of whose elements are the
// integer or float `value`.
bool IsAll(Instruction* inst, double value) {
  Instruction* scalar = SplatOf(inst);
  if (scalar == nullptr || scalar->opcode != Opcode::kConstant) return false;
  ElementType type = scalar->shape.element_type();
  if (hlo::IsComplex(type)) return false;
  // Float zeros have signs, so no rule looks for a float zero.
  return scalar->literal.GetAsDouble(0) == value;
}

bool IsIntegerOrPred(const Instruction* inst) {
  return inst->shape.element_type() == ElementType::kPred ||
         hlo::IsInteger(inst->shape.element_type());
}

Instruction* SimplifyBinary(Instruction* inst) {
  Instruction* a = inst->operands[0];
  Instruction* b = inst->operands[1];
  bool integer = IsIntegerOrPred(a);
  bool pred = a->shape.element_type() == ElementType::kPred;
  switch (inst->opcode) {
    case Opcode::kMultiply:
      if (IsAll(b, 1)) return a;
      if (IsAll(a, 1)) return b;
      if (integer && IsAll(b, 0)) return b;
      if (integer && IsAll(a, 0)) return a;
      return nullptr;
    case Opcode::kDivide:
      return IsAll(b, 1) ? a : nullptr;
    case Opcode::kAdd:
      if (integer && IsAll(b, 0)) return a;
      return integer && IsAll(a, 0) ? b : nullptr;
    case Opcode::kSubtract:
      return integer && IsAll(b, 0) ? a : nullptr;
    case Opcode::kAnd:
      if (a == b) return a;
      if (pred && (IsAll(b, 1) || IsAll(a, 0))) return a;
      return pred && (IsAll(a, 1) || IsAll(b, 0)) ? b : nullptr;
    case Opcode::kOr:
      if (a == b) return a;
      if (pred && (IsAll(b, 0) || IsAll(a, 1))) return a;
      return pred && (IsAll(a, 0) || IsAll(b, 1)) ? b : nullptr;
    case Opcode::kMaximum:
    case Opcode::kMinimum:
      return a == b ? a : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Instruction* SimplifyArithmetic(Rewriter&, Instruction* inst) {
  switch (inst->opcode) {
    case Opcode::kConvert:
      return inst->operands[0]->shape.element_type() == inst->shape.element_type()
                 ? inst->operands[0]
                 : nullptr;
    case Opcode::kBitcastConvert:
      return inst->operands[0]->shape == inst->shape ? inst->operands[0] : nullptr;
    case Opcode::kNegate:
      // This type has no negative values: each becomes NaN.
      if (inst->shape.element_type() == ElementType::kF8E8M0FNU) return nullptr;
      [[fallthrough]];
    case Opcode::kNot:
      return inst->operands[0]->opcode == inst->opcode ? inst->operands[0]->operands[0] : nullptr;
    case Opcode::kReal:
      return inst->operands[0]->opcode == Opcode::kComplex ? inst->operands[0]->operands[0]
                                                           : nullptr;
    case Opcode::kImag:
      return inst->operands[0]->opcode == Opcode::kComplex ? inst->operands[0]->operands[1]
                                                           : nullptr;
    case Opcode::kSelect: {
      if (inst->operands[1] == inst->operands[2]) return inst->operands[1];
      if (IsAll(inst->operands[0], 1)) return inst->operands[1];
      if (IsAll(inst->operands[0], 0)) return inst->operands[2];
      if (inst->shape.element_type() == ElementType::kPred && IsAll(inst->operands[1], 1) &&
          IsAll(inst->operands[2], 0)) {
        return inst->operands[0];
      }
      return nullptr;
    }
    default:
      return inst->operands.size() == 2 && hlo::RowOf(inst->opcode).elementwise
                 ? SimplifyBinary(inst)
                 : nullptr;
  }
}

}  // namespace halyard::lowering
