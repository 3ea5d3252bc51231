// pow, roots, hypot and the exact remainder.
#include <cmath>

#include "lowering/numerics/coefficients.h"
#include "lowering/numerics/exponential.h"
#include "lowering/numerics/transcendental.h"

namespace halyard::lowering::numerics {

using Halide::cast;
using Halide::Expr;

namespace {

// Returns log(x) for a positive finite x, to about 1.5 times the precision of the type.
Double LongLog(const Fp& x) {
  LogReduction reduced = ReduceLog(x);
  Fp f = reduced.f;
  // s = f / (2 + f), log(1 + f) = 2 s + 2/3 s^3 + s^5 T(s^2).
  Double denominator = FastTwoSum(f.Const(2.0), f);
  Fp s = f / denominator.hi;
  Double product = TwoProduct(s, denominator.hi);
  Fp s_lo = (((f - product.hi) - product.lo) - s * denominator.lo) / denominator.hi;
  Double square = TwoProduct(s, s);
  square.lo = square.lo + (s * s_lo) * 2.0;
  Double two_thirds = DoubleConst(x, kTwoThirds);
  Double third = TwoProduct(square.hi, two_thirds.hi);
  third.lo = third.lo + (square.hi * two_thirds.lo + square.lo * two_thirds.hi);
  Fp tail =
      x.single() ? Polynomial(square.hi, kAtanhTail5_32) : Polynomial(square.hi, kAtanhTail5_64);
  third = FastTwoSum(third.hi, third.lo + (square.hi * square.hi) * tail);
  Double cube = TwoProduct(third.hi, s);
  cube.lo = cube.lo + (third.lo * s + third.hi * s_lo);
  Double sum = FastTwoSum(s * 2.0, cube.hi);
  sum.lo = sum.lo + (s_lo * 2.0 + cube.lo);
  Double ln2 = DoubleConst(x, kLn2, x.single() ? 15 : 41);
  // k ln2.hi is 0 or larger than the rest.
  Double total = FastTwoSum(reduced.k * ln2.hi, sum.hi);
  return FastTwoSum(total.hi, total.lo + (sum.lo + reduced.k * ln2.lo));
}

Expr Same(const Expr& a, const Expr& b) { return (a && b) || !(a || b); }

Expr IsInteger(const Fp& y) { return Eq(Floor(y), y); }

// Returns |x|^y for finite positive |x| and finite y.
Fp PositivePow(const Fp& a, const Fp& y) {
  Double log = LongLog(a);
  // For larger y, y alone decides whether the result overflows or underflows, and clamping it keeps
  // the products finite.
  const double limit = std::ldexp(1.0, a.single() ? 40 : 70);
  Fp bounded = Clamp(y, -limit, limit);
  Double product = TwoProduct(bounded, log.hi);
  product.lo = product.lo + bounded * log.lo;
  Range range = ExpRange(a);
  Expr inside = Gt(product.hi, range.lo) && Lt(product.hi, range.hi);
  ExpReduction reduced = ReduceExp(Clamp(product.hi, range.lo, range.hi));
  Fp r = reduced.r + Select(inside, product.lo, 0.0);
  return Scale(ExpReduced(r), reduced.n.sum);
}

// x = mantissa * 2^exponent with an integer mantissa of full width; x positive and finite.
struct IntegerParts {
  Fp mantissa;
  Expr exponent;  // Int(32)
};
IntegerParts Split(const Fp& x) {
  const int bits = x.mantissa_bits();
  Expr denormal = Lt(x, std::ldexp(1.0, 1 - x.bias()));
  Fp normal = Select(denormal, x * std::ldexp(1.0, bits + 1), x);
  Expr biased = cast(Halide::Int(32), Bits(normal) >> UConst(x, bits));
  Expr fraction = LowBits(Bits(normal), bits);
  Fp mantissa = FromBits(fraction | UConst(x, BitsOf(x, std::ldexp(1.0, bits))));
  return {mantissa, biased - (x.bias() + bits) - Halide::select(denormal, bits + 1, 0)};
}

// Reduces |u| < 1.5 m to |u| <= m / 2.
Fp Centre(const Fp& u, const Fp& m) {
  Fp half = m * 0.5;
  return Select(Lt(half, u), u - m, Select(Lt(u, Negate(half)), u + m, u));
}

// u v modulo m, all integers, |u|, |v| <= m / 2, and so is the result: every step is exact.
Fp ProductModulo(const Fp& u, const Fp& v, const Fp& m) {
  Double product = TwoProduct(u, v);
  Fp quotient = RoundSmall(product.hi / m).value;
  Double multiple = TwoProduct(quotient, m);
  return Centre((product.hi - multiple.hi) + (product.lo - multiple.lo), m);
}

// Returns x * 2^n for an Int(32) n of up to twice the range of the exponent, if the result is
// representable.
Fp ScaleBy(const Fp& x, const Expr& n) {
  Expr half = n >> 1;
  return (x * PowerOfTwo(x, cast(x.int_type(), half))) *
         PowerOfTwo(x, cast(x.int_type(), n - half));
}

}  // namespace

Fp Rsqrt(const Fp& x) { return 1.0 / Sqrt(x); }

Fp Cbrt(const Fp& x) {
  Fp a = Abs(x);
  const int shift = x.single() ? 24 : 54;  // a multiple of 3
  Expr denormal = Lt(a, std::ldexp(1.0, 1 - x.bias()));
  Expr huge = Gt(a, std::ldexp(1.0, x.bias() - 2));  // three times this would overflow
  const double up = std::ldexp(1.0, shift);
  Fp v = Select(denormal, a * up, Select(huge, a * (1 / up), a));
  // A third of the exponent and of the mantissa is within a few percent.
  const int high_shift = x.single() ? 0 : 32;  // of f64, the high word will do
  Expr high = cast(Halide::Int(32), Bits(v) >> UConst(x, high_shift));
  const int one = x.single() ? 0x3f800000 : 0x3ff00000;
  const Fp estimate = Fp{cast(Halide::Float(32), high)} * (1.0f / 3.0f);
  Expr guess =
      cast(Halide::Int(32), estimate.e) + (one - one / 3 - (x.single() ? 0x44000 : 0x8800));
  Fp t = FromBits(cast(x.uint_type(), cast(Halide::UInt(32), guess)) << UConst(x, high_shift));
  // Halley's steps, each with three times the digits.
  auto halley = [&](const Fp& s) {
    Fp cube = s * s * s;
    return s + s * ((v - cube) / (cube + cube + v));
  };
  t = halley(t);
  if (!x.single()) t = halley(t);
  // With a third of the bits, the cube is exact, and only the rounding of the last step counts.
  const int dropped = x.single() ? 16 : 36;
  Expr rounded = Bits(t) + UConst(x, uint64_t{1} << (dropped - 1));
  t = halley(FromBits((rounded >> UConst(x, dropped)) << UConst(x, dropped)));
  const double root = std::ldexp(1.0, shift / 3);
  t = Select(denormal, t * (1 / root), Select(huge, t * root, t));
  return Select(Eq(x, 0.0) || !IsFinite(x), x, CopySign(t, x));
}

Fp Hypot(const Fp& x, const Fp& y) {
  Fp ax = Abs(x), ay = Abs(y);
  Expr swap = Lt(ax, ay);
  Fp large = Select(swap, ay, ax), small = Select(swap, ax, ay);
  // Scaled by a power of two, squares stay in range: of the largest numbers, too, whose halves
  // (TwoProduct) round up.
  const int half = x.bias() / 2, lift = half + x.mantissa_bits(), drop = half + 4;
  Expr tiny = Lt(large, std::ldexp(1.0, -half)), huge = Gt(large, std::ldexp(1.0, half));
  Fp scale =
      Select(tiny, std::ldexp(1.0, lift), Select(huge, std::ldexp(1.0, -drop), x.Const(1.0)));
  Fp unscale =
      Select(tiny, std::ldexp(1.0, -lift), Select(huge, std::ldexp(1.0, drop), x.Const(1.0)));
  Fp a = large * scale, b = small * scale;
  // Returns sqrt(a^2 + b^2), with squares of twice the precision.
  Double square = TwoProduct(a, a);
  Double other = TwoProduct(b, b);
  Double sum = FastTwoSum(square.hi, other.hi);
  Fp root = Sqrt(sum.hi + (sum.lo + (square.lo + other.lo))) * unscale;
  Expr infinite = Eq(ax, HUGE_VAL) || Eq(ay, HUGE_VAL);
  Fp result = Select(Eq(large, 0.0), large, root);
  return Select(infinite, Infinity(x), Select(IsNan(x) || IsNan(y), Nan(x), result));
}

Fp Pow(const Fp& x, const Fp& y) {
  Fp a = Abs(x);
  Expr integer = IsInteger(y);
  Expr odd = integer && !IsInteger(y * 0.5);
  Expr negative_y = Lt(y, 0.0);
  Fp result = PositivePow(a, y);
  Fp zero_or_infinity = Select(Same(Eq(a, 0.0), negative_y), Infinity(x), 0.0);
  result = Select(Eq(a, 0.0) || Eq(a, HUGE_VAL), zero_or_infinity, result);
  Fp limit = Select(Eq(a, 1.0), a, Select(Same(Gt(a, 1.0), negative_y), 0.0, Infinity(x)));
  result = Select(Eq(Abs(y), HUGE_VAL), limit, result);
  result = WithSign(result, Halide::select(odd, SignBit(x), UConst(x, 0)));
  result = Select(Lt(x, 0.0) && Lt(a, HUGE_VAL) && !integer, Nan(x), result);
  result = Select(IsNan(x) || IsNan(y), Nan(x), result);
  return Select(Eq(y, 0.0) || Eq(x, 1.0), 1.0, result);
}

Fp Remainder(const Fp& x, const Fp& y) {
  Fp a = Abs(x), b = Abs(y);
  IntegerParts pa = Split(a), pb = Split(b);
  Fp m = pb.mantissa;
  // a mod b = (ma 2^d mod mb) 2^eb: 2^d by repeated squaring, in integers held in floats.
  const int steps = x.single() ? 4 : 6;
  Expr d = Halide::max(pa.exponent - pb.exponent, 0);
  Fp power = PowerOfTwo(x, cast(x.int_type(), d >> steps));
  for (int i = steps - 1; i >= 0; --i) {
    power = ProductModulo(power, power, m);
    power = Select(((d >> i) & 1) != 0, Centre(power + power, m), power);
  }
  Fp quotient = RoundSmall(pa.mantissa / m).value;
  Fp first = Centre(pa.mantissa - quotient * m, m);
  Fp rest = ProductModulo(power, first, m);
  rest = Select(Lt(rest, 0.0), rest + m, rest);
  Fp result = Select(Lt(a, b), a, ScaleBy(rest, pb.exponent));
  Expr valid = IsFinite(x) && !IsNan(y) && Gt(b, 0.0);
  return Select(valid, CopySign(result, x), Nan(x));
}

}  // namespace halyard::lowering::numerics
