// Random program-level choices. None of them may change results.
#ifndef HALYARD_TESTS_LOWERING_PLAN_RANDOM_CHOICES_H_
#define HALYARD_TESTS_LOWERING_PLAN_RANDOM_CHOICES_H_

#include <random>
#include <string>

#include "frontend/hlo/ir/module.h"
#include "lowering/plan/compile_plan.h"

namespace halyard::lowering {

// Returns choices for a random part of the program's values as text, or "" if it cannot be planned.
std::string RandomChoices(const hlo::Module& module, const PlanOptions& options,
                          std::mt19937* random);

}  // namespace halyard::lowering

#endif  // HALYARD_TESTS_LOWERING_PLAN_RANDOM_CHOICES_H_
