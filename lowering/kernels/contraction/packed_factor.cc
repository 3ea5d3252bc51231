#include "lowering/kernels/contraction/packed_factor.h"

#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {
using hlo::Instruction;
using hlo::Opcode;

int64_t OperandMadeFrom(const Instruction& op) {
  int64_t from = -1;
  if (!hlo::RowOf(op.opcode).elementwise) return from;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (op.operand(i)->opcode == Opcode::kBroadcast) continue;
    if (from >= 0) return -1;
    from = static_cast<int64_t>(i);
  }
  return from;
}

// Returns the packed array that is the factor, or of which it is made. Null: the factor has none.
static const Instruction* PackedArrayOf(const Instruction& factor) {
  const Instruction* array = &factor;
  for (int64_t from; (from = OperandMadeFrom(*array)) >= 0;) array = array->operand(from);
  if (array->opcode == Opcode::kSlice) array = array->operand(0);
  return IsPackedFactor(*array) ? array : nullptr;
}

int64_t PanelTerms(const Instruction& factor) {
  const Instruction* whole = PackedArrayOf(factor);
  if (whole == nullptr) return 1;
  const hlo::Shape& rows = whole->operand(0)->shape;  // [k… / terms, terms, n / width, width]
  return rows.rank() == whole->shape.rank() + 2 ? rows.dim(rows.rank() - 3) : 1;
}

int64_t PanelWidth(const Instruction& factor) {
  const Instruction* whole = PackedArrayOf(factor);
  return whole == nullptr ? 0 : whole->operand(0)->shape.dims().back();
}

}  // namespace halyard::lowering
