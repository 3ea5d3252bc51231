// Chooses which schedules to compile when none can be measured in between.
#ifndef HALYARD_AUTOTUNER_SEARCH_CHOOSE_H_
#define HALYARD_AUTOTUNER_SEARCH_CHOOSE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "autotuner/search/search.h"
#include "schedules/schedule.h"
#include "schedules/space_text.h"

namespace halyard::autotuner {

// Returns up to `count` different schedules of the space: every template's default, then `first`,
// then those that the ranker puts first. As long as others are left, it leaves out schedules that
// differ from a better one in only one or two knobs. The last fifth is drawn from the whole space.
// The same seed and the same answers give the same schedules.
std::vector<schedules::Schedule> ChooseCandidates(
    const std::vector<schedules::TemplateSpace>& space, absl::Span<const schedules::Schedule> first,
    const Ranker& ranker, int64_t count, uint64_t seed);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_CHOOSE_H_
