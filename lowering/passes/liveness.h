// Liveness of a program's allocations, exact across loops and branches.
#ifndef HALYARD_LOWERING_PASSES_LIVENESS_H_
#define HALYARD_LOWERING_PASSES_LIVENESS_H_

#include <functional>
#include <vector>

#include "runtime/program_spec.h"

namespace halyard::lowering {

using LiveSet = std::vector<bool>;  // per allocation

// Allocations that `step` itself reads and writes (not what its sequences do).
std::vector<int32_t> ReadsOf(const ProgramSpec::Step& step);
std::vector<int32_t> WritesOf(const ProgramSpec::Step& step);

// A step with its place in the order of execution (loops and branches laid out once, the control
// step before its sequences), the last place of what it contains, and what is live after it.
struct StepLiveness {
  int32_t sequence = 0;
  int32_t index = 0;
  int64_t first = 0, last = 0;
  int depth = 0;  // of loops around it
  const LiveSet* live_before = nullptr;
  const LiveSet* live_after = nullptr;
};

// Calls `visit` once for each step, last first. Results are live at the end of the program.
void VisitLiveness(const ProgramSpec& spec, const std::function<void(const StepLiveness&)>& visit);

// Places that an allocation must keep its bytes through; first > last: never used.
struct LiveRange {
  int64_t first = INT64_MAX, last = -1;
  bool used() const { return first <= last; }
};
std::vector<LiveRange> ComputeLiveRanges(const ProgramSpec& spec);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_LIVENESS_H_
