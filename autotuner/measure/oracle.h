// What a kernel must compute: inputs that are made up for it, and its results by the reference
// evaluator.
#ifndef HALYARD_AUTOTUNER_MEASURE_ORACLE_H_
#define HALYARD_AUTOTUNER_MEASURE_ORACLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "autotuner/measure/trial_data.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::autotuner {

// Makes the three cases: plain values, whole numbers and special values
// (autotuner/rules/made_up_inputs.h), with what the evaluator makes of them, and rules. Outputs
// that took the evaluator longer than `keep_after` seconds are kept for the next time in `folder`,
// or nowhere if it is "".
absl::StatusOr<TrialData> MakeTrialData(const lowering::KernelRequest& request,
                                        const std::string& folder = "", double keep_after = 0.3);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_ORACLE_H_
