// Finds program-level choices (lowering/passes/choices.h) by measured times: where to cut, what to
// compute again and what to store, which attention to keep whole.
//
// A plan costs the sum over its kernels of (time + launch) × uses. The fusion pass visits
// instructions from results towards inputs, so at each of them a plan is what is closed already,
// and a frontier: the kernels that may still grow. Plans with the same frontier have the same
// future, and only the cheapest is kept: dynamic programming over the frontier (R. Bellman, 1957;
// as a search over a graph's frontiers: D. Knuth, TAOCP 4A, 7.1.4, "simpath"). On a chain of n
// instructions there are at most n frontiers at each place, and the best plan is found. Where a
// graph is wide there are exponentially many: then the `beam` that are cheapest, what is open
// counted as if it were closed, are kept, and the best plan may be missed.
//
// Most kernels of most plans are never measured. What is not known is taken at what it costs at
// least (PlanSearchOptions::optimism), the best plan by that is found, its kernels are measured,
// and so on until the best plan has only measured ones (LazySP: C. Dellin, S. Srinivasa, "A
// unifying formalism for shortest path problems with expensive edge evaluations", 2016). Bounds
// that do not exceed the truth make the answer the same as if all had been measured.
//
// What depends on the whole plan (which results are written over their inputs, copies, memory) is
// not in the costs: the winner is to be run beside the default.
#ifndef HALYARD_AUTOTUNER_PLAN_SEARCH_H_
#define HALYARD_AUTOTUNER_PLAN_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"
#include "lowering/kernel_request.h"
#include "lowering/passes/compile_plan.h"
#include "lowering/passes/kernel_cost.h"

namespace halyard::autotuner {

// Seconds of one launch of a kernel, by its KernelKey.
class KernelTimes {
 public:
  virtual ~KernelTimes() = default;
  // Nothing: it has not been measured.
  virtual std::optional<double> Known(const lowering::KernelRequest& request) = 0;
  // Measures it. A status in a result: this kernel does not work, and no plan may have it; the
  // outer one: nothing can be measured any more.
  virtual absl::StatusOr<std::vector<absl::StatusOr<double>>> Measure(
      absl::Span<const lowering::KernelRequest> requests) = 0;
};

struct PlanSearchOptions {
  int64_t beam = 24;
  int64_t most_measured = 48;  // kernels
  int64_t most_rounds = 24;    // of planning and measuring
  double launch_seconds = 2e-6;
  // Of a run of the program as it is: a launch costs what its kernels' own times leave of it, for
  // each. 0: not known.
  double program_seconds = 0;
  // Choices that promise less of the program's time are not worth making.
  double min_gain = 0.005;
  // A kernel that is not measured is taken to reach the flops and bytes per second that the
  // device's maker states, and at least this many times the bytes of the best measured one; 0: to
  // take no time at all.
  double optimism = 4;
  // Asked between kernels: true ends the search with the best that is known.
  std::function<bool()> stopped;
  // Told of each round: kernels measured so far, of at most how many, and what is promised now, as
  // a share of the default's time.
  std::function<void(int64_t measured, int64_t most, double promised)> progress;
};

struct PlanSearchResult {
  std::string choices;  // "": the rules are as good
  // Of one run, by kernels' times and launches; 0: its kernels could not all be measured.
  double default_seconds = 0;
  double seconds = 0;     // with the choices
  int64_t measured = 0;   // kernels that had to be
  int64_t states = 0;     // frontiers that were looked at
  bool complete = false;  // nothing was left out: neither by the beam nor by the limits
};

// Under `plan.choices`, which are the default then. Errors: PlanProgram's, and KernelTimes'.
absl::StatusOr<PlanSearchResult> SearchPlan(const hlo::Module& module,
                                            const lowering::PlanOptions& plan, KernelTimes* times,
                                            const PlanSearchOptions& options = {});

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_PLAN_SEARCH_H_
