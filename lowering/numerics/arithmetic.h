// The basic float operations as HLO has them, with what literal operands need: compilers behind
// Vulkan fold x * 0, x + 0, 0 / x and the like whatever the strictness asked for, so that these
// become selects.
#ifndef HALYARD_LOWERING_NUMERICS_ARITHMETIC_H_
#define HALYARD_LOWERING_NUMERICS_ARITHMETIC_H_

#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

Fp Add(const Fp& a, const Fp& b);
Fp Subtract(const Fp& a, const Fp& b);
Fp Multiply(const Fp& a, const Fp& b);
Fp Divide(const Fp& a, const Fp& b);
// IEEE 754-2019 maximum and minimum: NaN if an operand is, -0 < +0.
Fp Maximum(const Fp& a, const Fp& b);
Fp Minimum(const Fp& a, const Fp& b);
Fp SignOf(const Fp& x);
// Integers of the float's width that sort as totalOrder does.
Halide::Expr TotalOrderKey(const Fp& x);
// Toward zero; past the range of a `bits` wide integer the nearest end of it, NaN to 0. Result: Int
// or UInt of at least 8 bits.
Halide::Expr ToInteger(const Fp& x, int bits, bool is_signed);
// An Int or UInt rounded once to float, ties to even. With `sticky` the result is for rounding on
// to at most 11 bits: exact in its first 13 bits, and odd in the last of those when inexact.
Fp FromInteger(const Halide::Expr& value, bool single, bool sticky);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_ARITHMETIC_H_
