// Powers and logarithms of base 2; the error function's relatives and a Bessel function, by
// polynomials of our own.
#include <cmath>
#include <limits>

#include "frontend/stablehlo/chlo/coefficients.h"
#include "frontend/stablehlo/chlo/expand.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Opcode;

namespace {

// x with half the type's significant bits, so that its square is exact.
Term UpperHalf(Term x) {
  AttrMap attrs;
  attrs.Set(Attr::kExponentBits, int64_t{x.is_double() ? 11 : 8});
  attrs.Set(Attr::kMantissaBits, int64_t{x.is_double() ? 25 : 11});
  return x.graph->Add(Opcode::kReducePrecision, {x}, std::move(attrs));
}

// exp(-x²): rounding x² would cost x² units of the last place.
Term ExpOfMinusSquare(Term x) {
  Term high = UpperHalf(x);
  return Exp(-(high * high)) * Exp((high - x) * (high + x));
}

template <size_t n32, size_t n64>
Term Fitted(Term x, const double (&f32)[n32], const double (&f64)[n64]) {
  return x.is_double() ? Polynomial(x, f64) : Polynomial(x, f32);
}

}  // namespace

Term Exp2(Term x) { return Power(Like(x, 2), x); }
Term Log2(Term x) { return Log(x) / M_LN2; }
Term ComplexExp2(Term z) { return Power(Like(z, 2), z); }
Term ComplexLog2(Term z) {
  Term log = Log(z);
  return Complex(Real(log) / M_LN2, Imag(log) / M_LN2);
}

// 1 - erf(x) below 0.5; beyond, (1 + 2x) exp(x²) erfc(x) is smooth in (x - 4) / (x + 4).
Term Erfc(Term x) {
  Term a = Minimum(Abs(x), Like(x, 28));  // no square overflows
  Term scaled = Fitted((a - 4) / (a + 4), kErfcScaledF32, kErfcScaledF64);
  Term tail = ExpOfMinusSquare(a) * (scaled / (a + a + 1));
  Term value = Select(x < 0, 2 - tail, tail);
  return Select(Abs(x) < 0.5, 1 - Unary(Opcode::kErf, x), value);
}

// erf⁻¹(x) / x is smooth in w = -log(1 - x²), and in √w where that is large: M. Giles,
// "Approximating the erfinv function" (GPU Computing Gems, 2012).
Term ErfInv(Term x) {
  Term a = Abs(x);
  Term w = -Select(a > 0.5, Log((1 - a) * (a + 1)), Log1p(-(x * x)));
  Term root = Sqrt(w);
  Term factor = Fitted(root - 3.2, kErfInvMiddleF32, kErfInvMiddleF64);
  if (x.is_double()) {
    factor = Select(root > 4.1, Polynomial(root - 5, kErfInvTailF64), factor);
  }
  factor = Select(w < 5, Fitted(w - 2.5, kErfInvCentralF32, kErfInvCentralF64), factor);
  return x * Select(a == 1, std::numeric_limits<double>::infinity(), factor);
}

// exp(-|x|) I1(x): I1(x) / x is a polynomial of x², exp(-x) I1(x) √x one of 1/x.
Term BesselI1e(Term x) {
  Term a = Abs(x);
  Term bounded = Minimum(a, Like(x, 8));
  Term small =
      bounded * Exp(-bounded) * Fitted(bounded * bounded, kBesselI1SmallF32, kBesselI1SmallF64);
  Term large = Fitted(1 / Maximum(a, Like(x, 8)), kBesselI1LargeF32, kBesselI1LargeF64) / Sqrt(a);
  return Sign(x) * Select(a > 8, large, small);
}

}  // namespace halyard::stablehlo
