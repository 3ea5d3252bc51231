// Which special values a kernel's inputs may hold so that docs/numerics.md says what its results
// are, and the values.
#ifndef HALYARD_AUTOTUNER_RULES_SPECIAL_VALUES_H_
#define HALYARD_AUTOTUNER_RULES_SPECIAL_VALUES_H_

#include <random>

#include "frontend/hlo/ir/module.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

struct Specials {
  bool not_finite = true;  // NaN and infinities
  bool denormals = true;
  // The largest and smallest normal numbers; sums of such overflow in one order and not in another.
  bool extremes = true;
  // In place of these, one large number, in one input.
  bool one_large = false;
  bool integers = true;  // the largest and smallest
  // A kernel may give NaN where the evaluator gives a number (convolutions).
  bool nan_for_number = false;
  bool signed_zeros = true;  // the sign of a zero result is defined
  // Tensor cores may add products of 8-bit floats, whose sums then keep 14 bits.
  bool short_sums = false;
};
Specials SpecialsFor(const hlo::Module& module, const runtime::DeviceInfo& device);

// Puts special values into some places of an array, not of a small one, which all results may
// depend on. `large`: Specials::one_large is put here.
void AddSpecials(const Specials& specials, bool large, std::mt19937_64* random,
                 hlo::Literal* literal);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_SPECIAL_VALUES_H_
