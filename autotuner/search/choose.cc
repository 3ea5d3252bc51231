#include "autotuner/search/choose.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>

namespace halyard::autotuner {

using schedules::Schedule;
using schedules::TemplateSpace;

namespace {

constexpr size_t kPool = 4096;  // schedules that are ranked

// Returns the whole space, or kPool schedules drawn from it. Each template is equally likely to be
// drawn. The order is random.
std::vector<Schedule> PoolOf(const std::vector<TemplateSpace>& space, std::mt19937_64* random) {
  std::vector<Schedule> pool;
  EnumerateSpace(space, [&pool](const Schedule& schedule) {
    pool.push_back(schedule);
    return pool.size() <= kPool;
  });
  if (pool.size() > kPool) {
    pool.clear();
    std::set<std::string> lines;
    for (size_t tries = 0; pool.size() < kPool && tries < 2 * kPool; ++tries) {
      const TemplateSpace& one = space[(*random)() % space.size()];
      Schedule schedule = one.defaults;
      for (const schedules::Knob& knob : one.knobs)
        schedule.Set(knob.name, knob.choices[(*random)() % knob.choices.size()]);
      if (lines.insert(schedule.ToString()).second) pool.push_back(std::move(schedule));
    }
  }
  std::shuffle(pool.begin(), pool.end(), *random);
  return pool;
}

// Returns how many knobs differ, or, for different templates, more than there are knobs.
size_t DistanceOf(const Schedule& a, const Schedule& b) {
  if (a.template_name() != b.template_name()) return 1000;
  size_t distance = 0;
  for (const auto& [knob, value] : a.knobs()) distance += !b.Has(knob) || b.Get(knob) != value;
  return distance;
}

class Choice {
 public:
  explicit Choice(size_t count) : count_(count) {}
  bool full() const { return chosen_.size() >= count_; }
  bool Far(const Schedule& schedule, size_t distance) const {
    return std::all_of(chosen_.begin(), chosen_.end(), [&](const Schedule& other) {
      return DistanceOf(schedule, other) >= distance;
    });
  }
  void Add(const Schedule& schedule) {
    if (!full() && lines_.insert(schedule.ToString()).second) chosen_.push_back(schedule);
  }
  void Widen(size_t count) { count_ = count; }
  std::vector<Schedule> Take() { return std::move(chosen_); }

 private:
  size_t count_;
  std::vector<Schedule> chosen_;
  std::set<std::string> lines_;
};

}  // namespace

std::vector<Schedule> ChooseCandidates(const std::vector<TemplateSpace>& space,
                                       absl::Span<const Schedule> first, const Ranker& ranker,
                                       int64_t count, uint64_t seed) {
  if (space.empty() || count <= 0) return {};
  std::mt19937_64 random(seed);
  const size_t wanted = static_cast<size_t>(count);
  Choice choice(wanted - wanted / 5);
  // Takes the defaults, and `first`, which Search moves into the space.
  Search search(space, SearchOptions(), first);
  const int64_t known = static_cast<int64_t>(space.size() + first.size());
  for (const Schedule& schedule : search.Propose(std::min(known, count))) choice.Add(schedule);

  const std::vector<Schedule> pool = PoolOf(space, &random);
  std::vector<size_t> order(pool.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (ranker) {
    const std::vector<double> scores = ranker(pool);
    std::stable_sort(order.begin(), order.end(),
                     [&scores](size_t a, size_t b) { return scores[a] < scores[b]; });
  }
  const size_t top = std::min(order.size(), 8 * wanted);
  for (size_t distance = 3; distance > 0; --distance) {
    for (size_t i = 0; i < top && !choice.full(); ++i) {
      if (choice.Far(pool[order[i]], distance)) choice.Add(pool[order[i]]);
    }
  }
  choice.Widen(wanted);
  for (const Schedule& schedule : pool) choice.Add(schedule);
  return choice.Take();
}

}  // namespace halyard::autotuner
