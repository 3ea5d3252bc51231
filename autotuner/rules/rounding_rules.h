// How far a candidate's outputs may be from the oracle's.
#ifndef HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_
#define HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_

#include <vector>

#include "autotuner/rules/made_up_inputs.h"
#include "autotuner/rules/output_rule.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// One rule for each output, `scale` still 0, by what docs/numerics.md leaves open (docs/tuning.md,
// "What is measured", gives the numbers):
// - strict ops are rounded once, all alike: their bits are defined;
// - sums of n terms, and functions such as exp, are right to 64 + 8√n units of the type in which
//   they are computed, of the largest result;
// - so a value that is rounded to few bits behind them may become its neighbour: one unit of that
//   type, of the element, where that is the last thing that is done;
// - and where more is computed from such a value, at most four, of the largest result.
// Values that are whole numbers (kWhole) are exact whatever the order.
std::vector<OutputRule> RulesOf(const hlo::Module& module, InputKind kind = InputKind::kPlain,
                                const Specials& specials = {});

// Of a whole program, whose ops enlarge the errors of those before them: 16 times as much, but no
// more than a hundredth, where that is more than one kernel's.
std::vector<OutputRule> ProgramRulesOf(const hlo::Module& module,
                                       InputKind kind = InputKind::kPlain,
                                       const Specials& specials = {});

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_
