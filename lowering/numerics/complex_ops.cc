#include "lowering/numerics/complex_ops.h"

#include <cmath>

#include "lowering/numerics/arithmetic.h"
#include "lowering/numerics/exponential.h"
#include "lowering/numerics/transcendental.h"

namespace halyard::lowering::numerics {

using Halide::Expr;

namespace {

Fp Zero(const Fp& like) { return like.Const(0.0); }
Complex One(const Complex& like) { return {like.re.Const(1.0), Zero(like.re)}; }
Complex TimesI(const Complex& a) { return {Negate(a.im), a.re}; }
Complex OverI(const Complex& a) { return {a.im, Negate(a.re)}; }
Expr IsInfinite(const Fp& x) { return Eq(Abs(x), HUGE_VAL); }

// Classifies a by its larger part. The modulus of `huge` numbers may overflow. The squares of
// `tiny` ones, and what is computed from denormals, are inexact.
struct Magnitude {
  Expr huge;
  Expr tiny;
  Fp Pick(double if_huge, double if_tiny, double otherwise) const {
    return Select(huge, if_huge, Select(tiny, if_tiny, one.Const(otherwise)));
  }
  Fp one;
};
Magnitude MagnitudeOf(const Complex& a) {
  Fp x = Abs(a.re), y = Abs(a.im);
  Fp larger = Select(Lt(x, y), y, x);
  return {Gt(larger, std::ldexp(1.0, a.re.bias() - 4)),
          Lt(larger, std::ldexp(1.0, -a.re.bias() / 2)), a.re.Const(1.0)};
}
// Powers of two (even ones, multiples of 3) by which huge numbers and tiny ones are scaled.
constexpr int kHugeShift = -6;
int TinyShift(const Fp& like) { return like.single() ? 90 : 564; }

Complex ScaleBy(const Complex& a, const Fp& scale) { return {a.re * scale, a.im * scale}; }

// a by a power of two such that its modulus neither over- nor underflows.
Complex Scaled(const Complex& a, const Magnitude& magnitude) {
  return ScaleBy(
      a, magnitude.Pick(std::ldexp(1.0, kHugeShift), std::ldexp(1.0, TinyShift(a.re)), 1.0));
}

// log |z|: near modulus 1 from |z|^2 - 1, which `excess` is.
Fp LogModulus(const Complex& z, const Fp& excess) {
  Expr near = Lt(Abs(excess), 0.5);
  const Magnitude magnitude = MagnitudeOf(z);
  Complex scaled = Scaled(z, magnitude);
  Fp far = Log(Hypot(scaled.re, scaled.im)) +
           magnitude.Pick(-kHugeShift * M_LN2, -TinyShift(z.re) * M_LN2, 0.0);
  return Select(near, Log1p(excess) * 0.5, far);
}

// c cosh x and s sinh x for |c|, |s| <= 1, which overflow only where the products do.
struct Hyperbolic {
  Fp cosh;
  Fp sinh;
};
Hyperbolic TimesHyperbolic(const Fp& x, const Fp& c, const Fp& s) {
  Fp a = Abs(x);
  // By way of expm1; past 40 both are e^a / 2.
  Fp e = Expm1(Select(Lt(a, 40.0), a, 40.0));
  Fp sinh = (e + e / (e + 1.0)) * 0.5;
  Fp cosh = ((e + 1.0) + 1.0 / (e + 1.0)) * 0.5;
  WideExp exp = ExpParts(a);
  Expr large = Ge(a, 40.0) || IsNan(a);
  return {Select(large, Times(exp, c, -1), c * cosh),
          WithSign(Select(large, Times(exp, s, -1), s * sinh), SignBit(x))};
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

namespace {

// Smith's quotient, of operands scaled by a common power of two so that its steps neither over- nor
// underflow before the result does.
Complex SmithQuotient(Complex a, Complex b) {
  const double most = std::ldexp(1.0, a.re.bias() - 1);
  const double least = std::ldexp(1.0, 2 * a.re.mantissa_bits() + 10 - a.re.bias());
  Expr tiny = Lt(Abs(b.re), least) && Lt(Abs(b.im), least);
  auto huge = [&](const Fp& x) { return Ge(Abs(x), most); };
  Expr any_huge = huge(a.re) || huge(a.im) || huge(b.re) || huge(b.im);
  const int lift = 2 * a.re.mantissa_bits() + 16;
  const Fp one = a.re.Const(1.0);
  Fp scale = Select(tiny, std::ldexp(1.0, lift), Select(any_huge, 0.25, one));
  // What scaling would make infinite is scaled afterwards: no zero is to meet an infinity.
  auto large_part = [&](const Fp& x) { return Ge(Abs(x), std::ldexp(1.0, a.re.bias() - lift)); };
  Expr late = tiny && (large_part(a.re) || large_part(a.im));
  Fp after = Select(late, scale, one);
  a = ScaleBy(a, Select(late, one, scale));
  b = ScaleBy(b, scale);
  Expr steep = Lt(Abs(b.re), Abs(b.im));
  Fp large = Select(steep, b.im, b.re), small = Select(steep, b.re, b.im);
  Fp ratio = small / large;
  Fp denominator = large + small * ratio;
  Fp first = Select(steep, a.im, a.re), second = Select(steep, a.re, a.im);
  Fp re = (first + second * ratio) / denominator;
  Fp im = (second - first * ratio) / denominator;
  return ScaleBy({re, Select(steep, Negate(im), im)}, after);
}

}  // namespace

Complex Divide(const Complex& a, const Complex& b) {
  Expr zero = Eq(b.re, 0.0) && Eq(b.im, 0.0);
  Complex by_zero{Divide(a.re, b.re), Divide(a.im, b.re)};
  Complex result = Select(zero, by_zero, SmithQuotient(a, b));
  auto is_infinite = [](const Complex& x) { return IsInfinite(x.re) || IsInfinite(x.im); };
  auto is_finite = [](const Complex& x) { return IsFinite(x.re) && IsFinite(x.im); };
  // An infinite value divided by a finite one is infinite, even if its other part is NaN.
  auto direction = [](const Fp& x) {
    return CopySign(Select(IsInfinite(x), 1.0, x.Const(0.0)), x);
  };
  Fp u = direction(a.re), v = direction(a.im), infinity = Infinity(a.re);
  Complex infinite{infinity * (u * b.re + v * b.im), infinity * (v * b.re - u * b.im)};
  Expr lost = IsNan(result.re) && IsNan(result.im) && is_infinite(a) && is_finite(b);
  result = Select(lost, infinite, result);
  Expr vanishes = is_infinite(b) && is_finite(a);
  return Select(vanishes, Complex{Zero(a.re), Zero(a.re)}, result);
}

Complex RemainderOf(const Complex& a, const Complex& b) {
  Complex q = Divide(a, b);
  auto truncate = [](const Fp& x) { return CopySign(Floor(Abs(x)), x); };
  return Subtract(a, Multiply(b, {truncate(q.re), truncate(q.im)}));
}

Complex SignOf(const Complex& a) {
  Complex scaled = Scaled(a, MagnitudeOf(a));
  Fp modulus = Hypot(scaled.re, scaled.im);
  Complex result{scaled.re / modulus, scaled.im / modulus};
  result = Select(Eq(modulus, 0.0), Complex{Zero(a.re), Zero(a.re)}, result);
  Expr nan = IsNan(a.re) || IsNan(a.im);
  return Select(nan, Complex{Nan(a.re), Nan(a.re)}, result);
}

Complex Exp(const Complex& a) {
  WideExp modulus = ExpParts(a.re);
  SinCosPair angle = SinCos(a.im);
  Complex result{Times(modulus, angle.cos), Times(modulus, angle.sin)};
  result.im = Select(Eq(a.im, 0.0), a.im, result.im);
  // These cases need no angle: zero stays zero, and the real part of infinity says that it is
  // infinite.
  Complex zero{Zero(a.re), CopySign(Zero(a.re), a.im)};
  Complex infinite{Infinity(a.re), Nan(a.re)};
  Expr no_angle = !IsFinite(a.im);
  result = Select(no_angle && Eq(a.re, -HUGE_VAL), zero, result);
  return Select(no_angle && Eq(a.re, HUGE_VAL), infinite, result);
}

Complex Log(const Complex& a) {
  Fp x = Abs(a.re), y = Abs(a.im);
  Expr swap = Lt(x, y);
  Fp large = Select(swap, y, x), small = Select(swap, x, y);
  Double square = TwoProduct(large, large), other = TwoProduct(small, small);
  Double sum = TwoSum(square.hi - 1.0, other.hi);
  Fp excess = sum.hi + (sum.lo + (square.lo + other.lo));
  return {LogModulus(a, excess), Atan2(a.im, a.re)};
}

Complex Log1p(const Complex& a) {
  // |1 + a|^2 - 1 = 2 re + (re^2 + im^2).
  Double square = TwoProduct(a.re, a.re), other = TwoProduct(a.im, a.im);
  Double sum = TwoSum(square.hi, other.hi);
  Double total = TwoSum(a.re * 2.0, sum.hi);
  Fp excess = total.hi + (total.lo + (sum.lo + (square.lo + other.lo)));
  Complex moved{a.re + 1.0, a.im};
  return {LogModulus(moved, excess), Atan2(a.im, moved.re)};
}

Complex Expm1(const Complex& a) {
  // Near 0, e^z - 1 is (e^re - 1) cos(im) + (cos(im) - 1) + e^re sin(im) i.
  Complex e = Exp(a);
  Fp half = Sin(a.im * 0.5);
  Fp near = Expm1(a.re) * Cos(a.im) - (half * half) * 2.0;
  return {Select(Lt(Abs(a.re), 1.0), near, e.re - 1.0), e.im};
}

Complex Logistic(const Complex& a) {
  // Of e^-|re| either way, which does not overflow: e / (1 + e) or 1 / (1 + e).
  Expr negative = Lt(a.re, 0.0);
  Complex z = Select(negative, a, Negate(a));
  Complex e = Exp(z);
  // Near a pole, 1 + e^re cos(im) is (e^re - 1) cos(im) + (1 + cos(im)).
  Fp half = Cos(z.im * 0.5);
  Fp near = Expm1(z.re) * Cos(z.im) + (half * half) * 2.0;
  Complex sum{Select(Gt(z.re, -1.0), near, e.re + 1.0), e.im};
  return Divide(Select(negative, e, One(a)), sum);
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
  result.re = Select(Eq(a.re, 0.0), a.re, result.re);
  result.im = Select(Eq(a.im, 0.0), a.im, result.im);
  // For an infinite re, the angle does not matter.
  Fp zero = CopySign(Zero(t), Select(IsFinite(a.im), u, a.im));
  return Select(IsInfinite(a.re), Complex{t, zero}, result);
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
  result = Select(Eq(larger, 0.0) && Eq(a.im, 0.0), Complex{Zero(x), a.im}, result);
  Expr wide = IsInfinite(a.im), right_end = Gt(a.re, 0.0), unknown = IsNan(a.im);
  Complex at_infinity{Select(wide || right_end, Infinity(x), Select(unknown, Nan(x), x.Const(0.0))),
                      Select(wide || !right_end, CopySign(Infinity(x), a.im),
                             Select(unknown, Nan(x), CopySign(Zero(x), a.im)))};
  return Select(wide || IsInfinite(a.re), at_infinity, result);
}

Complex Rsqrt(const Complex& a) { return Divide(One(a), Sqrt(a)); }

Complex Cbrt(const Complex& a) {
  const Magnitude magnitude = MagnitudeOf(a);
  Complex scaled = Scaled(a, magnitude);
  Fp modulus = Hypot(scaled.re, scaled.im);
  Fp root = Cbrt(modulus) * magnitude.Pick(std::ldexp(1.0, -kHugeShift / 3),
                                           std::ldexp(1.0, -TinyShift(a.re) / 3), 1.0);
  SinCosPair angle = SinCos(Atan2(a.im, a.re) / a.re.Const(3.0));
  // On the real axis, this also holds for infinity.
  Fp im = Select(Eq(angle.sin, 0.0), angle.sin, root * angle.sin);
  return Select(Eq(modulus, 0.0), Complex{Zero(root), Zero(root)}, Complex{root * angle.cos, im});
}

Complex Sin(const Complex& a) {
  SinCosPair angle = SinCos(a.re);
  Hyperbolic h = TimesHyperbolic(a.im, angle.sin, angle.cos);
  // Zeros stay zeros. An undefined angle leaves an infinite imaginary part infinite.
  Expr no_angle = !IsFinite(a.re);
  Expr keep = no_angle && (Eq(a.im, 0.0) || IsInfinite(a.im));
  return {Select(Eq(a.re, 0.0), a.re, h.cosh), Select(keep, a.im, h.sinh)};
}

Complex Cos(const Complex& a) {
  SinCosPair angle = SinCos(a.re);
  Hyperbolic h = TimesHyperbolic(a.im, angle.cos, angle.sin);
  Expr no_angle = !IsFinite(a.re);
  Fp zero = WithSign(Negate(Zero(a.re)), SignBit(a.re) ^ SignBit(a.im));
  Expr real = Eq(a.re, 0.0) || (no_angle && Eq(a.im, 0.0));
  return {Select(no_angle && IsInfinite(a.im), Infinity(a.re), h.cosh),
          Select(real, zero, Negate(h.sinh))};
}

Complex Tan(const Complex& a) { return OverI(Tanh(TimesI(a))); }

Complex Pow(const Complex& a, const Complex& b) {
  Complex log = Log(a);
  // A power with a real exponent leaves out the products with its zero imaginary part, which are
  // NaN for infinity.
  Complex exponent = Select(Eq(b.im, 0.0), ScaleBy(log, b.re), Multiply(b, log));
  Complex zero{Zero(a.re), Zero(a.re)};
  Complex result = Select(Equal(a, zero), zero, Exp(exponent));
  return Select(Equal(b, zero), One(a), result);
}

Complex Atan2(const Complex& y, const Complex& x) {
  // Scales both by one power of two, so that squares stay in range.
  Fp larger = x.re.Const(0.0);
  for (const Fp& part : {x.re, x.im, y.re, y.im})
    larger = Select(Lt(larger, Abs(part)), Abs(part), larger);
  const int half = x.re.bias() / 2;
  Fp scale = Select(Gt(larger, std::ldexp(1.0, half - 4)), std::ldexp(1.0, -half - 4),
                    Select(Lt(larger, std::ldexp(1.0, -half + x.re.mantissa_bits())),
                           std::ldexp(1.0, half), x.re.Const(1.0)));
  Complex u = ScaleBy(x, scale), v = ScaleBy(y, scale);
  Complex squares = Add(Multiply(u, u), Multiply(v, v));
  return OverI(Log(Divide(Add(u, TimesI(v)), Sqrt(squares))));
}

Expr Equal(const Complex& a, const Complex& b) { return Eq(a.re, b.re) && Eq(a.im, b.im); }
Expr Less(const Complex& a, const Complex& b) {
  return Lt(a.re, b.re) || (Eq(a.re, b.re) && Lt(a.im, b.im));
}

}  // namespace halyard::lowering::numerics
