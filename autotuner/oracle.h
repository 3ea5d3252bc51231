// What a kernel must compute: inputs made up for it, and its results by the reference evaluator.
#ifndef HALYARD_AUTOTUNER_ORACLE_H_
#define HALYARD_AUTOTUNER_ORACLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "autotuner/trial_data.h"
#include "lowering/kernel_request.h"

namespace halyard::autotuner {

// Plain values, whole numbers, special values (autotuner/made_up_inputs.h), what the evaluator makes
// of them, and rules. `folder`: where outputs that took the evaluator longer than
// `keep_after` seconds are kept for the next time; "": nowhere.
absl::StatusOr<TrialData> MakeTrialData(const lowering::KernelRequest& request,
                                        const std::string& folder = "", double keep_after = 0.3);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_ORACLE_H_
