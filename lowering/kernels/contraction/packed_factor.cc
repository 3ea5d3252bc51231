#include "lowering/kernels/contraction/packed_factor.h"

#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {
namespace {

using hlo::Instruction;
using hlo::Opcode;

// Returns the packed array that the factor is, or is made of; null if there is none.
const Instruction* PackedArrayOf(const Instruction& factor) {
  const Instruction* array = &factor;
  while (hlo::RowOf(array->opcode).elementwise) {
    // What is broadcast scales elements, and others are not known to be one array.
    const Instruction* next = nullptr;
    for (const Instruction* operand : array->operands) {
      if (operand->opcode == Opcode::kBroadcast) continue;
      if (next != nullptr) return nullptr;
      next = operand;
    }
    if (next == nullptr) return nullptr;
    array = next;
  }
  if (array->opcode == Opcode::kSlice) array = array->operand(0);
  return IsPackedFactor(*array) ? array : nullptr;
}

}  // namespace

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
