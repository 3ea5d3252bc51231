// Makes up inputs for a kernel, and computes by the reference evaluator what the kernel must give
// for them.
#ifndef HALYARD_AUTOTUNER_MEASURE_ORACLE_H_
#define HALYARD_AUTOTUNER_MEASURE_ORACLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "autotuner/measure/trial_data.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::autotuner {

// Makes three cases: plain values, whole numbers and special values
// (autotuner/rules/made_up_inputs.h). Each has the outputs that the evaluator computes, and the
// rules by which to compare them. Outputs that took the evaluator longer than `keep_after` seconds
// are kept in `folder` for the next time, unless it is "".
absl::StatusOr<TrialData> MakeTrialData(const lowering::KernelRequest& request,
                                        const std::string& folder = "", double keep_after = 0.3);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_ORACLE_H_
