// Chooses which schedule to try next: evolution among the measured ones, guided by a ranker, with a
// share of random exploration. A fixed seed and the same answers give the same proposals.
#ifndef HALYARD_AUTOTUNER_SEARCH_SEARCH_H_
#define HALYARD_AUTOTUNER_SEARCH_SEARCH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "schedules/schedule.h"
#include "schedules/space_text.h"

namespace halyard::autotuner {

// Returns the predicted log of seconds, or anything else that orders schedules in the same way:
// lower is better.
using Ranker = std::function<std::vector<double>(absl::Span<const schedules::Schedule>)>;

struct SearchOptions {
  uint64_t seed = 1;
  double explore = 0.2;   // share of proposals drawn from the whole space
  int64_t parents = 12;   // measured schedules that have offspring
  int64_t pool = 256;     // offspring and random schedules from which the ranker chooses
  int64_t mutations = 2;  // the most knobs that an offspring changes
};

class Search {
 public:
  // `space` is not empty. `first` holds schedules to try before others, such as those of similar
  // kernels' records. A schedule that is not in the space is moved to the nearest one that is, or
  // dropped if the space does not have its template.
  Search(std::vector<schedules::TemplateSpace> space, const SearchOptions& options,
         absl::Span<const schedules::Schedule> first = {});

  // Returns up to `count` schedules that were not proposed before, or fewer when the space is used
  // up. The first of all is the default, then come the defaults of other templates, then `first`.
  // If `drawn` is not null, it receives for each whether it was drawn from the whole space without
  // asking the ranker.
  std::vector<schedules::Schedule> Propose(int64_t count, const Ranker& ranker = nullptr,
                                           std::vector<bool>* drawn = nullptr);
  // Takes back a proposal that was not tried after all. It may be proposed again.
  void Withdraw(const schedules::Schedule& schedule) { proposed_.erase(schedule.ToString()); }
  // Returns whether there are still schedules to be tried before others.
  bool has_waiting() const { return !waiting_.empty(); }
  // Reports the result of a proposal or of an earlier search. It is then not proposed again. If
  // `seconds` < 0, it failed and has no offspring.
  void Report(const schedules::Schedule& schedule, double seconds);

  // The number of schedules in the space, or 2^63 - 1 if there are more.
  int64_t size() const { return size_; }
  int64_t proposed() const { return static_cast<int64_t>(proposed_.size()); }

 private:
  const schedules::TemplateSpace* SpaceOf(const std::string& name) const;
  schedules::Schedule Nearest(const schedules::Schedule& schedule) const;
  schedules::Schedule Random();
  schedules::Schedule Mutated(const schedules::Schedule& parent);
  schedules::Schedule Crossed(const schedules::Schedule& a, const schedules::Schedule& b);
  bool Take(const schedules::Schedule& schedule, std::vector<schedules::Schedule>* out);
  std::vector<schedules::Schedule> Pool();
  uint64_t Below(uint64_t bound);  // [0, bound)

  const std::vector<schedules::TemplateSpace> space_;
  const SearchOptions options_;
  int64_t size_ = 0;
  std::vector<schedules::Schedule> waiting_;  // to be proposed first; the last one is next
  std::set<std::string> proposed_;
  std::multimap<double, schedules::Schedule> measured_;  // by seconds
  std::mt19937_64 random_;
};

// Visits every schedule of the space, with the first knobs changing fastest, until `visit` returns
// false.
void EnumerateSpace(absl::Span<const schedules::TemplateSpace> space,
                    const std::function<bool(const schedules::Schedule&)>& visit);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_SEARCH_H_
