// Says which values of a kernel are exact whole numbers in any order of its sums.
#ifndef HALYARD_AUTOTUNER_RULES_WHOLE_NUMBERS_H_
#define HALYARD_AUTOTUNER_RULES_WHOLE_NUMBERS_H_

#include <map>

#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// Maps float instructions of the entry to the largest |value| that they can have. Contains only
// instructions whose values are all whole numbers that every way to compute them gives exactly, if
// the parameters are whole numbers of at most kLargestWhole in magnitude.
inline constexpr double kLargestWhole = 2;
std::map<const hlo::Instruction*, double> WholeNumbers(const hlo::Module& module);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_WHOLE_NUMBERS_H_
