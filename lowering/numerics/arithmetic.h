// The basic float operations as HLO defines them, with what literal operands need. The compilers
// behind Vulkan fold x * 0, x + 0, 0 / x and similar operations whatever strictness is asked for,
// so these become selects.
#ifndef HALYARD_LOWERING_NUMERICS_ARITHMETIC_H_
#define HALYARD_LOWERING_NUMERICS_ARITHMETIC_H_

#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

Fp Add(const Fp& a, const Fp& b);
Fp Subtract(const Fp& a, const Fp& b);
Fp Multiply(const Fp& a, const Fp& b);
Fp Divide(const Fp& a, const Fp& b);
// IEEE 754-2019 maximum and minimum: NaN if an operand is NaN; -0 < +0.
Fp Maximum(const Fp& a, const Fp& b);
Fp Minimum(const Fp& a, const Fp& b);
Fp SignOf(const Fp& x);
// Returns integers of the float's width that sort as totalOrder does.
Halide::Expr TotalOrderKey(const Fp& x);
// Returns integers of the float's width whose maximum (or minimum, if not `greatest`) is that of
// the values as Maximum and Minimum define it: NaN of either sign comes first. Integers take one
// instruction each, where floats take several for NaN and zeros.
Halide::Expr ExtremeKey(const Fp& x, bool greatest);
Fp OfExtremeKey(const Halide::Expr& key, bool greatest);
// Rounds toward zero. A value past the range of a `bits` wide integer becomes the nearest end of
// the range, and NaN becomes 0. The result is an Int or UInt of at least 8 bits. `is_within` says
// that x is NaN or within the range already.
Halide::Expr ToInteger(const Fp& x, int bits, bool is_signed, bool is_within = false);
// Rounds an Int or UInt once to float, ties to even. With `sticky`, the result is meant for another
// rounding to at most 11 bits: it is exact in its first 13 bits, and odd in the last of those if it
// is inexact.
Fp FromInteger(const Halide::Expr& value, bool single, bool sticky);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_ARITHMETIC_H_
