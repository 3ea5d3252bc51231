// Makes up inputs for a kernel or program. They are the same every time.
#ifndef HALYARD_AUTOTUNER_RULES_MADE_UP_INPUTS_H_
#define HALYARD_AUTOTUNER_RULES_MADE_UP_INPUTS_H_

#include <vector>

#include "autotuner/rules/special_values.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

enum class InputKind {
  kPlain,    // floats within [-2, 2], small integers
  kWhole,    // floats that are -2, -1, 1 or 2: sums are exact, so a lost term shows in every type
  kSpecial,  // as kPlain, with NaN, infinities, -0, denormals and extremes among them
};

// Returns a value for each parameter of the entry. Integers that are indices (of gather, scatter,
// dynamic slices) are within what they index, and are distinct or sorted where the kernel relies on
// it. With kSpecial, some are out of bounds, where that is defined. `specials` says which special
// values kSpecial may hold.
std::vector<hlo::Literal> MadeUpInputs(const hlo::Module& module,
                                       InputKind kind = InputKind::kPlain,
                                       const Specials& specials = {});

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_MADE_UP_INPUTS_H_
