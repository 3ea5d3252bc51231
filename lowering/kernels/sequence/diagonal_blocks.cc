// cholesky-block and triangular-block: the steps of an elimination, in place (semantics:
// frontend/hlo/evaluate/linear_algebra.cc).

#include <limits>

#include "lowering/kernels/emitter.h"
#include "lowering/numerics/float_ops.h"

namespace halyard::lowering {

using Halide::Expr;
using hlo::Instruction;
using numerics::Fp;

namespace {

Expr NegativePart(const Expr& part) { return part.defined() ? Negate(Fp{part}).e : part; }
Value Conjugate(const Value& x) { return {x.type, x.re, NegativePart(x.im)}; }
Value Negative(const Value& x) { return {x.type, NegativePart(x.re), NegativePart(x.im)}; }

// Returns x / d for a real d.
Value DivideByReal(const Value& x, const Fp& d) {
  return {x.type, (Fp{x.re} / d).e, x.im.defined() ? (Fp{x.im} / d).e : x.im};
}

// Returns NaN if the pivot is not positive. It spreads to everything that is computed from it.
Fp Pivot(const Value& diagonal) {
  const Fp p{diagonal.re};
  return numerics::Select(numerics::Gt(p, 0.0), p, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

// Rows of U times their own diagonal elements first, so that a step takes no row that it changes:
//   v(i, c) −= conj(v(k, i))·v(k, c) / v(k, k) for all i, c of the upper triangle behind k.
// Then each row is divided by the root of its diagonal element, and that is replaced at last.
void LowerCholeskyBlock(Emitter&, const Instruction& inst, Sequence* sequence) {
  const int64_t n = inst.shape.dim(1);
  sequence->is_axis = {false, false, true};
  SequencePhase eliminate;
  eliminate.extents = {n, n, n};  // c, i, k
  eliminate.independent = 2;
  eliminate.step = [](const Indices& at, const Indices& r, const StateReader& state) {
    const Value pivot_row = state({r[0], r[2], at[2]})[0];
    const Value factor = DivideByReal(Conjugate(state({r[1], r[2], at[2]})[0]),
                                      Pivot(state({r[2], r[2], at[2]})[0]));
    const Value old = state({r[0], r[1], at[2]})[0];
    return SequenceStep{{r[0], r[1], at[2]},
                        {MultiplyAccumulate(old, Negative(factor), pivot_row)},
                        r[1] > r[2] && r[0] >= r[1]};
  };
  SequencePhase scale;
  scale.extents = {n, n};  // c, i
  scale.independent = 2;
  scale.step = [](const Indices& at, const Indices& r, const StateReader& state) {
    const Value old = state({r[0], r[1], at[2]})[0];
    const Fp root = numerics::Sqrt(Pivot(state({r[1], r[1], at[2]})[0]));
    return SequenceStep{{r[0], r[1], at[2]},
                        {SelectValue(r[0] > r[1], DivideByReal(old, root), Zero(old.type))},
                        r[0] != r[1]};
  };
  SequencePhase diagonal;
  diagonal.extents = {n};
  diagonal.independent = 1;
  diagonal.step = [](const Indices& at, const Indices& r, const StateReader& state) {
    const Value old = state({r[0], r[0], at[2]})[0];
    const Value value{old.type, numerics::Sqrt(Pivot(old)).e, Zero(old.type).im};
    return SequenceStep{{r[0], r[0], at[2]}, {value}, {}};
  };
  sequence->phases = {eliminate, scale, diagonal};
}

// Columns of b are independent: x(j) −= a(j, k)·x(k) for all j behind k.
void LowerTriangularBlock(Emitter& emitter, const Instruction& inst, Sequence* sequence) {
  const int64_t n = inst.shape.dim(1);
  sequence->is_axis = {true, false, true};
  SequencePhase substitute;
  substitute.extents = {n, n};  // j, k
  substitute.independent = 1;
  substitute.step = [&emitter, &inst](const Indices& at, const Indices& r,
                                      const StateReader& state) {
    const Value a = emitter.At(inst.operand(1), {at[2], r[0], r[1]});
    const Value old = state({at[0], r[0], at[2]})[0], x = state({at[0], r[1], at[2]})[0];
    return SequenceStep{
        {at[0], r[0], at[2]}, {MultiplyAccumulate(old, Negative(a), x)}, r[0] > r[1]};
  };
  sequence->phases = {substitute};
}

}  // namespace halyard::lowering
