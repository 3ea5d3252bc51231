#include "autotuner/search/search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace halyard::autotuner {

using schedules::Knob;
using schedules::Schedule;
using schedules::TemplateSpace;

namespace {

int64_t SizeOf(absl::Span<const TemplateSpace> space) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  double size = 0;
  for (const TemplateSpace& one : space) {
    double product = 1;
    for (const Knob& knob : one.knobs) product *= static_cast<double>(knob.choices.size());
    size += product;
  }
  return size >= static_cast<double>(kMost) ? kMost : static_cast<int64_t>(size);
}

// Returns the weight with which a template is drawn. It grows with the number of schedules, because
// there is more to find. Halide's autoschedulers have few, and those are slow to compile.
uint64_t Weight(const TemplateSpace& one) {
  return static_cast<uint64_t>(
      std::bit_width(static_cast<uint64_t>(std::max<int64_t>(1, SizeOf({&one, 1})))));
}

// Returns the choice nearest to `value` by ratio, because knobs are sizes.
int64_t NearestChoice(const Knob& knob, int64_t value) {
  auto distance = [value](int64_t choice) {
    return std::abs(std::log2(1.0 + static_cast<double>(std::abs(choice))) -
                    std::log2(1.0 + static_cast<double>(std::abs(value))));
  };
  return *std::min_element(knob.choices.begin(), knob.choices.end(),
                           [&](int64_t a, int64_t b) { return distance(a) < distance(b); });
}

}  // namespace

Search::Search(std::vector<TemplateSpace> space, const SearchOptions& options,
               absl::Span<const Schedule> first)
    : space_(std::move(space)), options_(options), size_(SizeOf(space_)), random_(options.seed) {
  for (auto it = first.rbegin(); it != first.rend(); ++it) {
    if (SpaceOf(it->template_name()) != nullptr) waiting_.push_back(Nearest(*it));
  }
  for (auto it = space_.rbegin(); it != space_.rend(); ++it) waiting_.push_back(it->defaults);
}

const TemplateSpace* Search::SpaceOf(const std::string& name) const {
  for (const TemplateSpace& one : space_) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

uint64_t Search::Below(uint64_t bound) { return random_() % bound; }

Schedule Search::Nearest(const Schedule& schedule) const {
  const TemplateSpace& space = *SpaceOf(schedule.template_name());
  Schedule nearest = space.defaults;
  for (const Knob& knob : space.knobs) {
    if (schedule.Has(knob.name))
      nearest.Set(knob.name, NearestChoice(knob, schedule.Get(knob.name)));
  }
  return nearest;
}

// Draws a template by its weight, and each knob's choice with equal chances.
Schedule Search::Random() {
  uint64_t total = 0;
  for (const TemplateSpace& one : space_) total += Weight(one);
  uint64_t ticket = Below(total);
  size_t drawn = 0;
  while (ticket >= Weight(space_[drawn])) ticket -= Weight(space_[drawn++]);
  const TemplateSpace& space = space_[drawn];
  Schedule schedule = space.defaults;
  for (const Knob& knob : space.knobs)
    schedule.Set(knob.name, knob.choices[Below(knob.choices.size())]);
  return schedule;
}

// Changes one or a few knobs, mostly by a step to a neighbouring choice, now and then to any
// choice.
Schedule Search::Mutated(const Schedule& parent) {
  const TemplateSpace& space = *SpaceOf(parent.template_name());
  Schedule child = parent;
  if (space.knobs.empty()) return child;
  const uint64_t changes = 1 + Below(static_cast<uint64_t>(options_.mutations));
  for (uint64_t i = 0; i < changes; ++i) {
    const Knob& knob = space.knobs[Below(space.knobs.size())];
    const auto here = std::find(knob.choices.begin(), knob.choices.end(),
                                child.Has(knob.name) ? child.Get(knob.name) : knob.choices.front());
    const size_t at =
        here == knob.choices.end() ? 0 : static_cast<size_t>(here - knob.choices.begin());
    size_t to = Below(knob.choices.size());
    if (Below(4) != 0) {
      const bool up = Below(2) == 0;
      to = up ? std::min(at + 1, knob.choices.size() - 1) : at - std::min<size_t>(at, 1);
    }
    child.Set(knob.name, knob.choices[to]);
  }
  return child;
}

Schedule Search::Crossed(const Schedule& a, const Schedule& b) {
  if (a.template_name() != b.template_name()) return Mutated(a);
  Schedule child = a;
  for (const auto& [name, value] : b.knobs()) {
    if (Below(2) == 0) child.Set(name, value);
  }
  return child;
}

bool Search::Take(const Schedule& schedule, std::vector<Schedule>* out) {
  if (!proposed_.insert(schedule.ToString()).second) return false;
  out->push_back(schedule);
  return true;
}

// Returns offspring of the fastest schedules, and random schedules. None occurs twice or was
// proposed before.
std::vector<Schedule> Search::Pool() {
  std::vector<Schedule> parents;
  for (const auto& [seconds, schedule] : measured_) {
    if (static_cast<int64_t>(parents.size()) == options_.parents) break;
    parents.push_back(schedule);
  }
  std::vector<Schedule> pool;
  std::set<std::string> seen;
  for (int64_t attempt = 0; attempt < 8 * options_.pool; ++attempt) {
    if (static_cast<int64_t>(pool.size()) == options_.pool) break;
    Schedule child;
    if (parents.empty() || Below(4) == 0) {
      child = Random();
    } else {
      const Schedule& parent = parents[std::min(Below(parents.size()), Below(parents.size()))];
      child = Below(3) == 0 ? Crossed(parent, parents[Below(parents.size())]) : Mutated(parent);
    }
    const std::string line = child.ToString();
    if (proposed_.count(line) == 0 && seen.insert(line).second) pool.push_back(std::move(child));
  }
  return pool;
}

std::vector<Schedule> Search::Propose(int64_t count, const Ranker& ranker,
                                      std::vector<bool>* drawn) {
  std::vector<Schedule> out;
  if (drawn != nullptr) drawn->assign(static_cast<size_t>(count), false);
  const auto want = static_cast<size_t>(count);
  while (out.size() < want && !waiting_.empty()) {
    Take(waiting_.back(), &out);
    waiting_.pop_back();
  }
  if (out.size() == want) return out;
  const std::vector<Schedule> pool = Pool();
  std::vector<size_t> order(pool.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (ranker != nullptr && !pool.empty()) {
    const std::vector<double> scores = ranker(pool);
    std::stable_sort(order.begin(), order.end(),
                     [&scores](size_t a, size_t b) { return scores[a] < scores[b]; });
  }
  size_t next = 0;
  while (out.size() < want && next < order.size()) {
    const bool explore =
        static_cast<double>(Below(1 << 20)) < options_.explore * static_cast<double>(1 << 20);
    if (explore && Take(Random(), &out)) {
      if (drawn != nullptr) (*drawn)[out.size() - 1] = true;
      continue;
    }
    Take(pool[order[next++]], &out);
  }
  // Finds the rest of a small space by enumerating it.
  if (out.size() < want && size_ <= 65536) {
    EnumerateSpace(space_, [&](const Schedule& schedule) {
      Take(schedule, &out);
      return out.size() < want;
    });
  }
  return out;
}

void Search::Report(const Schedule& schedule, double seconds) {
  proposed_.insert(schedule.ToString());
  if (seconds >= 0) measured_.emplace(seconds, schedule);
}

void EnumerateSpace(absl::Span<const TemplateSpace> space,
                    const std::function<bool(const Schedule&)>& visit) {
  for (const TemplateSpace& one : space) {
    std::vector<size_t> at(one.knobs.size(), 0);
    while (true) {
      Schedule schedule = one.defaults;
      for (size_t k = 0; k < at.size(); ++k)
        schedule.Set(one.knobs[k].name, one.knobs[k].choices[at[k]]);
      if (!visit(schedule)) return;
      size_t k = 0;
      while (k < at.size() && ++at[k] == one.knobs[k].choices.size()) at[k++] = 0;
      if (k == at.size()) break;
    }
  }
}

}  // namespace halyard::autotuner
