// Says when an output of a candidate counts as equal to the oracle's.
#ifndef HALYARD_AUTOTUNER_RULES_OUTPUT_RULE_H_
#define HALYARD_AUTOTUNER_RULES_OUTPUT_RULE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "frontend/hlo/values/element_type.h"

namespace halyard::autotuner {

// An element g of a float type counts as equal to the oracle's element w if
//
//   |g - w| <= of_largest * max(scale, |w|) + of_element * |w| + absolute
//
// NaN is equal to NaN only, and an infinity to itself only, unless the rule says otherwise.
// Elements of other types must have the oracle's bits.
struct OutputRule {
  hlo::ElementType type = hlo::ElementType::kS32;  // for a complex output, that of its parts
  double of_largest = 0;                           // because sums may be formed in another order
  double of_element = 0;                           // because values may be rounded otherwise
  double absolute = 0;                             // because denormals may be rounded or flushed
  double scale = 0;                                // the largest magnitude in the oracle's output
  // How many elements of an integer or PRED output may differ, because inexact numbers may have
  // been compared or rounded to get them.
  int64_t may_differ = 0;
  bool signed_zeros = false;  // -0 and +0 are different
  // NaN is accepted for any value (docs/numerics.md: padding, Winograd).
  bool nan_for_number = false;
  // NaN is accepted for an infinity, and the reverse (docs/numerics.md: attention), but not one
  // infinity for the other.
  bool nan_for_infinity = false;
  // A number is accepted for NaN. This is so only if the "oracle" is another candidate, for which
  // NaN was accepted.
  bool number_for_nan = false;
};

// Returns the rule by which to compare two outputs that are both right by `rule`: they may be twice
// as far from each other. `scale` is the largest magnitude in the one to compare with.
OutputRule RuleBetween(const OutputRule& rule, double scale);

// Compares an output's bytes. Returns what is wrong, or "". Raises `*difference` to the largest
// |g - w| / max(scale, |w|) of the output. Where bits must be equal and are not, this counts as 1.
std::string CompareOutput(absl::string_view got, absl::string_view want, const OutputRule& rule,
                          double* difference);

// Returns the OutputRule::scale of an output, its largest finite magnitude.
double LargestOf(absl::string_view bytes, hlo::ElementType type);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_OUTPUT_RULE_H_
