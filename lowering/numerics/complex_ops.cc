#include "lowering/numerics/complex_ops.h"

#include <cmath>

#include "lowering/numerics/transcendental.h"

namespace halyard::lowering::numerics {

using Halide::Expr;

namespace {

Fp Zero(const Fp& like) { return like.Const(0.0); }
Complex One(const Complex& like) { return {like.re.Const(1.0), Zero(like.re)}; }
Complex TimesI(const Complex& a) { return {Negate(a.im), a.re}; }
Complex OverI(const Complex& a) { return {a.im, Negate(a.re)}; }
Expr IsInfinite(const Fp& x) { return Eq(Abs(x), HUGE_VAL); }

// log |z| for z = (re, im): near modulus 1 from |z|^2 - 1, which `excess` is.
Fp LogModulus(const Fp& re, const Fp& im, const Fp& excess) {
  Expr near = Lt(Abs(excess), 0.5);
  return Select(near, Log1p(excess) * 0.5, Log(Hypot(re, im)));
}

// sinh and cosh of x >= 0 by way of expm1; past exp's overflow from exp(x - 2), which then is exact
// enough.
struct Hyperbolic {
  Fp sinh;
  Fp cosh;
};
Hyperbolic SinhCosh(const Fp& x) {
  Fp a = Abs(x);
  Fp e = Expm1(Select(Lt(a, 40.0), a, 40.0));
  Fp sinh = (e + e / (e + 1.0)) * 0.5;
  Fp cosh = ((e + 1.0) + 1.0 / (e + 1.0)) * 0.5;
  Fp large = Exp(a - 2.0) * (M_E * M_E / 2);
  Expr small = Lt(a, 40.0);
  return {CopySign(Select(small, sinh, large), x), Select(small, cosh, large)};
}

}  // namespace

Complex Select(const Expr& condition, const Complex& yes, const Complex& no) {
  return {Select(condition, yes.re, no.re), Select(condition, yes.im, no.im)};
}

Complex Add(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
Complex Subtract(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
Complex Multiply(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Complex Negate(const Complex& a) { return {Negate(a.re), Negate(a.im)}; }

Complex Divide(const Complex& a, const Complex& b) {
  Expr steep = Lt(Abs(b.re), Abs(b.im));
  Fp large = Select(steep, b.im, b.re), small = Select(steep, b.re, b.im);
  Fp ratio = small / large;
  Fp denominator = large + small * ratio;
  Fp first = Select(steep, a.im, a.re), second = Select(steep, a.re, a.im);
  Fp re = (first + second * ratio) / denominator;
  Fp im = (second - first * ratio) / denominator;
  Complex result{re, Select(steep, Negate(im), im)};
  Expr zero = Eq(b.re, 0.0) && Eq(b.im, 0.0);
  result = Select(zero, Complex{a.re / b.re, a.im / b.re}, result);
  Expr vanishes = (IsInfinite(b.re) || IsInfinite(b.im)) && IsFinite(a.re) && IsFinite(a.im);
  return Select(vanishes, Complex{Zero(a.re), Zero(a.re)}, result);
}

Complex RemainderOf(const Complex& a, const Complex& b) {
  Complex q = Divide(a, b);
  auto truncate = [](const Fp& x) { return CopySign(Floor(Abs(x)), x); };
  return Subtract(a, Multiply(b, {truncate(q.re), truncate(q.im)}));
}

Complex SignOf(const Complex& a) {
  Fp modulus = Hypot(a.re, a.im);
  Complex result{a.re / modulus, a.im / modulus};
  result = Select(Eq(modulus, 0.0), Complex{Zero(a.re), Zero(a.re)}, result);
  Expr nan = IsNan(a.re) || IsNan(a.im);
  return Select(nan, Complex{Nan(a.re), Nan(a.re)}, result);
}

Complex Exp(const Complex& a) {
  // exp(re) may overflow where exp(re) cos(im) does not: of a large re, 32 is taken aside
  // (exactly).
  Expr large = Gt(a.re, 32.0);
  Fp modulus = Exp(Select(large, a.re - 32.0, a.re));
  Fp factor = Select(large, std::exp(32.0), a.re.Const(1.0));
  SinCosPair angle = SinCos(a.im);
  Complex result{(modulus * angle.cos) * factor, (modulus * angle.sin) * factor};
  result.im = Select(Eq(a.im, 0.0), a.im, result.im);
  return Select(Eq(a.re, -HUGE_VAL), Complex{Zero(a.re), Zero(a.re)}, result);
}

Complex Log(const Complex& a) {
  Fp x = Abs(a.re), y = Abs(a.im);
  Expr swap = Lt(x, y);
  Fp large = Select(swap, y, x), small = Select(swap, x, y);
  Double square = TwoProduct(large, large), other = TwoProduct(small, small);
  Double sum = TwoSum(square.hi - 1.0, other.hi);
  Fp excess = sum.hi + (sum.lo + (square.lo + other.lo));
  return {LogModulus(a.re, a.im, excess), Atan2(a.im, a.re)};
}

Complex Log1p(const Complex& a) {
  // |1 + a|^2 - 1 = 2 re + (re^2 + im^2).
  Double square = TwoProduct(a.re, a.re), other = TwoProduct(a.im, a.im);
  Double sum = TwoSum(square.hi, other.hi);
  Double total = TwoSum(a.re * 2.0, sum.hi);
  Fp excess = total.hi + (total.lo + (sum.lo + (square.lo + other.lo)));
  Fp re = a.re + 1.0;
  return {LogModulus(re, a.im, excess), Atan2(a.im, re)};
}

Complex Logistic(const Complex& a) {
  Complex e = Exp(Negate(a));
  return Divide(One(a), Add(One(a), e));
}

Complex Tanh(const Complex& a) {
  // (t + i u) / (1 + i t u) with t = tanh(re), u = tan(im); 1 - t^2 is the square of sech(re) = 2 e
  // / (1 + e^2).
  Fp t = Tanh(a.re), u = Tan(a.im);
  Fp e = Exp(Negate(Abs(a.re)));
  Fp sech = (e * 2.0) / (e * e + 1.0);
  Fp tu = t * u;
  Fp denominator = tu * tu + 1.0;
  Complex result{t * (u * u + 1.0) / denominator, (u * (sech * sech)) / denominator};
  // At an infinite re, whatever the angle.
  return Select(IsInfinite(a.re), Complex{t, Zero(t)}, result);
}

Complex Sqrt(const Complex& a) {
  const double big = std::ldexp(1.0, a.re.bias() - 4), tiny = std::ldexp(1.0, -a.re.bias() / 2);
  Fp larger = Select(Lt(Abs(a.re), Abs(a.im)), Abs(a.im), Abs(a.re));
  Expr is_big = Gt(larger, big), is_tiny = Lt(larger, tiny);
  const double lift = std::ldexp(1.0, 2 * (a.re.mantissa_bits() + 1));
  Fp scale = Select(is_big, 0.0625, Select(is_tiny, lift, a.re.Const(1.0)));
  Fp unscale = Select(is_big, 4.0, Select(is_tiny, 1 / std::sqrt(lift), a.re.Const(1.0)));
  Fp x = a.re * scale, y = a.im * scale;
  Fp w = Sqrt((Abs(x) + Hypot(x, y)) * 0.5);
  Fp other = Abs(y) / (w * 2.0);
  Expr right = Le(Zero(x), x);
  Complex result{Select(right, w, other) * unscale,
                 CopySign(Select(right, other, w) * unscale, a.im)};
  result = Select(Eq(larger, 0.0), Complex{Zero(x), a.im}, result);
  Complex at_infinity{Select(IsInfinite(a.im) || Gt(a.re, 0.0), Infinity(x), 0.0),
                      Select(IsInfinite(a.im) || Lt(a.re, 0.0), CopySign(Infinity(x), a.im),
                             CopySign(Zero(x), a.im))};
  return Select(IsInfinite(larger), at_infinity, result);
}

Complex Rsqrt(const Complex& a) { return Divide(One(a), Sqrt(a)); }

Complex Cbrt(const Complex& a) {
  Fp modulus = Hypot(a.re, a.im);
  Fp root = Cbrt(modulus);
  SinCosPair angle = SinCos(Atan2(a.im, a.re) / a.re.Const(3.0));
  return Select(Eq(modulus, 0.0), Complex{Zero(root), Zero(root)},
                Complex{root * angle.cos, root * angle.sin});
}

Complex Sin(const Complex& a) {
  SinCosPair angle = SinCos(a.re);
  Hyperbolic h = SinhCosh(a.im);
  Fp im = Select(Eq(a.im, 0.0), a.im, angle.cos * h.sinh);
  return {Select(Eq(a.re, 0.0), a.re, angle.sin * h.cosh), im};
}

Complex Cos(const Complex& a) {
  SinCosPair angle = SinCos(a.re);
  Hyperbolic h = SinhCosh(a.im);
  Fp im = Negate(angle.sin * h.sinh);
  return {angle.cos * h.cosh,
          Select(Eq(a.re, 0.0) || Eq(a.im, 0.0), WithSign(Zero(im), SignBit(im)), im)};
}

Complex Tan(const Complex& a) { return OverI(Tanh(TimesI(a))); }

Complex Pow(const Complex& a, const Complex& b) {
  Complex result = Exp(Multiply(b, Log(a)));
  Complex zero{Zero(a.re), Zero(a.re)};
  result = Select(Equal(a, zero), zero, result);
  return Select(Equal(b, zero), One(a), result);
}

Complex Atan2(const Complex& y, const Complex& x) {
  Complex squares = Add(Multiply(x, x), Multiply(y, y));
  return OverI(Log(Divide(Add(x, TimesI(y)), Sqrt(squares))));
}

Expr Equal(const Complex& a, const Complex& b) { return Eq(a.re, b.re) && Eq(a.im, b.im); }
Expr Less(const Complex& a, const Complex& b) {
  return Lt(a.re, b.re) || (Eq(a.re, b.re) && Lt(a.im, b.im));
}

}  // namespace halyard::lowering::numerics
