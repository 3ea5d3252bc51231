#include "autotuner/search/choose_compiled.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace halyard::autotuner {

using lowering::KernelResources;
using schedules::Schedule;

std::vector<bool> SpillNeedlessly(absl::Span<const CompiledCandidate> candidates) {
  std::set<std::string> without;  // templates of candidates that do not spill
  for (const CompiledCandidate& candidate : candidates) {
    if (!candidate.failed && candidate.resources.spilled_bytes == 0)
      without.insert(candidate.schedule.template_name());
  }
  std::vector<bool> needless;
  for (const CompiledCandidate& candidate : candidates) {
    needless.push_back(!candidate.failed && candidate.resources.spills() &&
                       without.count(candidate.schedule.template_name()) != 0);
  }
  return needless;
}

std::vector<size_t> ChooseCompiled(absl::Span<const CompiledCandidate> candidates, size_t count,
                                   double explore, const CompiledRanker& ranker) {
  std::vector<Schedule> schedules;
  std::vector<KernelResources> resources;
  for (const CompiledCandidate& candidate : candidates) {
    schedules.push_back(candidate.schedule);
    resources.push_back(candidate.resources);
  }
  const std::vector<double> scores =
      ranker != nullptr ? ranker(schedules, resources) : std::vector<double>(candidates.size());
  const std::vector<bool> needless = SpillNeedlessly(candidates);
  auto to_explore = static_cast<int64_t>(std::ceil(explore * static_cast<double>(count)));
  // The first number is the kind of candidate: 0 for failed ones among the first `count`, then 1
  // for exploring, 2 for ranked, 3 for needlessly spilling and 4 for other failed ones.
  std::vector<std::tuple<int, double, size_t>> order;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const CompiledCandidate& candidate = candidates[i];
    if (candidate.failed) {
      order.emplace_back(i < count ? 0 : 4, 0, i);
    } else if (needless[i]) {
      order.emplace_back(3, scores[i], i);
    } else {
      const bool explores = candidate.drawn && to_explore-- > 0;
      order.emplace_back(explores ? 1 : 2, explores ? 0 : scores[i], i);
    }
  }
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), count));
  std::vector<size_t> chosen;
  for (const auto& [kind, score, place] : order) chosen.push_back(place);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace halyard::autotuner
