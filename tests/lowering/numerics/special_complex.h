// Special values of complex numbers, and rules for when a result is right.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_SPECIAL_COMPLEX_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_SPECIAL_COMPLEX_H_

#include <cfloat>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace halyard::lowering::testing {

using C = std::complex<double>;
using Long = std::complex<long double>;

inline constexpr double kInf = HUGE_VAL, kNan = NAN;

inline double Largest(bool single) { return single ? FLT_MAX : DBL_MAX; }
inline double Smallest(bool single) { return single ? FLT_MIN : DBL_MIN; }

// Returns infinities, zeros, both ends of the range, and values where exp, squares and sums reach
// these.
inline std::vector<double> SpecialParts(bool single) {
  const double largest = Largest(single), smallest = Smallest(single);
  const double top = single ? 88.5 : 709.5;  // below exp's overflow
  std::vector<double> parts = {kNan,        kInf,       0,         1,
                               0.5,         M_PI_2,     1e-5,      50,
                               top,         1.01 * top, 1.3 * top, std::sqrt(largest),
                               largest / 3, largest,    smallest};
  const size_t positive = parts.size();
  for (size_t i = 1; i < positive; ++i) {
    if (single) parts[i] = static_cast<float>(parts[i]);
    parts.push_back(-parts[i]);
  }
  return parts;
}

inline std::vector<C> Pairs(const std::vector<double>& parts) {
  std::vector<C> pairs;
  for (double re : parts) {
    for (double im : parts) pairs.emplace_back(re, im);
  }
  return pairs;
}

inline bool IsFinite(C x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }
inline bool HasNan(C x) { return std::isnan(x.real()) || std::isnan(x.imag()); }
inline bool HasInfinity(C x) { return std::isinf(x.real()) || std::isinf(x.imag()); }

// Returns whether C defines the sign of an infinite part. It does not with a NaN, or with two
// infinities.
inline bool SignsCount(C x) {
  return !HasNan(x) && !(std::isinf(x.real()) && std::isinf(x.imag()));
}

struct Tolerance {
  bool single;
  bool keeps_denormals;
  long double units = 16;  // of rounding, of the modulus
};

inline bool PartAgrees(double got, long double want, long double modulus, bool signs,
                       const Tolerance& tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  const long double unit = tolerance.single ? 0x1p-24L : 0x1p-53L;
  const long double largest = Largest(tolerance.single);
  const long double slack = tolerance.units * unit;
  if (std::isinf(got)) {
    return std::fabs(want) > largest * (1 - slack) &&
           (!signs || std::signbit(got) == std::signbit(want));
  }
  if (std::isnan(got) || std::fabs(want) > largest * (1 + slack)) return false;
  // A result below the range may be off by the smallest number, or be flushed.
  const long double floor =
      Smallest(tolerance.single) * (tolerance.keeps_denormals ? tolerance.units * 2 * unit : 1);
  const long double scale = std::isfinite(modulus) ? modulus : std::fabs(want);
  return std::fabs(got - want) <= slack * scale + floor;
}

inline bool Agrees(C got, Long want, bool signs, const Tolerance& tolerance) {
  const long double modulus = std::hypot(want.real(), want.imag());
  return PartAgrees(got.real(), want.real(), modulus, signs, tolerance) &&
         PartAgrees(got.imag(), want.imag(), modulus, signs, tolerance);
}

inline std::string Text(C x) { return absl::StrCat("(", x.real(), ", ", x.imag(), ")"); }
inline std::string Text(Long x) {
  return Text(C(static_cast<double>(x.real()), static_cast<double>(x.imag())));
}

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_SPECIAL_COMPLEX_H_
