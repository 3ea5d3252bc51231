// sin, cos, tan by Payne and Hanek's reduction: |x| * 2/pi modulo 4 from the bits of 2/pi that
// matter for x's exponent, in integers, so that every finite argument is reduced to full precision;
// and atan2.
#include <cmath>
#include <vector>

#include "lowering/numerics/coefficients.h"
#include "lowering/numerics/integer_ops.h"
#include "lowering/numerics/transcendental.h"

namespace halyard::lowering::numerics {

using Halide::cast;
using Halide::Expr;
using Halide::Int;
using Halide::reinterpret;
using Halide::select;
using Halide::UInt;

namespace {

// |x| = quadrant * pi/2 + hi + lo, |hi| <= pi/4.
struct Reduced {
  Double r;
  Expr quadrant;  // UInt(32), modulo 4
};

// `count` 32-bit words of 2/pi, the first holding the bits from `bit` on, most significant first.
// `zeros` words of zero bits precede the binary point; bit < 32 * max_index + 32. A barrel shifter:
// selects between constants, then a funnel shift.
std::vector<Expr> WindowOfTwoOverPi(const Expr& bit, int count, int zeros, int max_index) {
  int step = 1;
  while (step * 2 <= max_index) step *= 2;
  // Enough words for any index: each stage may move by `step`.
  std::vector<Expr> words;
  for (int i = 0; i <= count + 2 * step; ++i) {
    const int source = i - zeros;
    const int available = static_cast<int>(std::size(kTwoOverPi));
    words.push_back(Word(source >= 0 && source < available ? kTwoOverPi[source] : 0));
  }
  Expr index = bit >> 5;
  size_t needed = count + 2 * step;
  for (; step >= 1; step /= 2) {
    needed -= step;
    Expr move = (index & step) != 0;
    std::vector<Expr> moved;
    for (size_t i = 0; i < needed; ++i) moved.push_back(select(move, words[i + step], words[i]));
    words = moved;
  }
  Expr shift = cast(UInt(32), bit & 31);
  std::vector<Expr> window;
  for (int i = 0; i < count; ++i) {
    window.push_back((words[i] << shift) | ((words[i + 1] >> Word(1)) >> (Word(31) - shift)));
  }
  return window;
}

// The high word of m * w for m < 2^24, in 32-bit arithmetic only: not every Vulkan device has
// 64-bit integers.
Expr HighProduct24(const Expr& m, const Expr& w) {
  Expr mh = m >> Word(12), ml = m & Word(0xfff);
  Expr wh = w >> Word(16), wl = w & Word(0xffff);
  Expr high = mh * wh;                                                       // times 2^28
  Expr middle = ((((ml * wl) >> Word(12)) + mh * wl) >> Word(4)) + ml * wh;  // times 2^16
  return (high >> Word(4)) + ((((high & Word(15)) << Word(12)) + middle) >> Word(16));
}

// A fraction of a quadrant, scaled: the products with pi/2 to twice the precision.
Double TimesHalfPi(const Double& z, double scale) {
  Double half_pi = DoubleConst(z.hi, {kHalfPi.hi * scale, kHalfPi.lo * scale});
  Double product = TwoProduct(z.hi, half_pi.hi);
  return FastTwoSum(product.hi, product.lo + (z.hi * half_pi.lo + z.lo * half_pi.hi));
}

Reduced ReduceLarge32(const Fp& a) {
  Expr bits = Bits(a);
  Expr exponent = cast(Int(32), bits >> Word(23));
  Expr m = (bits & Word(0x7fffff)) | Word(0x800000);
  // 96 bits of 2/pi, the first weighing 2 once multiplied: products above are multiples of 4.
  std::vector<Expr> w = WindowOfTwoOverPi(Halide::max(exponent - 120, 0), 3, 1, 4);
  Expr low = m * w[1];
  Expr word1 = low + HighProduct24(m, w[2]);
  Expr carry = select(word1 < low, Word(1), Word(0));
  Expr word2 = m * w[0] + HighProduct24(m, w[1]) + carry;
  Expr quadrant = (word2 + Word(0x20000000)) >> Word(30);
  // Both words are rounded to the nearest, so that no part cancels another one below: where x is
  // close to a multiple of pi/2, word1 holds all there is.
  Expr hi = reinterpret(Int(32), word2 - (quadrant << Word(30)) + (word1 >> Word(31)));
  Expr low_bits = ((hi & 127) ^ 64) - 64;
  // |hi| <= 2^29: without its low bits it is exact as a float.
  Fp z{cast(Halide::Float(32), hi - low_bits)};
  Fp word1_float{cast(Halide::Float(32), reinterpret(Int(32), word1))};
  Double rest =
      FastTwoSum(Fp{cast(Halide::Float(32), low_bits)}, word1_float * std::ldexp(1.0, -32));
  Double sum = FastTwoSum(z, rest.hi);
  return {TimesHalfPi({sum.hi, sum.lo + rest.lo}, std::ldexp(1.0, -30)), quadrant};
}

Reduced ReduceLarge64(const Fp& a) {
  auto wide = [](const Expr& e) { return cast(UInt(64), e); };
  auto low_word = [&](const Expr& e) { return wide(cast(UInt(32), e)); };
  const Expr shift32 = Halide::Internal::UIntImm::make(UInt(64), 32);
  Expr bits = Bits(a);
  Expr exponent = cast(Int(32), bits >> UConst(a, 52));
  Expr fraction = LowBits(bits, 52) | UConst(a, uint64_t{1} << 52);
  Expr m0 = low_word(fraction), m1 = fraction >> shift32;
  constexpr int kWords = 6;
  std::vector<Expr> w = WindowOfTwoOverPi(Halide::max(exponent - 1013, 0), kWords, 2, 32);
  // Columns of 32 bits, column 0 the least; the lowest one is beyond the precision wanted.
  std::vector<Expr> columns(kWords, Expr(Halide::Internal::UIntImm::make(UInt(64), 0)));
  for (int j = 0; j < kWords; ++j) {
    Expr word = wide(w[kWords - 1 - j]);
    Expr p0 = m0 * word;
    columns[j] = columns[j] + low_word(p0);
    if (j + 1 < kWords) {
      Expr p1 = m1 * word;
      columns[j + 1] = columns[j + 1] + (p0 >> shift32) + low_word(p1);
      if (j + 2 < kWords) columns[j + 2] = columns[j + 2] + (p1 >> shift32);
    }
  }
  for (int j = 0; j + 1 < kWords; ++j) columns[j + 1] = columns[j + 1] + (columns[j] >> shift32);
  Expr top = cast(UInt(32), columns[kWords - 1]);
  Expr quadrant = (top + Word(0x20000000)) >> Word(30);
  Expr hi = reinterpret(Int(32), top - (quadrant << Word(30)));
  // Each word is below 2^32, and so exact as a double.
  auto as_double = [&](int j, double scale) {
    return Fp{cast(Halide::Float(64), cast(UInt(32), columns[j]))} * scale;
  };
  Fp first = Fp{cast(Halide::Float(64), hi)} * std::ldexp(1.0, 32);
  Double sum = TwoSum(first, as_double(kWords - 2, 1.0));
  Fp tail =
      as_double(kWords - 3, std::ldexp(1.0, -32)) + as_double(kWords - 4, std::ldexp(1.0, -64));
  return {TimesHalfPi(FastTwoSum(sum.hi, sum.lo + tail), std::ldexp(1.0, -62)), quadrant};
}

Reduced Reduce(const Fp& a) {
  Reduced large = a.single() ? ReduceLarge32(a) : ReduceLarge64(a);
  Expr small = Lt(a, kQuarterPi.hi);
  return {{Select(small, a, large.r.hi), Select(small, 0.0, large.r.lo)},
          select(small, Word(0), large.quadrant)};
}

// Returns sin and cos of the reduced angle, each as hi + lo.
struct Kernel {
  Double sin;
  Double cos;
};
Kernel KernelOf(const Double& r) {
  Fp z = r.hi * r.hi;
  Fp half = z * 0.5;
  auto tail = [&](absl::Span<const double> single, absl::Span<const double> wide) {
    return Polynomial(z, z.single() ? single : wide);
  };
  Fp sin_tail = MultiplyAdd(r.hi * z, tail(kSinTail32, kSinTail64), r.lo * (1.0 - half));
  Fp w = 1.0 - half;
  Fp cos_tail =
      ((1.0 - w) - half) + MultiplyAdd(z * z, tail(kCosTail32, kCosTail64), Negate(r.hi * r.lo));
  return {{r.hi, sin_tail}, {w, cos_tail}};
}

Expr IsOdd(const Expr& quadrant) { return (quadrant & Word(1)) != Word(0); }

// Returns the sign bit of the width of `like` where bit 1 of `quadrant` is set.
Expr HalfTurnSign(const Fp& like, const Expr& quadrant) {
  return cast(like.uint_type(), (quadrant >> Word(1)) & Word(1))
         << UConst(like, like.type().bits() - 1);
}

absl::Span<const double> AtanTail(const Fp& x) {
  if (x.single()) return kAtanTail32;
  return kAtanTail64;
}

}  // namespace

SinCosPair SinCos(const Fp& x) {
  Reduced reduced = Reduce(Abs(x));
  Kernel kernel = KernelOf(reduced.r);
  Fp sin = kernel.sin.hi + kernel.sin.lo;
  Fp cos = kernel.cos.hi + kernel.cos.lo;
  Expr odd = IsOdd(reduced.quadrant);
  Fp s = WithSign(Select(odd, cos, sin), HalfTurnSign(x, reduced.quadrant) ^ SignBit(x));
  Fp c = WithSign(Select(odd, sin, cos), HalfTurnSign(x, reduced.quadrant + Word(1)));
  // -0 + 0 is 0, so the sign of a zero is set separately.
  s = Select(Eq(x, 0.0), x, s);
  Expr finite = IsFinite(x);
  return {Select(finite, s, Nan(x)), Select(finite, c, Nan(x))};
}

Fp Sin(const Fp& x) { return SinCos(x).sin; }
Fp Cos(const Fp& x) { return SinCos(x).cos; }

Fp Tan(const Fp& x) {
  Reduced reduced = Reduce(Abs(x));
  Kernel kernel = KernelOf(reduced.r);
  Double s = FastTwoSum(kernel.sin.hi, kernel.sin.lo);
  Double c = FastTwoSum(kernel.cos.hi, kernel.cos.lo);
  Expr odd = IsOdd(reduced.quadrant);
  // sin / cos, or -cos / sin; one Newton step makes the quotient as good as its operands' sums.
  Double numerator{Select(odd, c.hi, s.hi), Select(odd, c.lo, s.lo)};
  Double denominator{Select(odd, s.hi, c.hi), Select(odd, s.lo, c.lo)};
  Fp quotient = numerator.hi / denominator.hi;
  Fp corrected = quotient + (numerator.lo - quotient * denominator.lo) / denominator.hi;
  Expr sign = cast(x.uint_type(), reduced.quadrant & Word(1)) << UConst(x, x.type().bits() - 1);
  Fp result = WithSign(corrected, sign ^ SignBit(x));
  return Select(IsFinite(x), Select(Eq(x, 0.0), x, result), Nan(x));
}

Fp Atan2(const Fp& y, const Fp& x) {
  Fp ay = Abs(y), ax = Abs(x);
  Expr steep = Lt(ax, ay);
  Fp small = Select(steep, ax, ay), large = Select(steep, ay, ax);
  // A quarter of each: their sum cannot overflow.
  Expr huge = Gt(large, std::ldexp(1.0, x.bias() - 1));
  small = Select(huge, small * 0.25, small);
  large = Select(huge, large * 0.25, large);
  // atan(q) = pi/4 + atan((q - 1) / (q + 1)) brings q below tan(pi/8).
  Expr above = Lt(large * 0.41421356237309503, small);
  Double sum = FastTwoSum(large, small), difference = FastTwoSum(Negate(large), small);
  Fp numerator = Select(above, difference.hi, small), denominator = Select(above, sum.hi, large);
  Fp z = numerator / denominator;
  z = Select(above, z + (difference.lo - z * sum.lo) / sum.hi, z);
  Fp square = z * z;
  Fp angle = MultiplyAdd(z * square, Polynomial(square, AtanTail(z)), z);
  Double quarter = DoubleConst(x, kQuarterPi);
  angle = Select(above, quarter.hi + (angle + quarter.lo), angle);
  // Quotients of two infinities or two zeros are NaN, so they are handled here.
  angle = Select(Eq(ax, ay), Select(Eq(ax, 0.0), 0.0, quarter.hi), angle);
  Double half = DoubleConst(x, kHalfPi), whole = DoubleConst(x, kPi);
  angle = Select(steep, half.hi - (angle - half.lo), angle);
  angle = Select(SignBit(x) != UConst(x, 0), whole.hi - (angle - whole.lo), angle);
  return Select(IsNan(x) || IsNan(y), Nan(x), CopySign(angle, y));
}

}  // namespace halyard::lowering::numerics
