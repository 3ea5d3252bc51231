// Compiles candidates for a device that need not be here, into a bundle (autotuner/bundle.h).
#ifndef HALYARD_AUTOTUNER_PLAN_H_
#define HALYARD_AUTOTUNER_PLAN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/bundle.h"
#include "autotuner/history.h"
#include "autotuner/kernel_task.h"
#include "lowering/codegen/kernel_compiler.h"

namespace halyard::autotuner {

struct PlanOptions {
  int64_t trials = 64;  // candidates of a kernel that compile, its default among them
  uint64_t seed = 1;
  int64_t warm_starts = 6;    // schedules of similar kernels in the history
  std::string oracle_folder;  // MakeTrialData
  // Candidates compiled, of how many; called as each is finished.
  std::function<void(int64_t done, int64_t all)> progress;
  std::function<bool()> stopped;  // true ends it, with kCancelled
};

struct PlanSummary {
  int64_t kernels = 0, candidates = 0;
  int64_t failed = 0;           // did not compile; their records say why
  // Compiled and left out, as they spill registers and others of the same template do not.
  int64_t spilled = 0;
  int64_t cubins = 0, ptx = 0;  // CUDA: modules that ptxas has assembled; that it has not
  int64_t bytes = 0;            // of the bundle
};

// `index`: program, target and versions; the rest is filled in. A default that does not compile is
// an error, as the program then does not either.
absl::StatusOr<PlanSummary> WritePlan(const std::vector<KernelTask>& tasks, BundleIndex index,
                                      lowering::KernelCompiler& compiler, History& history,
                                      const PlanOptions& options, const std::string& path);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_PLAN_H_
