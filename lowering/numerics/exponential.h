// The cores of exp and log, for functions built on them.
#ifndef HALYARD_LOWERING_NUMERICS_EXPONENTIAL_H_
#define HALYARD_LOWERING_NUMERICS_EXPONENTIAL_H_

#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

// x = n ln 2 + r, |r| <= ln 2 / 2 (a little more for rounding). n is lifted by twice the bias.
struct ExpReduction {
  Fp r;
  Rounded n;
};
ExpReduction ReduceExp(const Fp& x);
// exp(r) - 1 and exp(r) on the reduced range.
Fp Expm1Reduced(const Fp& r);
Fp ExpReduced(const Fp& r);
// Returns p * 2^n for n up to twice the exponent's range, with one rounding if the result is
// denormal. The low bits of `exponent` (Rounded::sum) are n, lifted by twice the bias.
Fp Scale(const Fp& p, const Halide::Expr& exponent);
// The range beyond which exp certainly overflows or rounds to zero. Arguments may be clamped to it.
struct Range {
  double lo;
  double hi;
};
Range ExpRange(const Fp& like);

// e^x = mantissa * 2^n, as far as products with numbers of magnitude 1 at most need it: beyond the
// type's own range at the upper end. NaN is in the mantissa.
struct WideExp {
  Fp mantissa;
  Halide::Expr exponent;  // n as Scale takes it
};
WideExp ExpParts(const Fp& x);
// Returns e^x * factor * 2^shift, where |factor| <= 1 and |shift| <= 1. It overflows and underflows
// where that product does, and is rounded twice.
Fp Times(const WideExp& exp, const Fp& factor, int shift = 0);

// A positive finite x = (1 + f) 2^k, with sqrt(1/2) <= 1 + f <= sqrt(2). x may be denormal.
struct LogReduction {
  Fp f;
  Fp k;
  Halide::Expr k_integer;  // Int(32)
};
LogReduction ReduceLog(const Fp& x);
// k ln 2 + log(1 + f).
Fp LogReduced(const Fp& f, const Fp& k);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_EXPONENTIAL_H_
