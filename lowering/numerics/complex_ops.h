// Complex functions on pairs of Float(32) or Float(64) expressions. Special values are those of C
// (ISO/IEC 9899:2018, Annex G) for the functions that C has, and otherwise as stated here. Errors
// are small relative to the result's modulus, but not in each part. This also holds near overflow
// and underflow.
#ifndef HALYARD_LOWERING_NUMERICS_COMPLEX_OPS_H_
#define HALYARD_LOWERING_NUMERICS_COMPLEX_OPS_H_

#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

struct Complex {
  Fp re;
  Fp im;
};

Complex Add(const Complex& a, const Complex& b);
Complex Subtract(const Complex& a, const Complex& b);
Complex Multiply(const Complex& a, const Complex& b);  // (ac - bd) + (ad + bc) i, exactly by this
                                                       // formula
// Smith's division, scaled: it neither overflows nor underflows before the result does. Division by
// zero divides each part by the zero re. A finite value divided by an infinite one is 0, and an
// infinite value divided by a finite one is infinite.
Complex Divide(const Complex& a, const Complex& b);
Complex RemainderOf(const Complex& a,
                    const Complex& b);  // a - b q, where q is the quotient with both parts
                                        // truncated
Complex Negate(const Complex& a);
Complex SignOf(const Complex& a);  // a / |a|; 0 for 0; NaN for NaN
Complex Exp(const Complex& a);
Complex Expm1(const Complex& a);
Complex Log(const Complex& a);  // also accurate for a modulus near 1
Complex Log1p(const Complex& a);
Complex Logistic(const Complex& a);
Complex Tanh(const Complex& a);
Complex Sqrt(const Complex& a);  // the root with re >= 0
Complex Rsqrt(const Complex& a);
Complex Cbrt(const Complex& a);  // the principal root
Complex Sin(const Complex& a);
Complex Cos(const Complex& a);
Complex Tan(const Complex& a);
Complex Pow(const Complex& a, const Complex& b);    // exp(b log a); a^0 = 1, 0^b = 0
Complex Atan2(const Complex& y, const Complex& x);  // -i log((x + i y) / sqrt(x^2 + y^2))
Halide::Expr Equal(const Complex& a, const Complex& b);
Halide::Expr Less(const Complex& a, const Complex& b);  // lexicographic
Complex Select(const Halide::Expr& condition, const Complex& yes, const Complex& no);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_COMPLEX_OPS_H_
