// sort-pass: one pass of a sorting network along the last dimension (semantics:
// frontend/hlo/sort_pass.cc). Each output element finds its partner and takes whichever of the two
// belongs here.

#include "lowering/emitter.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Instruction;

std::vector<Value> LowerSortPass(Emitter& emitter, const Instruction& inst,
                                 const LogicalIndex& index) {
  const size_t n = inst.operands.size() - 2;
  const Instruction *table = inst.operand(n), *pass_index = inst.operand(n + 1);
  const int32_t length = static_cast<int32_t>(inst.operand(0)->shape.dims().back());
  const Expr pass = ClampedIndex(emitter.At(pass_index, {}), table->shape.dim(0) - 1);
  const Expr p = Halide::cast<int32_t>(emitter.At(table, {pass, Expr(0)}).re);
  const Expr r = Halide::cast<int32_t>(emitter.At(table, {pass, Expr(1)}).re);
  const Expr d = Halide::cast<int32_t>(emitter.At(table, {pass, Expr(2)}).re);
  const Expr j = index.back();
  const Expr is_low = (j & p) == r && j + d < length;
  const Expr is_high = j >= d && ((j - d) & p) == r;
  const Expr low = ClampInt(Halide::select(is_low, j, is_high, j - d, j), 0, length - 1);
  const Expr high = ClampInt(Halide::select(is_low, j + d, j), 0, length - 1);

  std::vector<Value> arguments, low_values, high_values;
  for (size_t k = 0; k < n; ++k) {
    LogicalIndex at = index;
    at.back() = low;
    low_values.push_back(emitter.At(inst.operand(k), at));
    at.back() = high;
    high_values.push_back(emitter.At(inst.operand(k), at));
    arguments.push_back(high_values.back());
    arguments.push_back(low_values.back());
  }
  const Expr swap = emitter.Apply(*inst.called[0], arguments)[0].re;
  // A low place takes the high element when they swap; a high place keeps it otherwise; others have
  // low = high = j.
  const Expr take_high = Halide::select(is_low, swap, is_high, !swap, swap);
  std::vector<Value> leaves;
  for (size_t k = 0; k < n; ++k)
    leaves.push_back(SelectValue(take_high, high_values[k], low_values[k]));
  return leaves;
}

}  // namespace halyard::lowering
