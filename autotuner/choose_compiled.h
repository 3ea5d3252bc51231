// Of candidates that are compiled, which are worth measuring: what ptxas says of them is known.
#ifndef HALYARD_AUTOTUNER_CHOOSE_COMPILED_H_
#define HALYARD_AUTOTUNER_CHOOSE_COMPILED_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "autotuner/history.h"

namespace halyard::autotuner {

struct CompiledCandidate {
  schedules::Schedule schedule;
  bool failed = false;  // to compile
  bool drawn = false;   // Search::Propose
  lowering::KernelResources resources;
};

// Of each whether it spills registers while another of the same template does not: the template can
// do without, so the schedule asks for too large a tile.
std::vector<bool> SpillNeedlessly(absl::Span<const CompiledCandidate> candidates);

// Places of `count` candidates to measure, in their order; of those before `count` that failed all
// (their records say so), and of the rest first those that do not spill needlessly: up to a share
// of `explore` of those that were drawn, then as `ranker` has them (null: as they come).
std::vector<size_t> ChooseCompiled(absl::Span<const CompiledCandidate> candidates, size_t count,
                                   double explore, const CompiledRanker& ranker);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_CHOOSE_COMPILED_H_
