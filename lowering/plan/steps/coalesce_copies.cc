// Removes copies that the step builder made freely, by giving both sides one allocation where the
// two do not interfere (G. Chaitin, Register allocation and spilling via graph coloring, 1982: two
// values interfere if one is written, other than by a copy of the other, while the other is live).
#include <algorithm>
#include <unordered_set>

#include "lowering/plan/steps/liveness.h"
#include "lowering/plan/steps/plan.h"
#include "runtime/program/program_format.h"

namespace halyard::lowering {
namespace {

using AllocationKind = ProgramSpec::AllocationKind;
using Step = ProgramSpec::Step;

class Coalescer {
 public:
  explicit Coalescer(Plan* plan) : plan_(*plan), spec_(plan->spec) {
    for (size_t i = 0; i < spec_.allocations.size(); ++i) into_.push_back(static_cast<int32_t>(i));
    neighbours_.resize(into_.size());
    FindCandidates();
  }

  void Run() {
    VisitLiveness(spec_, [&](const StepLiveness& at) { Visit(at); });
    // Inner loops come first, because their copies cost most. Otherwise the order is the program's.
    std::stable_sort(copies_.begin(), copies_.end(), [](const Copy& a, const Copy& b) {
      return a.depth != b.depth ? a.depth > b.depth : a.place < b.place;
    });
    for (const Copy& copy : copies_) TryMerge(copy.from, copy.to);
    DecideDonations();
    Rename();
  }

 private:
  struct Copy {
    int depth;
    int64_t place;
    int32_t from, to;
  };

  // Only allocations that are copied or donated may be merged with others. Of what the others
  // interfere with, nobody asks.
  void FindCandidates() {
    std::vector<bool> found(into_.size());
    for (const ProgramSpec::Sequence& sequence : spec_.sequences) {
      for (const Step& step : sequence.steps) {
        if (step.kind != Step::Kind::kCopy) continue;
        for (const ProgramSpec::Slice& slice : step.slices) found[slice.allocation] = true;
      }
    }
    for (auto [parameter, result] : plan_.donations) found[parameter] = found[result] = true;
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i]) candidates_.push_back(static_cast<int32_t>(i));
    }
    is_candidate_ = std::move(found);
  }

  int32_t Find(int32_t a) const {
    while (into_[a] != a) a = into_[a];
    return a;
  }

  void Interfere(int32_t a, int32_t b) {
    if (a == b || !is_candidate_[a] || !is_candidate_[b]) return;
    neighbours_[a].insert(b);
    neighbours_[b].insert(a);
  }

  bool MayShare(const Step& step, int32_t output, int32_t input) const {
    if (step.kind != Step::Kind::kKernel) return false;
    const PlannedKernel& kernel = plan_.kernels[step.kernel];
    auto holds = [&](const std::vector<std::pair<int32_t, int32_t>>& pairs) {
      return std::find(pairs.begin(), pairs.end(), std::pair(output, input)) != pairs.end();
    };
    return holds(kernel.may_alias) || holds(kernel.must_alias);
  }

  void Visit(const StepLiveness& at) {
    const Step& step = spec_.sequences[at.sequence].steps[at.index];
    bool copy = step.kind == Step::Kind::kCopy;
    if (copy) {
      copies_.push_back({at.depth, at.first, step.slices[0].allocation, step.slices[1].allocation});
    }
    std::vector<int32_t> writes = WritesOf(step), reads = ReadsOf(step);
    for (int32_t written : writes) {
      if (!is_candidate_[written]) continue;
      for (int32_t live : candidates_) {
        if (!(*at.live_after)[live] || (copy && live == reads[0])) continue;
        Interfere(written, live);
      }
      for (int32_t other : writes) Interfere(written, other);
    }
    if (copy) return;
    for (size_t o = 0; o < writes.size(); ++o) {
      for (size_t i = 0; i < reads.size(); ++i) {
        if (!MayShare(step, static_cast<int32_t>(o), static_cast<int32_t>(i))) {
          Interfere(writes[o], reads[i]);
        }
      }
    }
  }

  bool IsTemp(int32_t a) const { return spec_.allocations[a].kind == AllocationKind::kTemp; }

  bool Interferes(int32_t a, int32_t b) const {
    return std::any_of(neighbours_[a].begin(), neighbours_[a].end(),
                       [&](int32_t n) { return Find(n) == b; });
  }

  void TryMerge(int32_t from, int32_t to) {
    from = Find(from);
    to = Find(to);
    if (from == to) return;
    const ProgramSpec::Allocation& a = spec_.allocations[from];
    const ProgramSpec::Allocation& b = spec_.allocations[to];
    auto mergeable = [](const ProgramSpec::Allocation& x) {
      return x.kind == AllocationKind::kTemp || x.kind == AllocationKind::kResult;
    };
    if (!mergeable(a) || !mergeable(b) || a.bytes != b.bytes) return;
    if (a.kind == AllocationKind::kResult && b.kind == AllocationKind::kResult) return;
    if (a.space != b.space) {
      bool result = a.kind == AllocationKind::kResult || b.kind == AllocationKind::kResult;
      if (!plan_.one_memory || result) return;
    }
    if (Interferes(from, to)) return;
    int32_t kept = IsTemp(to) ? from : to;
    int32_t gone = kept == to ? from : to;
    if (a.space != b.space) spec_.allocations[kept].space = MemorySpace::kHost;
    into_[gone] = kept;
    neighbours_[kept].insert(neighbours_[gone].begin(), neighbours_[gone].end());
    for (int32_t n : neighbours_[gone]) neighbours_[n].insert(kept);
  }

  // A donated parameter's buffer may become the result's, if nothing writes the result while the
  // parameter is needed.
  void DecideDonations() {
    std::vector<std::pair<int32_t, int32_t>> decided;
    for (auto [parameter, result] : plan_.donations) {
      int64_t& donated = spec_.parameters[spec_.allocations[parameter].number].donated_to_result;
      donated = runtime::program_format::kDonatedToNone;
      if (Interferes(parameter, Find(result))) continue;
      donated = spec_.allocations[result].number;
      decided.push_back({parameter, result});
    }
    plan_.donations = std::move(decided);
  }

  void Rename() {
    for (ProgramSpec::Sequence& sequence : spec_.sequences) {
      for (Step& step : sequence.steps) {
        for (ProgramSpec::Slice& slice : step.slices) slice.allocation = Find(slice.allocation);
      }
      std::erase_if(sequence.steps, [](const Step& step) {
        return step.kind == Step::Kind::kCopy &&
               step.slices[0].allocation == step.slices[1].allocation;
      });
    }
  }

  Plan& plan_;
  ProgramSpec& spec_;
  std::vector<int32_t> into_;
  std::vector<int32_t> candidates_;
  std::vector<bool> is_candidate_;
  std::vector<std::unordered_set<int32_t>> neighbours_;
  std::vector<Copy> copies_;
};

}  // namespace

void CoalesceCopies(Plan* plan) { Coalescer(plan).Run(); }

}  // namespace halyard::lowering
