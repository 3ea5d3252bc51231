// Inverse trigonometric functions by atan2, hyperbolic ones by expm1 and log1p.
#include <limits>
#include <numbers>

#include "frontend/stablehlo/chlo/expand.h"

namespace halyard::stablehlo {

namespace {

// √(1 - x²), without loss near ±1.
Term OneMinusSquareRoot(Term x) { return Sqrt((1 - x) * (x + 1)); }

// From here on 1 is lost beside x².
double LargeForLog(Term x) { return x.is_double() ? 0x1p28 : 0x1p13; }

// e^-2x is lost beside 1, and e^x still finite.
double LargeExponent(Term x) { return x.is_double() ? 20 : 10; }

}  // namespace

Term Asin(Term x) { return Atan2(x, OneMinusSquareRoot(x)); }
Term Acos(Term x) { return Atan2(OneMinusSquareRoot(x), x); }
Term Atan(Term x) { return Atan2(x, Like(x, 1)); }

// e^a / 2 of a > LargeExponent, which overflows only where the result does: a - c is exact, and
// e^c / 2 is so little above 1 that exp's error stays what it is.
Term HalfExp(Term a) {
  constexpr double kC = 89.0 / 128, kHalfExpC = 1.0021676654371655620;
  return Exp(a - kC) * kHalfExpC;
}

Term Sinh(Term x) {
  Term a = Abs(x);
  Term t = Expm1(a);
  Term small = (t + t / (t + 1)) * 0.5;
  return Sign(x) * Select(a > LargeExponent(x), HalfExp(a), small);
}

Term Cosh(Term x) {
  Term a = Abs(x);
  Term e = Exp(a);
  return Select(a > LargeExponent(x), HalfExp(a), e * 0.5 + 0.5 / e);
}

Term Asinh(Term x) {
  Term a = Abs(x);
  Term square = a * a;
  Term small = Log1p(a + square / (Sqrt(square + 1) + 1));
  return Sign(x) * Select(a > LargeForLog(x), Log(a) + std::numbers::ln2, small);
}

Term Acosh(Term x) {
  Term t = x - 1;
  Term small = Log1p(t + Sqrt(t * (x + 1)));
  Term value = Select(x > LargeForLog(x), Log(x) + std::numbers::ln2, small);
  return Select(x < 1, std::numeric_limits<double>::quiet_NaN(), value);
}

Term Atanh(Term x) {
  Term a = Abs(x);
  return Sign(x) * (Log1p((a + a) / (1 - a)) * 0.5);
}

}  // namespace halyard::stablehlo
