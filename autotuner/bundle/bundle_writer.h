// Compiles candidates into a bundle (autotuner/bundle/bundle.h), for a device that need not be
// present.
#ifndef HALYARD_AUTOTUNER_BUNDLE_BUNDLE_WRITER_H_
#define HALYARD_AUTOTUNER_BUNDLE_BUNDLE_WRITER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/bundle/bundle.h"
#include "autotuner/measure/kernel_task.h"
#include "autotuner/search/history.h"
#include "codegen/service/kernel_compiler.h"

namespace halyard::autotuner {

struct PlanOptions {
  int64_t trials = 64;  // candidates of a kernel that compile, including its default
  uint64_t seed = 1;
  int64_t warm_starts = 6;    // schedules of similar kernels in the history
  std::string oracle_folder;  // see MakeTrialData
  // Called when a candidate is finished, with the number of candidates that are compiled so far and
  // the number of all candidates.
  std::function<void(int64_t done, int64_t all)> progress;
  std::function<bool()> stopped;  // if it returns true, the work ends with kCancelled
};

struct PlanSummary {
  int64_t kernels = 0, candidates = 0;
  int64_t failed = 0;  // candidates that did not compile; their records say why
  // Candidates that were compiled and left out, because they spill registers while others of the
  // same template do not.
  int64_t spilled = 0;
  int64_t cubins = 0, ptx = 0;  // CUDA: modules that ptxas has assembled, and modules that it has
                                // not
  int64_t bytes = 0;            // of the bundle
};

// `index` holds program, target and versions; this function fills in the rest. A default that does
// not compile is an error, because the program then does not compile either.
absl::StatusOr<PlanSummary> WritePlan(const std::vector<KernelTask>& tasks, BundleIndex index,
                                      lowering::KernelCompiler& compiler, History& history,
                                      const PlanOptions& options, const std::string& path);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_BUNDLE_BUNDLE_WRITER_H_
