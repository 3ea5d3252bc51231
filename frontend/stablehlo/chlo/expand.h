// CHLO's functions of floats and complex numbers, as graphs of other ops. Arguments and results are
// f32, f64, or complex numbers of these; the caller widens narrower types. For accuracy and special
// values, see docs/numerics.md, section CHLO.
#ifndef HALYARD_FRONTEND_STABLEHLO_CHLO_EXPAND_H_
#define HALYARD_FRONTEND_STABLEHLO_CHLO_EXPAND_H_

#include "absl/strings/string_view.h"
#include "frontend/stablehlo/graph.h"

namespace halyard::stablehlo {

// expand_trigonometric.cc
Term Asin(Term x);
Term Acos(Term x);
Term Atan(Term x);
Term Sinh(Term x);
Term Cosh(Term x);
Term Asinh(Term x);
Term Acosh(Term x);
Term Atanh(Term x);

// expand_complex.cc. The parts of the kernel's argument are not negative: see the dialect's
// description of _asin_acos_kernel.
Term AsinAcosKernel(Term z);
Term ComplexAsin(Term z);
Term ComplexAcos(Term z);
Term ComplexAtan(Term z);
Term ComplexSinh(Term z);
Term ComplexCosh(Term z);
Term ComplexAsinh(Term z);
Term ComplexAcosh(Term z);
Term ComplexAtanh(Term z);
Term ComplexSquare(Term z);

// expand_special.cc. The first four are StableHLO's.
Term Exp2(Term x);
Term Log2(Term x);
Term ComplexExp2(Term z);
Term ComplexLog2(Term z);
Term Erfc(Term x);
Term ErfInv(Term x);
Term BesselI1e(Term x);

// expand_gamma.cc
Term Lgamma(Term x);
Term Digamma(Term x);
Term Zeta(Term x, Term q);  // Hurwitz: Σ (q + k)^-x
Term Polygamma(Term n, Term x);

// expand_bits.cc: of any type of floats or integers, as it is
Term NextAfter(Term x, Term y);
Term MulHigh(Term x, Term y);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_CHLO_EXPAND_H_
