// How far a candidate's outputs may be from the oracle's.
#ifndef HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_
#define HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_

#include <vector>

#include "autotuner/rules/made_up_inputs.h"
#include "autotuner/rules/output_rule.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// Returns one rule for each output, with a `scale` of 0. The rules allow what docs/numerics.md
// leaves open (docs/tuning.md, "What is measured", gives the numbers):
// - Strict ops are rounded once, in the same way everywhere, so their bits are defined.
// - Sums of n terms, and functions such as exp, may be off by 64 + 8√n units of the type in which
//   they are computed, relative to the largest result.
// - If such a value is then rounded to few bits, the result may be a neighbour: it may be off by
// one
//   unit of that type, relative to the element, if the rounding comes last.
// - If more is computed from such a rounded value, results may be off by up to four units, relative
//   to the largest result.
// Values that are whole numbers (kWhole) are exact in any order.
std::vector<OutputRule> RulesOf(const hlo::Module& module, InputKind kind = InputKind::kPlain,
                                const Specials& specials = {});

// Returns the rules for a whole program, whose ops enlarge the errors of those before them: they
// allow 16 times as much as for one kernel, but no more than a hundredth unless one kernel's rules
// do.
std::vector<OutputRule> ProgramRulesOf(const hlo::Module& module,
                                       InputKind kind = InputKind::kPlain,
                                       const Specials& specials = {});

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_ROUNDING_RULES_H_
