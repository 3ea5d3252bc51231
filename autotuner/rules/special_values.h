// Says which special values a kernel's inputs may hold such that docs/numerics.md defines its
// results, and puts them into inputs.
#ifndef HALYARD_AUTOTUNER_RULES_SPECIAL_VALUES_H_
#define HALYARD_AUTOTUNER_RULES_SPECIAL_VALUES_H_

#include <random>

#include "frontend/hlo/ir/module.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

struct Specials {
  bool not_finite = true;  // NaN and infinities
  bool denormals = true;
  // The largest and smallest normal numbers. Sums of these overflow in one order and not in
  // another.
  bool extremes = true;
  // One large number, in one input, in place of the extremes.
  bool one_large = false;
  bool integers = true;  // the largest and smallest integers
  // A kernel may give NaN where the evaluator gives a number (convolutions).
  bool nan_for_number = false;
  bool signed_zeros = true;  // the sign of a zero result is defined
  // Tensor cores may add products of 8-bit floats. The sums then keep 14 bits.
  bool short_sums = false;
};
Specials SpecialsFor(const hlo::Module& module, const runtime::DeviceInfo& device);

// Puts special values into some elements of an array. Leaves small arrays as they are, because all
// results may depend on each element. `large` says that the number of Specials::one_large goes into
// this array.
void AddSpecials(const Specials& specials, bool large, std::mt19937_64* random,
                 hlo::Literal* literal);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_SPECIAL_VALUES_H_
