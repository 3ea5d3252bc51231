// Measures errors in units in the last place.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_ULP_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_ULP_H_

#include <cmath>
#include <limits>

namespace halyard::lowering::testing {

// |got - want| in ulps of the binary format with `digits` (including the implied one) and least
// normal exponent `emin`, around `want`; 0 for NaN and NaN, equal infinities or zeros of any sign;
// infinite for a NaN or an infinity in the wrong place. `want` rounds to infinity from `overflow`
// on.
inline double UlpError(double got, long double want, int digits, int emin, long double overflow) {
  if (std::isnan(want) || std::isnan(got)) {
    return std::isnan(want) == std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  }
  if (std::isinf(got) || std::isinf(want)) {
    const bool both =
        std::fabs(want) >= overflow && std::isinf(got) && std::signbit(got) == std::signbit(want);
    if (both) return 0;
    if (std::isinf(want) || std::fabs(want) < overflow * 0.9999L)
      return std::numeric_limits<double>::infinity();
  }
  int exponent = emin;
  if (want != 0) exponent = std::max(std::ilogb(want), emin);
  const long double ulp = std::ldexp(1.0L, exponent - digits + 1);
  // An infinite result just below the overflow threshold counts as the next power of two.
  const long double value =
      std::isinf(got) ? std::copysign(std::ldexp(1.0L, exponent + 1), got) : got;
  return static_cast<double>(std::fabs(value - want) / ulp);
}
inline double UlpError32(float got, long double want) {
  return UlpError(got, want, 24, -126, 0x1.ffffffp127L);
}
inline double UlpError64(double got, long double want) {
  return UlpError(got, want, 53, -1022, 0x1.fffffffffffff8p1023L);
}

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_ULP_H_
