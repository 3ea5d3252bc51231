// Transcendental functions of f32 and f64 as Halide expressions: our own argument reduction and
// polynomials in strict arithmetic, with selects for special values, and without branches or tables
// in memory. IEEE 754 special values (NaN, infinities, signed zeros, overflow and underflow) are as
// in the C library, and denormals are kept where the device keeps them. Errors: docs/numerics.md.
#ifndef HALYARD_LOWERING_NUMERICS_TRANSCENDENTAL_H_
#define HALYARD_LOWERING_NUMERICS_TRANSCENDENTAL_H_

#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

Fp Exp(const Fp& x);
Fp Expm1(const Fp& x);
Fp Log(const Fp& x);
Fp Log1p(const Fp& x);
Fp Logistic(const Fp& x);
Fp Tanh(const Fp& x);
Fp Erf(const Fp& x);
Fp Rsqrt(const Fp& x);
Fp Cbrt(const Fp& x);
Fp Pow(const Fp& x, const Fp& y);
Fp Atan2(const Fp& y, const Fp& x);
Fp Hypot(const Fp& x, const Fp& y);  // infinite if either is, without undue overflow or underflow

// Arguments of any size are reduced exactly (Payne and Hanek), so these functions keep their bounds
// everywhere.
Fp Sin(const Fp& x);
Fp Cos(const Fp& x);
Fp Tan(const Fp& x);
struct SinCosPair {
  Fp sin;
  Fp cos;
};
SinCosPair SinCos(const Fp& x);

// C's fmod, exact for every pair of operands.
Fp Remainder(const Fp& x, const Fp& y);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_TRANSCENDENTAL_H_
