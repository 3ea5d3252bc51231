// Integer semantics on Halide's Int and UInt expressions. Everything wraps (it is computed
// unsigned, because Halide treats signed overflow as undefined), division truncates and never
// traps, and shifts past the width are defined. Operands and results hold exactly the value of an
// element type of `bits` <= their width; see Wrap.
#ifndef HALYARD_LOWERING_NUMERICS_INTEGER_OPS_H_
#define HALYARD_LOWERING_NUMERICS_INTEGER_OPS_H_

#include "Halide.h"

namespace halyard::lowering::numerics {

// Returns a constant of UInt(32).
inline Halide::Expr Word(uint32_t value) {
  return Halide::Internal::UIntImm::make(Halide::UInt(32), value);
}

// Returns the low `bits` of x, sign- or zero-extended to x's own width.
Halide::Expr Wrap(const Halide::Expr& x, int bits);

// Returns the low bits of x as a number of `type`. Halide treats a value that int32 or int64 do not
// hold as undefined: from bounds of x that it knows, it would conclude which values the result has.
Halide::Expr WrappingCast(const Halide::Type& type, const Halide::Expr& x);
Halide::Expr WrappingAdd(const Halide::Expr& a, const Halide::Expr& b);
Halide::Expr WrappingSubtract(const Halide::Expr& a, const Halide::Expr& b);
Halide::Expr WrappingMultiply(const Halide::Expr& a, const Halide::Expr& b);
Halide::Expr WrappingNegate(const Halide::Expr& a);
Halide::Expr BitAnd(const Halide::Expr& a, const Halide::Expr& b);
// x / 0 is -1 (all ones), and x % 0 is x. INT_MIN / -1 is INT_MIN, and INT_MIN % -1 is 0. Divide
// may need a Wrap.
Halide::Expr Divide(const Halide::Expr& a, const Halide::Expr& b);
Halide::Expr Modulo(const Halide::Expr& a, const Halide::Expr& b);
// Computes the power by squaring. Negative exponents give 1 and -1 by parity, and otherwise 0.
// Needs a Wrap.
Halide::Expr Power(const Halide::Expr& base, const Halide::Expr& exponent, int bits);
// Amounts count as unsigned numbers of `bits` bits. ShiftLeft and ShiftRightLogical need a Wrap.
Halide::Expr ShiftLeft(const Halide::Expr& a, const Halide::Expr& amount, int bits);
Halide::Expr ShiftRightArithmetic(const Halide::Expr& a, const Halide::Expr& amount, int bits);
Halide::Expr ShiftRightLogical(const Halide::Expr& a, const Halide::Expr& amount, int bits);
Halide::Expr PopulationCount(const Halide::Expr& a, int bits);
Halide::Expr CountLeadingZeros(const Halide::Expr& a, int bits);

// Returns a == b. Halide looks at a - b, and refuses signed constants whose difference overflows:
// indices become constants where loops are unrolled.
Halide::Expr Equal(const Halide::Expr& a, const Halide::Expr& b);

// Returns a < b, in a form that Mesa's compiler gets right.
Halide::Expr Less(const Halide::Expr& a, const Halide::Expr& b);

// Returns whether the expression is the same at every index.
bool IsUniform(const Halide::Expr& e);
// Selects bits with a mask. If the condition of a select is uniform, Halide computes what only one
// side needs within an `if` of that condition. Around a stage of a GPU kernel, that `if` is host
// code, which cannot read what the condition reads. A mask has no `if`.
Halide::Expr MaskedSelect(const Halide::Expr& condition, const Halide::Expr& yes,
                          const Halide::Expr& no);

// Returns the same value (as an |x - 0| that compilers remove), but Halide's bounds inference does
// not know that it is a single value. Halide takes expressions of known single values apart as
// often as their parts are used, in exponential time.
Halide::Expr Opaque(const Halide::Expr& x);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_INTEGER_OPS_H_
