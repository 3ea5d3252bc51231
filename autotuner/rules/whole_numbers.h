// Says which values of a kernel are whole numbers, exactly, whatever the order of its sums.
#ifndef HALYARD_AUTOTUNER_RULES_WHOLE_NUMBERS_H_
#define HALYARD_AUTOTUNER_RULES_WHOLE_NUMBERS_H_

#include <map>

#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// Maps float instructions of the entry to the largest |value| that they can have. It contains those
// whose every value is a whole number that each way to compute it gives exactly, if the parameters
// are whole numbers of at most kLargestWhole. Others are left out.
inline constexpr double kLargestWhole = 2;
std::map<const hlo::Instruction*, double> WholeNumbers(const hlo::Module& module);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_WHOLE_NUMBERS_H_
