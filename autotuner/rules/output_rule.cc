#include "autotuner/rules/output_rule.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace halyard::autotuner {

using hlo::ElementType;

namespace {

uint64_t BitsAt(absl::string_view bytes, size_t width, size_t i) {
  uint64_t bits = 0;
  memcpy(&bits, bytes.data() + width * i, width);
  return bits;
}

// Returns what is wrong with a float whose bits differ from the oracle's.
std::string CompareFloat(double g, double w, const OutputRule& rule, double* difference) {
  if (std::isnan(g) && (std::isnan(w) || rule.nan_for_number)) return "";
  if (rule.nan_for_infinity &&
      ((std::isnan(g) && std::isinf(w)) || (std::isinf(g) && std::isnan(w)))) {
    return "";
  }
  if (g == w && (g != 0 || !rule.signed_zeros || std::signbit(g) == std::signbit(w))) return "";
  const double size = std::max(rule.scale, std::isfinite(w) ? std::abs(w) : 0);
  const double error = std::abs(g - w);
  if (g != w && std::isfinite(error) &&
      error <= rule.of_largest * size + rule.of_element * std::abs(w) + rule.absolute) {
    if (size > 0) *difference = std::max(*difference, error / size);
    return "";
  }
  *difference = size > 0 ? std::max(*difference, error / size) : 1;
  return absl::StrCat("is ", std::signbit(g) && g == 0 ? "-0" : absl::StrCat(g), ", not ",
                      std::signbit(w) && w == 0 ? "-0" : absl::StrCat(w));
}

}  // namespace

std::string CompareOutput(absl::string_view got, absl::string_view want, const OutputRule& rule,
                          double* difference) {
  if (got.size() != want.size()) return absl::StrCat(got.size(), " bytes, not ", want.size());
  if (got == want) return "";
  const size_t width = static_cast<size_t>(hlo::StorageBytes(rule.type));
  if (want.size() % width != 0) return absl::StrCat(want.size(), " bytes are no whole elements");
  const bool floats = hlo::IsFloat(rule.type);
  int64_t differ = 0;
  std::string first;
  for (size_t i = 0; i < want.size() / width; ++i) {
    const uint64_t g = BitsAt(got, width, i), w = BitsAt(want, width, i);
    if (g == w) continue;
    if (floats) {
      const std::string wrong = CompareFloat(hlo::DecodeFloat(rule.type, g),
                                             hlo::DecodeFloat(rule.type, w), rule, difference);
      if (!wrong.empty()) return absl::StrCat("element ", i, " ", wrong);
      continue;
    }
    *difference = 1;
    if (++differ == 1) first = absl::StrCat("element ", i, " has the bits ", g, ", not ", w);
  }
  if (differ <= rule.may_differ) return "";
  return absl::StrCat(first, "; ", differ, " elements differ");
}

double LargestOf(absl::string_view bytes, hlo::ElementType type) {
  double largest = 0;
  if (!hlo::IsFloat(type)) return largest;
  const size_t width = static_cast<size_t>(hlo::StorageBytes(type));
  for (size_t i = 0; i < bytes.size() / width; ++i) {
    const double value = std::abs(hlo::DecodeFloat(type, BitsAt(bytes, width, i)));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

}  // namespace halyard::autotuner
