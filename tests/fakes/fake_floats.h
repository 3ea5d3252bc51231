// Converts floats by their fields, as the fake libraries read and write them.
#ifndef HALYARD_TESTS_FAKES_FAKE_FLOATS_H_
#define HALYARD_TESTS_FAKES_FAKE_FLOATS_H_

#include <cmath>
#include <cstdint>

namespace halyard::testing {

// Types without infinities have a single NaN, which tests do not use.
inline double DecodeFloat(uint32_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const int exponent = static_cast<int>(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
  const double sign = (bits >> (exponent_bits + mantissa_bits) & 1) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1u << mantissa_bits), exponent - bias - mantissa_bits);
}

// Rounds to nearest, ties to even. Handles only normal numbers and zero, which are all that tests
// need.
inline uint32_t EncodeFloat(double value, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint32_t sign = std::signbit(value) ? 1u << (exponent_bits + mantissa_bits) : 0;
  if (value == 0) return sign;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  auto mantissa = static_cast<uint32_t>(std::nearbyint(std::ldexp(fraction, mantissa_bits + 1)));
  if (mantissa >> (mantissa_bits + 1) != 0) {
    mantissa >>= 1;
    ++exponent;
  }
  return sign | static_cast<uint32_t>(exponent - 1 + bias) << mantissa_bits |
         (mantissa & ((1u << mantissa_bits) - 1));
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_FAKES_FAKE_FLOATS_H_
