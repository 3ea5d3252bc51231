// Functions of complex numbers. Inverse ones: T. E. Hull, T. F. Fairgrieve, P. T. P. Tang,
// "Implementing the complex arcsine and arccosine functions using exception handling" (ACM TOMS 23,
// 1997), with selects instead of exceptions; W. Kahan, "Branch cuts for complex elementary
// functions" (1987).
#include <cfloat>
#include <cmath>
#include <numbers>

#include "frontend/stablehlo/chlo/expand.h"

namespace halyard::stablehlo {

using hlo::ElementType;
using hlo::Opcode;

namespace {

constexpr double kHalfPi = std::numbers::pi / 2;

double Smallest(Term x) { return x.is_double() ? DBL_MIN : FLT_MIN; }
// Squares of larger numbers, and of their sums, may overflow.
double Large(Term x) { return x.is_double() ? 0x1p508 : 0x1p60; }

// The imaginary parts of asin and its kin. On their branch cuts, -0 counts as 0, as in JAX.
Term SignOf(Term x) { return Select(x < 0, Like(x, -1), Like(x, 1)); }

// 1 or -1, by the sign bit.
Term SignOne(Term x) {
  const ElementType bits = x.is_double() ? ElementType::kS64 : ElementType::kS32;
  Term negative = BitcastTo(x, bits) < 0;
  return Select(negative, Like(x, -1), Like(x, 1));
}

Term Hypot(Term x, Term y) { return Abs(Complex(x, y)); }

struct Pair {
  Term re, im;
};

// The kernel of x + iy for x, y >= 0, in the paper's words: re = √(a² - x²), im = log(a + √(a² -
// 1)), where 2a = |z + 1| + |z - 1|.
Pair Kernel(Term x, Term y) {
  Term r = Hypot(x + 1, y);
  Term s = Hypot(x - 1, y);
  Term a = (r + s) * 0.5;
  Term inside = x < 1;
  Term distance = Abs(x - 1);
  // a - 1 or a - x, whichever is a product of y²: y² (1 / (r + x + 1) + 1 / (s + |x - 1|)) / 2.
  Term near = Maximum(s + distance, Like(x, Smallest(x)));
  Term quotient = (1 / (r + (x + 1)) + 1 / near) * 0.5;
  // The other of them: (y² / (r + x + 1) + s + |x - 1|) / 2.
  Term other = (y * (y / (r + (x + 1))) + (s + distance)) * 0.5;
  Term ax = a + x, a1 = a + 1;
  Term re = Select(inside, Sqrt(other * ax), y * Sqrt(quotient * ax));
  Term im =
      Log1p(Select(inside, y * (y * quotient) + y * Sqrt(quotient * a1), other + Sqrt(other * a1)));
  Term high = Maximum(x, y), low = Minimum(x, y);
  Term infinite = low == high;  // ∞/∞ is not a number
  Term ratio = Select(infinite, Like(x, 1), low / high);
  Term large = high > Large(x);
  Term far = Log(high) + (Log1p(ratio * ratio) * 0.5 + std::numbers::ln2);
  return {Select(large, y, re), Select(large, far, im)};
}

Pair PartsOf(Term z) { return {Real(z), Imag(z)}; }

// asin's parts: those of asinh are the same of iz, turned back.
Pair AsinParts(Term x, Term y) {
  Pair w = Kernel(Abs(x), Abs(y));
  return {Atan2(x, w.re), SignOf(y) * w.im};
}

// atanh(z) = (log1p(4x / ((1-x)² + y²)) / 2 + i atan2(2y, (1-x)(1+x) - y²)) / 2
Pair AtanhParts(Term x, Term y) {
  Term a = Abs(x), b = Abs(y);
  Term high = Maximum(a, b);
  Term large = high > (x.is_double() ? 0x1p55 : 0x1p26);
  Term u = 1 - a;
  // Scaled by the larger of 1 - x and y, so that no square underflows.
  Term scale = Maximum(Maximum(Abs(u), b), Like(x, Smallest(x)));
  Term us = u / scale, bs = b / scale;
  Term re = Log1p(a / scale / (us * us + bs * bs) / scale * 4) * 0.25;
  Term im = Atan2(b + b, u * (a + 1) - b * b) * 0.5;
  // x / |z|², π/2
  Term ratio = Select((a == high) & (b == high), Like(x, 1), Minimum(a, b) / high);
  Term far = a / high / (ratio * ratio + 1) / high;
  Term infinite = high == HUGE_VAL;
  return {Sign(x) * Select(infinite, Like(x, 0), Select(large, far, re)),
          SignOne(y) * Select(large, Like(x, kHalfPi), im)};
}

}  // namespace

Term AsinAcosKernel(Term z) {
  Pair w = Kernel(Abs(Real(z)), Abs(Imag(z)));
  return Complex(w.re, w.im);
}

Term ComplexAsin(Term z) {
  Pair p = PartsOf(z);
  Pair w = AsinParts(p.re, p.im);
  return Complex(w.re, w.im);
}

Term ComplexAcos(Term z) {
  Pair p = PartsOf(z);
  Pair w = Kernel(Abs(p.re), Abs(p.im));
  return Complex(Atan2(w.re, p.re), -(SignOf(p.im) * w.im));
}

Term ComplexAcosh(Term z) {
  Pair p = PartsOf(z);
  Pair w = Kernel(Abs(p.re), Abs(p.im));
  return Complex(w.im, SignOf(p.im) * Atan2(w.re, p.re));
}

// asinh(z) = -i asin(iz)
Term ComplexAsinh(Term z) {
  Pair p = PartsOf(z);
  Pair w = AsinParts(p.im, p.re);
  return Complex(w.im, w.re);
}

Term ComplexAtanh(Term z) {
  Pair p = PartsOf(z);
  Pair w = AtanhParts(p.re, p.im);
  return Complex(w.re, w.im);
}

// atan(z) = -i atanh(iz)
Term ComplexAtan(Term z) {
  Pair p = PartsOf(z);
  Pair w = AtanhParts(p.im, p.re);
  return Complex(w.im, w.re);
}

// sinh z = -i sin iz, cosh z = cos iz: as sine and cosine, they overflow only where the result
// does.
Term ComplexSinh(Term z) {
  Pair p = PartsOf(z);
  Pair w = PartsOf(Unary(Opcode::kSin, Complex(-p.im, p.re)));
  return Complex(w.im, -w.re);
}

Term ComplexCosh(Term z) {
  Pair p = PartsOf(z);
  return Unary(Opcode::kCos, Complex(-p.im, p.re));
}

// x² - y² as (x - y)(x + y), which neither cancels nor overflows before the result does: 0 where
// the parts are equal, unless both are infinite.
Term ComplexSquare(Term z) {
  Pair p = PartsOf(z);
  Term x = Abs(p.re);
  Term equal = (x == Abs(p.im)) & (x < HUGE_VAL);
  Term re = Select(equal, 0, (p.re - p.im) * (p.re + p.im));
  return Complex(re, p.re * p.im * 2);
}

}  // namespace halyard::stablehlo
