// Makes up inputs for a kernel, and computes by the reference evaluator what the kernel must give
// for them.
#ifndef HALYARD_AUTOTUNER_MEASURE_ORACLE_H_
#define HALYARD_AUTOTUNER_MEASURE_ORACLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "autotuner/measure/trial_data.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::autotuner {

// A kernel for which the evaluator has more work than this (WorkOf in sampled_kernel.h; about half
// a second for each case) is evaluated in part.
inline constexpr double kMostOracleWork = 32 << 20;

// Makes three cases: plain values, whole numbers and special values
// (autotuner/rules/made_up_inputs.h). Each has the outputs that the evaluator computes, and the
// rules by which to compare them. If the evaluator has more than `most_work` to do for a case, it
// computes samples of the outputs where that is possible. Outputs that took the evaluator longer
// than `keep_after` seconds are kept in `folder` for the next time, unless it is "". Uses a thread
// for each case.
absl::StatusOr<TrialData> MakeTrialData(const lowering::KernelRequest& request,
                                        const std::string& folder = "", double keep_after = 0.3,
                                        double most_work = kMostOracleWork);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_ORACLE_H_
