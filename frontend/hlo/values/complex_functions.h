// Functions of complex numbers for the evaluator. They are computed in long double, whose range and
// precision need no special care, and rounded once. Special values are those of C (ISO/IEC
// 9899:2018, Annex G) for the functions that C has, and otherwise as docs/numerics.md states.
#ifndef HALYARD_FRONTEND_HLO_VALUES_COMPLEX_FUNCTIONS_H_
#define HALYARD_FRONTEND_HLO_VALUES_COMPLEX_FUNCTIONS_H_

#include <complex>

namespace halyard::hlo::complex_functions {

using C = std::complex<double>;

// The plain formula, which gives NaN where infinities meet. The language's own product looks for
// infinities instead.
inline C Multiply(C a, C b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// Division by zero divides each part by the zero. A finite value divided by an infinite one is 0.
// An infinite value divided by a finite one is infinite, even if its other part is NaN.
C Divide(C a, C b);
C Remainder(C a, C b);  // a - b q, where q is the quotient with both parts truncated
C Sign(C x);            // x / |x|; 0 for 0; NaN for NaN
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

#endif  // HALYARD_FRONTEND_HLO_VALUES_COMPLEX_FUNCTIONS_H_
