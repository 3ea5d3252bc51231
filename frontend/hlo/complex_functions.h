// Functions of complex numbers as the evaluator has them: computed in long double, whose range and
// precision leave nothing to be careful about, and rounded once. Special values are those of C
// (ISO/IEC 9899:2018, Annex G) for the functions that it has, else as docs/numerics.md says.
#ifndef HALYARD_FRONTEND_HLO_COMPLEX_FUNCTIONS_H_
#define HALYARD_FRONTEND_HLO_COMPLEX_FUNCTIONS_H_

#include <complex>

namespace halyard::hlo::complex_functions {

using C = std::complex<double>;

// As it stands, NaN where infinities meet: the language's own product looks for infinities.
inline C Multiply(C a, C b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// By zero: each part by the zero; a finite value by an infinite one: 0; an infinite one by a finite
// one is infinite, though its other part be NaN.
C Divide(C a, C b);
C Remainder(C a, C b);  // a - b q, q the quotient with both parts truncated
C Sign(C x);            // x / |x|; 0 of 0; NaN of NaN
C Exp(C x);
C Expm1(C x);
C Log(C x);
C Log1p(C x);
C Logistic(C x);
C Tanh(C x);
C Sqrt(C x);
C Rsqrt(C x);
C Cbrt(C x);  // the principal root
C Sin(C x);
C Cos(C x);
C Tan(C x);
C Power(C a, C b);  // exp(b log a); a^0 = 1, 0^b = 0
C Atan2(C y, C x);  // -i log((x + i y) / sqrt(x^2 + y^2))

}  // namespace halyard::hlo::complex_functions

#endif  // HALYARD_FRONTEND_HLO_COMPLEX_FUNCTIONS_H_
