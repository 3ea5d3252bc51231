// When an output of a candidate counts as the oracle's.
#ifndef HALYARD_AUTOTUNER_RULES_OUTPUT_RULE_H_
#define HALYARD_AUTOTUNER_RULES_OUTPUT_RULE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "frontend/hlo/values/element_type.h"

namespace halyard::autotuner {

// An element g of a float type counts as the oracle's w if
//
//   |g - w| <= of_largest * max(scale, |w|) + of_element * |w| + absolute
//
// NaN counts for NaN only and an infinity for itself only, unless the rule says otherwise. Elements
// of other types must have the oracle's bits.
struct OutputRule {
  hlo::ElementType type = hlo::ElementType::kS32;  // of a complex output: that of its parts
  double of_largest = 0;                           // sums may be formed in another order
  double of_element = 0;                           // and what is rounded may be rounded otherwise
  double absolute = 0;                             // denormals may be rounded, or flushed
  double scale = 0;                                // the largest of what the oracle gives
  // How many elements of integers and PRED may differ all the same: those that inexact numbers were
  // compared or rounded for.
  int64_t may_differ = 0;
  bool signed_zeros = false;    // -0 does not count for +0
  bool nan_for_number = false;  // NaN counts for anything (docs/numerics.md: padding, Winograd)
  // NaN and infinities count for each other (docs/numerics.md: attention); +inf for -inf does not.
  bool nan_for_infinity = false;
};

// Compares an output's bytes. Returns what is wrong, or "". `difference`: the largest quotient of
// |g - w| and max(scale, |w|) becomes at least this output's; 1 where bits must be equal and are
// not.
std::string CompareOutput(absl::string_view got, absl::string_view want, const OutputRule& rule,
                          double* difference);

// OutputRule::scale of an output: its largest finite number.
double LargestOf(absl::string_view bytes, hlo::ElementType type);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_OUTPUT_RULE_H_
