// Liveness of a program's allocations, exact across loops and branches.
#ifndef HALYARD_LOWERING_PLAN_STEPS_LIVENESS_H_
#define HALYARD_LOWERING_PLAN_STEPS_LIVENESS_H_

#include <functional>
#include <vector>

#include "runtime/program/program_spec.h"

namespace halyard::lowering {

using LiveSet = std::vector<bool>;  // one for each allocation

// Returns the allocations that `step` itself reads and writes, without those of its sequences.
std::vector<int32_t> ReadsOf(const ProgramSpec::Step& step);
std::vector<int32_t> WritesOf(const ProgramSpec::Step& step);

// A step with its place in the order of execution (loops and branches are laid out once, and the
// control step comes before its sequences), the last place of what it contains, and what is live
// after it.
struct StepLiveness {
  int32_t sequence = 0;
  int32_t index = 0;
  int64_t first = 0, last = 0;
  int depth = 0;  // number of loops around it
  const LiveSet* live_before = nullptr;
  const LiveSet* live_after = nullptr;
};

// Calls `visit` once for each step, the last step first. Results are live at the end of the
// program.
void VisitLiveness(const ProgramSpec& spec, const std::function<void(const StepLiveness&)>& visit);

// The places through which an allocation must keep its bytes. If first > last, it is never used.
struct LiveRange {
  int64_t first = INT64_MAX, last = -1;
  bool used() const { return first <= last; }
};
std::vector<LiveRange> ComputeLiveRanges(const ProgramSpec& spec);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_LIVENESS_H_
