// 16-bit floats.
#ifndef HALYARD_TESTS_FAKES_PTX_HALF_H_
#define HALYARD_TESTS_FAKES_PTX_HALF_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace halyard::testing::ptx {

template <typename To, typename From>
inline To BitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
  if (exponent == 0) {
    const float value = std::ldexp(static_cast<float>(mantissa), -24);
    return BitsAs<float>(BitsAs<uint32_t>(value) | sign);
  }
  if (exponent == 31) return BitsAs<float>(sign | 0x7f800000 | mantissa << 13);
  return BitsAs<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

// Rounds to nearest, ties to even, or towards zero.
inline uint16_t DoubleToHalf(double value, bool to_zero = false) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (value >= 65520 && !(to_zero && !std::isinf(value))) return sign | 0x7c00;
  if (to_zero && value >= 65504) return sign | (std::isinf(value) ? 0x7c00 : 0x7bff);
  int exponent;
  std::frexp(value, &exponent);  // value = m * 2^exponent, 0.5 <= m < 1
  if (value == 0) return sign;
  const int last = std::max(exponent - 11, -24);  // exponent of the last bit kept
  const double scaled = std::ldexp(value, -last);
  const double rounded = to_zero ? std::trunc(scaled) : std::nearbyint(scaled);
  // Counted in units of the last bit, a carry increments the exponent by itself.
  const auto units = static_cast<uint32_t>(rounded);
  return static_cast<uint16_t>(sign | (units + (static_cast<uint32_t>(last + 24) << 10)));
}

// f8E4M3FN has no infinity. f8E5M2 is the upper half of an f16.
inline float E4m3ToFloat(uint8_t value) {
  const int exponent = value >> 3 & 0xf, mantissa = value & 7;
  const float sign = (value & 0x80) != 0 ? -1.0f : 1.0f;
  if (exponent == 15 && mantissa == 7) return std::copysign(NAN, sign);
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -9);
  return sign * std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
}
inline float E5m2ToFloat(uint8_t value) { return HalfToFloat(static_cast<uint16_t>(value << 8)); }
// Returns what tensor cores keep of a sum of products of 8-bit floats: 13 bits after the leading
// one. A double has 52, and the sum is far from a denormal one.
inline double CutSum(double sum) {
  if (!std::isfinite(sum)) return sum;
  return BitsAs<double>(BitsAs<uint64_t>(sum) & ~((uint64_t{1} << (52 - 13)) - 1));
}

inline float Bf16ToFloat(uint16_t value) {
  return BitsAs<float>(static_cast<uint32_t>(value) << 16);
}
inline uint16_t FloatToBf16(float value, bool to_zero = false) {
  const uint32_t bits = BitsAs<uint32_t>(value);
  if (std::isnan(value)) return 0x7fff;
  if (to_zero) return static_cast<uint16_t>(bits >> 16);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
// Returns the sum rounded to odd. If it is rounded again to a narrower type, the result is the same
// as if the sum had been rounded only once.
inline double AddToOdd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  if (error == 0 || !std::isfinite(sum) || (BitsAs<uint64_t>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}
inline float DoubleToFloatOdd(double value) {
  const float rounded = static_cast<float>(value);
  if (rounded == value || !std::isfinite(rounded) || (BitsAs<uint32_t>(rounded) & 1) != 0) {
    return rounded;
  }
  return std::nextafter(rounded, value > rounded ? INFINITY : -INFINITY);
}

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_HALF_H_
