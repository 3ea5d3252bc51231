#include "lowering/numerics/exponential.h"

#include <cmath>

#include "lowering/numerics/coefficients.h"
#include "lowering/numerics/transcendental.h"

namespace halyard::lowering::numerics {

using Halide::Expr;

namespace {

absl::Span<const double> ExpTail(const Fp& x) {
  if (x.single()) return kExpTail32;
  return kExpTail64;
}

// The smallest normal number, and the power of two that lifts denormals into the normal range.
double SmallestNormal(const Fp& x) { return std::ldexp(1.0, 1 - x.bias()); }
int DenormalShift(const Fp& x) { return x.mantissa_bits() + 1; }

}  // namespace

Range ExpRange(const Fp& like) {
  if (like.single()) return {-104.0, 89.0};
  return {-746.0, 710.0};
}

ExpReduction ReduceExp(const Fp& x) {
  // n has at most 8 (11) bits: n * ln2.hi is exact, and so is its difference from x.
  Double ln2 = DoubleConst(x, kLn2, x.single() ? 15 : 41);
  Rounded n = RoundSmall(x, kInvLn2.hi, 2 * x.bias());
  return {SubtractProduct(n.value, ln2.lo, SubtractProduct(n.value, ln2.hi, x)), n};
}

Fp Expm1Reduced(const Fp& r) { return MultiplyAdd(r * r, Polynomial(r, ExpTail(r)), r); }

Fp ExpReduced(const Fp& r) {
  if (!Traits().fused_multiply_add) return Expm1Reduced(r) + 1.0;
  const Fp one = r.Const(1.0);
  return MultiplyAdd(MultiplyAdd(Polynomial(r, ExpTail(r)), r, one), r, one);
}

Fp Scale(const Fp& p, const Expr& exponent) {
  // Shifting drops all bits above the exponent, which halves into two biased ones.
  const int bits = p.mantissa_bits();
  Expr half = (exponent << UConst(p, bits - 1)) & UConst(p, BitsOf(p, HUGE_VAL));
  Expr rest = (exponent << UConst(p, bits)) - half;
  return (p * FromBits(half)) * FromBits(rest);
}

Fp Exp(const Fp& x) {
  Range range = ExpRange(x);
  ExpReduction reduced = ReduceExp(Clamp(x, range.lo, range.hi));
  return Scale(ExpReduced(reduced.r), reduced.n.sum);
}

WideExp ExpParts(const Fp& x) {
  // From the upper ends on, half the product with the smallest number overflows. n has a bit more
  // than in Exp, and n * ln2.hi is exact still.
  const double most = x.single() ? 192.9 : 1455.5;
  ExpReduction reduced = ReduceExp(Clamp(x, ExpRange(x).lo, most));
  return {ExpReduced(reduced.r), reduced.n.sum};
}

Fp Times(const WideExp& exp, const Fp& factor, int shift) {
  // Lifted (exactly), denormal factors are normal and so is the product, which Scale rounds once.
  const int lift = factor.single() ? 32 : 64;
  Fp product = exp.mantissa * (factor * std::ldexp(1.0, lift));
  return Scale(product, exp.exponent - UConst(factor, static_cast<uint64_t>(lift - shift)));
}

Fp Expm1(const Fp& x) {
  // Below -mantissa_bits the result rounds to -1; with h = 2^(n-1), expm1 = 2 (h (e^r - 1) + (h -
  // 1/2)), and h never overflows.
  Range range = ExpRange(x);
  ExpReduction reduced = ReduceExp(Clamp(x, -0.75 * (x.mantissa_bits() + 2), range.hi));
  Fp h = PowerOfTwo(x, reduced.n.integer - 1);
  Fp result = (h * Expm1Reduced(reduced.r) + (h - 0.5)) * 2.0;
  // n = 0: no rounding but the polynomial's; keeps -0 too.
  Fp direct = Select(Eq(x, 0.0), x, Expm1Reduced(reduced.r));
  return Select(Eq(reduced.n.value, 0.0), direct, result);
}

LogReduction ReduceLog(const Fp& x) {
  Expr denormal = Lt(x, SmallestNormal(x));
  Fp normal = Select(denormal, x * std::ldexp(1.0, DenormalShift(x)), x);
  const uint64_t sqrt_half = BitsOf(x, M_SQRT1_2);
  Expr offset = Bits(normal) - UConst(x, sqrt_half);
  Expr k =
      Halide::cast(Halide::Int(32), Halide::reinterpret(x.int_type(), offset) >> x.mantissa_bits());
  k = k - Halide::select(denormal, DenormalShift(x), 0);
  Expr fraction = LowBits(offset, x.mantissa_bits());
  Fp f = FromBits(fraction + UConst(x, sqrt_half)) - 1.0;
  return {f, {Halide::cast(x.type(), k)}, k};
}

Fp LogReduced(const Fp& f, const Fp& k) {
  Double ln2 = DoubleConst(f, kLn2, f.single() ? 15 : 41);
  Fp half_square = (f * f) * 0.5;
  if (f.single()) {
    Fp tail = MultiplyAdd((f * f) * f, Polynomial(f, kLogTail32), k * ln2.lo);
    return MultiplyAdd(k, ln2.hi, f + (tail - half_square));
  }
  // log(1+f) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + R)), s = f / (2 + f), R = (2 atanh(s) - 2 s) /
  // s.
  Fp s = f / (f + 2.0);
  Fp z = s * s;
  Fp tail = MultiplyAdd(s, MultiplyAdd(z, Polynomial(z, kAtanhTail64), half_square), k * ln2.lo);
  return MultiplyAdd(k, ln2.hi, f - (half_square - tail));
}

Fp Log(const Fp& x) {
  LogReduction reduced = ReduceLog(x);
  Fp result = LogReduced(reduced.f, reduced.k);
  Fp special = Select(Eq(x, 0.0), -HUGE_VAL, Select(Gt(x, 0.0), x, Nan(x)));
  return Select(Gt(x, 0.0) && Lt(x, HUGE_VAL), result, special);
}

Fp Log1p(const Fp& x) {
  // 1 + x = u + error exactly; the error, scaled as u is, joins f. Where k = 0, f is x again.
  Double u = TwoSum(x.Const(1.0), x);
  LogReduction reduced = ReduceLog(u.hi);
  Fp f = reduced.f +
         u.lo * PowerOfTwo(
                    x, Halide::cast(x.int_type(), Halide::clamp(-reduced.k_integer, -100, 100)));
  Fp result = LogReduced(f, reduced.k);
  result = Select(Lt(Abs(x), std::ldexp(1.0, -x.mantissa_bits() - 2)), x, result);  // -0, denormals
  Fp special = Select(Eq(x, -1.0), -HUGE_VAL, Select(Gt(x, 0.0), x, Nan(x)));
  return Select(Gt(x, -1.0) && Lt(x, HUGE_VAL), result, special);
}

Fp Logistic(const Fp& x) {
  Fp e = Exp(Negate(Abs(x)));
  Expr negative = Lt(x, 0.0);
  Double sum = FastTwoSum(x.Const(1.0), e);
  Fp quotient = Select(negative, e, 1.0) / sum.hi;
  // What the sum's rounding lost is lo / sum of the quotient, and 1 / sum is the quotient or its
  // complement.
  Fp inverse = Select(negative, 1.0 - quotient, quotient);
  return SubtractProduct(quotient * sum.lo, inverse, quotient);
}

Fp Tanh(const Fp& x) {
  Fp a = Abs(x);
  if (!x.single()) {
    Fp t = Expm1(Clamp(a, 0.0, 22.0) * 2.0);
    return CopySign(t / (t + 2.0), x);
  }
  Fp z = a * a;
  Fp small = MultiplyAdd(a * z, Polynomial(z, kTanhTail32), a);
  // Clamped, e^2a is in range without Exp's care for the ends of it.
  ExpReduction reduced = ReduceExp(Clamp(a, 0.0, 10.0) * 2.0);
  Fp e = ExpReduced(reduced.r) * PowerOfTwo(x, reduced.n.integer);
  Fp large = 1.0 - 2.0 / (e + 1.0);
  return CopySign(Select(Lt(a, 0.625), small, large), x);
}

Fp Erf(const Fp& x) {
  Fp a = Abs(x);
  Fp z = a * a;
  if (x.single()) {
    Fp small = MultiplyAdd(a, Polynomial(z, kErfSmall32), a);
    ExpReduction reduced = ReduceExp(Polynomial(Clamp(a, 0.99, 3.95) - 1.0, kErfTail32));
    Fp erfc = ExpReduced(reduced.r) * PowerOfTwo(x, reduced.n.integer);
    return CopySign(Select(Lt(a, 1.0), small, 1.0 - erfc), x);
  }
  Fp small = MultiplyAdd(a, Polynomial(z, kErfSmall64), a);
  Fp b = Clamp(a, 0.89, 6.1);
  ExpReduction reduced = ReduceExp(Negate(b * b));
  Fp e = ExpReduced(reduced.r) * PowerOfTwo(x, reduced.n.integer);
  Fp erfc = e * Polynomial((b - 2.0) / (b + 2.0), kErfcScaled64);
  return CopySign(Select(Lt(a, 0.9), small, 1.0 - erfc), x);
}

}  // namespace halyard::lowering::numerics
