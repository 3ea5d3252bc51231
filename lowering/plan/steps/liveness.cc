#include "lowering/plan/steps/liveness.h"

#include <algorithm>

namespace halyard::lowering {
namespace {

using Step = ProgramSpec::Step;

class Analysis {
 public:
  Analysis(const ProgramSpec& spec, const std::function<void(const StepLiveness&)>& visit)
      : spec_(spec), visit_(visit) {
    first_.resize(spec.sequences.size());
    last_.resize(spec.sequences.size());
    int64_t next = 0;
    Number(0, &next);
  }

  // Returns what is live before the sequence, given what is live after it. Reports steps if
  // `report`.
  LiveSet Sequence(int32_t index, LiveSet live, bool report, int depth) {
    const std::vector<Step>& steps = spec_.sequences[index].steps;
    for (size_t i = steps.size(); i-- > 0;) {
      LiveSet after = live;
      live = Transfer(steps[i], std::move(live), report, depth);
      if (!report) continue;
      visit_({index, static_cast<int32_t>(i), first_[index][i], last_[index][i], depth, &live,
              &after});
    }
    return live;
  }

 private:
  void Number(int32_t sequence, int64_t* next) {
    for (const Step& step : spec_.sequences[sequence].steps) {
      int64_t first = (*next)++;
      for (int32_t inner : step.sequences) Number(inner, next);
      first_[sequence].push_back(first);
      last_[sequence].push_back(*next - 1);
    }
  }

  static void Unite(const LiveSet& from, LiveSet* to) {
    for (size_t i = 0; i < from.size(); ++i) {
      if (from[i]) (*to)[i] = true;
    }
  }

  LiveSet Transfer(const Step& step, LiveSet live, bool report, int depth) {
    if (step.kind == Step::Kind::kWhile) {
      live = Loop(step, std::move(live), report, depth);
    } else if (step.kind == Step::Kind::kCase) {
      LiveSet before(live.size());
      for (int32_t branch : step.sequences) Unite(Sequence(branch, live, report, depth), &before);
      live = std::move(before);
    } else {
      for (int32_t a : WritesOf(step)) live[a] = false;
    }
    for (int32_t a : ReadsOf(step)) live[a] = true;
    return live;
  }

  // (condition body)* condition: what is live before the condition is the fixed point.
  LiveSet Loop(const Step& step, const LiveSet& after, bool report, int depth) {
    bool test = step.trip_count < 0;
    auto around = [&](const LiveSet& before_body, bool last) {
      LiveSet live = after;  // after the condition
      Unite(before_body, &live);
      if (!test) return live;
      live[step.slices[0].allocation] = true;
      return Sequence(step.sequences[0], std::move(live), last, depth + 1);
    };
    LiveSet before_body(after.size());
    while (true) {
      LiveSet next = Sequence(step.sequences[1], around(before_body, false), false, depth + 1);
      if (next == before_body) break;
      before_body = std::move(next);
    }
    if (report) Sequence(step.sequences[1], around(before_body, false), true, depth + 1);
    LiveSet before = around(before_body, report);
    return before;
  }

  const ProgramSpec& spec_;
  const std::function<void(const StepLiveness&)>& visit_;
  std::vector<std::vector<int64_t>> first_, last_;
};

}  // namespace

std::vector<int32_t> ReadsOf(const Step& step) {
  std::vector<int32_t> reads;
  // The condition writes a loop's flag; a loop of known length has no flag.
  if (step.kind == Step::Kind::kWhile) return reads;
  int32_t inputs = step.kind == Step::Kind::kCopy ? 1 : step.num_inputs;
  for (int32_t i = 0; i < inputs; ++i) reads.push_back(step.slices[i].allocation);
  return reads;
}

std::vector<int32_t> WritesOf(const Step& step) {
  std::vector<int32_t> writes;
  if (step.kind == Step::Kind::kWhile) return writes;
  size_t inputs = step.kind == Step::Kind::kCopy ? 1 : step.num_inputs;
  for (size_t i = inputs; i < step.slices.size(); ++i) writes.push_back(step.slices[i].allocation);
  return writes;
}

void VisitLiveness(const ProgramSpec& spec, const std::function<void(const StepLiveness&)>& visit) {
  LiveSet live(spec.allocations.size());
  for (size_t i = 0; i < live.size(); ++i) {
    live[i] = spec.allocations[i].kind == ProgramSpec::AllocationKind::kResult;
  }
  Analysis(spec, visit).Sequence(0, std::move(live), /*report=*/true, 0);
}

std::vector<LiveRange> ComputeLiveRanges(const ProgramSpec& spec) {
  std::vector<LiveRange> ranges(spec.allocations.size());
  auto extend = [&](int32_t allocation, int64_t first, int64_t last) {
    LiveRange& range = ranges[allocation];
    range.first = std::min(range.first, first);
    range.last = std::max(range.last, last);
  };
  VisitLiveness(spec, [&](const StepLiveness& at) {
    const Step& step = spec.sequences[at.sequence].steps[at.index];
    for (const ProgramSpec::Slice& slice : step.slices) {
      extend(slice.allocation, at.first, at.last);
    }
    // Between the first and the last step of a sequence outside loops, a value is live from a step
    // that writes it, or from the first, to one that reads it, or to the last.
    const bool is_control = !step.sequences.empty();
    const size_t steps = spec.sequences[at.sequence].steps.size();
    const bool at_end = at.index == 0 || static_cast<size_t>(at.index) + 1 == steps;
    if (at.depth == 0 && !is_control && !at_end) return;
    for (size_t a = 0; a < ranges.size(); ++a) {
      int32_t allocation = static_cast<int32_t>(a);
      // A value that is live on both sides of a control step is live throughout it.
      if ((*at.live_before)[a]) extend(allocation, at.first, at.first);
      if ((*at.live_after)[a]) extend(allocation, at.last, at.last);
    }
  });
  return ranges;
}

}  // namespace halyard::lowering
