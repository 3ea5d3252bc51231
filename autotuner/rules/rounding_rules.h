// Says how far a candidate's outputs may be from the oracle's.
#ifndef HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_
#define HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_

#include <vector>

#include "autotuner/rules/made_up_inputs.h"
#include "autotuner/rules/output_rule.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// Returns a rule for each output, with `scale` still 0. The rules follow from what docs/numerics.md
// leaves open (docs/tuning.md, "What is measured", gives the numbers):
// - Strict ops are rounded once, always in the same way, so their bits are defined.
// - Sums of n terms, and functions such as exp, are right to 64 + 8√n units of the type in which
//   they are computed, relative to the largest result.
// - If such a value is then rounded to fewer bits, it may become the neighbouring number. If that
//   is the last step, this allows one unit of that type, relative to the element.
// - If more is computed from such a value, this allows at most four units, relative to the largest
//   result.
// Values that are whole numbers (kWhole) are exact in any order.
std::vector<OutputRule> RulesOf(const hlo::Module& module, InputKind kind = InputKind::kPlain,
                                const Specials& specials = {});

// Returns the rules for a whole program, whose ops enlarge the errors of those before them. They
// allow 16 times as much (`of_largest`), but no more than a hundredth, unless the rule for one
// kernel allows more than that.
std::vector<OutputRule> ProgramRulesOf(const hlo::Module& module,
                                       InputKind kind = InputKind::kPlain,
                                       const Specials& specials = {});

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_
