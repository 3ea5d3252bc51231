// What a kernel must compute: inputs made up for it, and its results by the reference evaluator.
#ifndef HALYARD_AUTOTUNER_ORACLE_H_
#define HALYARD_AUTOTUNER_ORACLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/trial_runner.h"
#include "frontend/hlo/module.h"
#include "lowering/kernel_request.h"

namespace halyard::autotuner {

// Deterministic values of the entry's parameters: floats within [-2, 2], small integers; integers
// that are indices (of gather, scatter, dynamic slices) within what they index, and distinct where
// the kernel relies on it.
std::vector<hlo::Literal> MadeUpInputs(const hlo::Module& module);

// Tolerances that follow from docs/numerics.md: strict ops agree to a few units in the last place,
// sums to a few times the square root of their number of terms, in units of the largest result.
std::vector<OutputRule> RulesOf(const hlo::Module& module);

// Inputs, expected outputs, rules. `folder`: where outputs that took the evaluator longer than
// `keep_after` seconds are kept for the next time; "": nowhere.
absl::StatusOr<TrialData> MakeTrialData(const lowering::KernelRequest& request,
                                        const std::string& folder = "", double keep_after = 0.3);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_ORACLE_H_
