// Chooses which compiled candidates are worth measuring, by what ptxas reports about them.
#ifndef HALYARD_AUTOTUNER_SEARCH_CHOOSE_COMPILED_H_
#define HALYARD_AUTOTUNER_SEARCH_CHOOSE_COMPILED_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "autotuner/search/history.h"

namespace halyard::autotuner {

struct CompiledCandidate {
  schedules::Schedule schedule;
  bool failed = false;  // whether it failed to compile
  bool drawn = false;   // see Search::Propose
  lowering::KernelResources resources;
};

// Returns for each whether it spills registers while another of the same template does not. The
// template can then do without spilling, so the schedule asks for too large a tile.
std::vector<bool> SpillNeedlessly(absl::Span<const CompiledCandidate> candidates);

// Returns the places of `count` candidates to measure, in their order. They include the candidates
// that failed among the first `count`, so that their failures are recorded. Of the rest, those that
// do not spill needlessly come first: up to a share of `explore` of those that were drawn, then the
// others in the order of `ranker` (if null, in the given order).
std::vector<size_t> ChooseCompiled(absl::Span<const CompiledCandidate> candidates, size_t count,
                                   double explore, const CompiledRanker& ranker);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_CHOOSE_COMPILED_H_
