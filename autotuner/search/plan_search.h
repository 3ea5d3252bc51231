// Finds program-level choices (lowering/plan/fuse/choices.h) by measured times: where to cut, what
// to compute again and what to store, and which attention to keep whole.
//
// A plan costs the sum over its kernels of (time + launch) × uses. The fusion pass visits
// instructions from results towards inputs. At each instruction, a plan consists of closed kernels,
// which no longer change, and a frontier: the kernels that may still grow. Plans with the same
// frontier have the same future, so only the cheapest is kept. This is dynamic programming over the
// frontier (R. Bellman, 1957; as a search over a graph's frontiers: D. Knuth, TAOCP 4A, 7.1.4,
// "simpath"). On a chain of n instructions, there are at most n frontiers at each place, and the
// best plan is found. In a wide graph, there are exponentially many. Then only the `beam` cheapest
// are kept, counting open kernels as if they were closed, and the best plan may be missed.
//
// Most kernels of most plans are never measured. An unknown kernel counts with the least that it
// costs (PlanSearchOptions::optimism). The search finds the best plan by these costs, measures its
// kernels, and repeats this until the best plan has only measured kernels (LazySP: C. Dellin, S.
// Srinivasa, "A unifying formalism for shortest path problems with expensive edge evaluations",
// 2016). If the bounds do not exceed the truth, the answer is the same as if all kernels had been
// measured.
//
// The costs do not include what depends on the whole plan: which results are written over their
// inputs, copies, and memory. So the winner must be run beside the default.
#ifndef HALYARD_AUTOTUNER_SEARCH_PLAN_SEARCH_H_
#define HALYARD_AUTOTUNER_SEARCH_PLAN_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/kernels/kernel_request.h"
#include "lowering/plan/compile_plan.h"
#include "lowering/plan/steps/kernel_cost.h"

namespace halyard::autotuner {

// The seconds of one launch of a kernel, by its KernelKey.
class KernelTimes {
 public:
  virtual ~KernelTimes() = default;
  // Returns nothing if the kernel has not been measured.
  virtual std::optional<double> Known(const lowering::KernelRequest& request) = 0;
  // Measures the kernels. An error in a result means that this kernel does not work, and no plan
  // may have it. An error of the call means that nothing can be measured any more.
  virtual absl::StatusOr<std::vector<absl::StatusOr<double>>> Measure(
      absl::Span<const lowering::KernelRequest> requests) = 0;
};

struct PlanSearchOptions {
  int64_t beam = 24;
  int64_t most_measured = 48;  // kernels
  int64_t most_rounds = 24;    // rounds of planning and measuring
  double launch_seconds = 2e-6;
  // The seconds of a run of the program as it is, or 0 if they are not known. If they are, the cost
  // of a launch is the part that the kernels' own times leave, divided by the number of launches.
  // It then replaces `launch_seconds`.
  double program_seconds = 0;
  // Choices that promise to save less than this share of the program's time are not worth making.
  double min_gain = 0.005;
  // A kernel that is not measured is assumed to reach the flops and bytes per second that the
  // device's maker states, and at least this many times the bytes per second of the best measured
  // kernel. 0 means that it is assumed to take no time at all.
  double optimism = 4;
  // Asked between kernels. If it returns true, the search ends with the best plan that is known.
  std::function<bool()> stopped;
  // Called in each round with the number of kernels measured so far, the most that will be
  // measured, and the promised time as a share of the default's.
  std::function<void(int64_t measured, int64_t most, double promised)> progress;
};

struct PlanSearchResult {
  std::string choices;  // "" if the rules are as good
  // The seconds of one run, by kernels' times and launches; 0 if not all its kernels could be
  // measured.
  double default_seconds = 0;
  double seconds = 0;     // with the choices
  int64_t measured = 0;   // kernels that had to be measured
  int64_t states = 0;     // frontiers that were examined
  bool complete = false;  // whether neither the beam nor the limits left anything out
};

// Searches with `plan.choices` as the default. Errors are those of PlanProgram and KernelTimes.
absl::StatusOr<PlanSearchResult> SearchPlan(const hlo::Module& module,
                                            const lowering::PlanOptions& plan, KernelTimes* times,
                                            const PlanSearchOptions& options = {});

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_PLAN_SEARCH_H_
