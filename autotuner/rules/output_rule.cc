#include "autotuner/rules/output_rule.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace halyard::autotuner {

using hlo::ElementType;

namespace {

template <typename Bits>
uint64_t BitsAt(absl::string_view bytes, size_t i) {
  Bits bits;
  memcpy(&bits, bytes.data() + sizeof(Bits) * i, sizeof(Bits));
  return bits;
}

// Returns the value of a float. The types of most outputs are decoded without a call.
double ValueOf(ElementType type, uint64_t bits) {
  switch (type) {
    case ElementType::kBF16:
      return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    case ElementType::kF32:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case ElementType::kF64:
      return std::bit_cast<double>(bits);
    default:
      return hlo::DecodeFloat(type, bits);
  }
}

// Returns what is wrong with a float whose bits differ from the oracle's.
std::string CompareFloat(double g, double w, const OutputRule& rule, double* difference) {
  if (std::isnan(g) && (std::isnan(w) || rule.nan_for_number)) return "";
  if (std::isnan(w) && rule.number_for_nan) return "";
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

template <typename Bits>
std::string CompareElements(absl::string_view got, absl::string_view want, const OutputRule& rule,
                            double* difference) {
  const bool floats = hlo::IsFloat(rule.type);
  const size_t count = want.size() / sizeof(Bits);
  constexpr size_t kBlock = 1024;  // elements; most blocks of a candidate's output are equal
  int64_t differ = 0;
  std::string first;
  for (size_t begin = 0; begin < count; begin += kBlock) {
    const size_t end = std::min(begin + kBlock, count), bytes = (end - begin) * sizeof(Bits);
    if (got.substr(begin * sizeof(Bits), bytes) == want.substr(begin * sizeof(Bits), bytes))
      continue;
    for (size_t i = begin; i < end; ++i) {
      const uint64_t g = BitsAt<Bits>(got, i), w = BitsAt<Bits>(want, i);
      if (g == w) continue;
      if (floats) {
        const std::string wrong =
            CompareFloat(ValueOf(rule.type, g), ValueOf(rule.type, w), rule, difference);
        if (!wrong.empty()) return absl::StrCat("element ", i, " ", wrong);
        continue;
      }
      *difference = 1;
      if (++differ == 1) first = absl::StrCat("element ", i, " has the bits ", g, ", not ", w);
    }
  }
  if (differ <= rule.may_differ) return "";
  return absl::StrCat(first, "; ", differ, " elements differ");
}

// Calls run(Bits()) with an unsigned integer of the type's width.
template <typename Run>
auto ByWidth(ElementType type, const Run& run) {
  switch (hlo::StorageBytes(type)) {
    case 1:
      return run(uint8_t{});
    case 2:
      return run(uint16_t{});
    case 4:
      return run(uint32_t{});
    default:
      return run(uint64_t{});
  }
}

}  // namespace

OutputRule RuleBetween(const OutputRule& rule, double scale) {
  OutputRule between = rule;
  between.of_largest *= 2;
  between.of_element *= 2;
  between.absolute *= 2;
  between.may_differ *= 2;
  between.scale = scale;
  between.number_for_nan = rule.nan_for_number;
  return between;
}

std::string CompareOutput(absl::string_view got, absl::string_view want, const OutputRule& rule,
                          double* difference) {
  if (got.size() != want.size()) return absl::StrCat(got.size(), " bytes, not ", want.size());
  if (got == want) return "";
  const auto width = static_cast<size_t>(hlo::StorageBytes(rule.type));
  if (want.size() % width != 0) return absl::StrCat(want.size(), " bytes are no whole elements");
  return ByWidth(rule.type, [&](auto bits) {
    return CompareElements<decltype(bits)>(got, want, rule, difference);
  });
}

double LargestOf(absl::string_view bytes, ElementType type) {
  if (!hlo::IsFloat(type)) return 0;
  return ByWidth(type, [&](auto bits) {
    using Bits = decltype(bits);
    double largest = 0;
    for (size_t i = 0; i < bytes.size() / sizeof(Bits); ++i) {
      const double value = std::abs(ValueOf(type, BitsAt<Bits>(bytes, i)));
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
    return largest;
  });
}

}  // namespace halyard::autotuner
