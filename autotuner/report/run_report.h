// Makes a report's kernels from a tuner and the trials that its run has logged.
#ifndef HALYARD_AUTOTUNER_REPORT_RUN_REPORT_H_
#define HALYARD_AUTOTUNER_REPORT_RUN_REPORT_H_

#include <vector>

#include "absl/types/span.h"
#include "autotuner/report/report.h"
#include "autotuner/report/run_log.h"
#include "autotuner/search/tune_program.h"

namespace halyard::autotuner {

// Trials of earlier runs, which the log does not have, come first, in the order of their records.
// Confirming trials, which time a schedule once more, are left out. `halide_calls` is not filled
// in.
std::vector<TuningReport::Kernel> ReportKernels(const ProgramTuner& tuner,
                                                absl::Span<const LoggedTrial> log);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REPORT_RUN_REPORT_H_
