#include "lowering/plan/steps/verify_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/plan/steps/liveness.h"

namespace halyard::lowering {
namespace {

using Allocation = ProgramSpec::Allocation;
using AllocationKind = ProgramSpec::AllocationKind;
using Step = ProgramSpec::Step;

absl::Status Wrong(const Step& step, absl::string_view what) {
  return absl::InternalError(absl::StrCat("plan: step ", step.label, ": ", what));
}

absl::Status CheckAllocations(const ProgramSpec& spec) {
  auto count = [&](AllocationKind kind) -> int64_t {
    switch (kind) {
      case AllocationKind::kParameter:
        return static_cast<int64_t>(spec.parameters.size());
      case AllocationKind::kResult:
        return static_cast<int64_t>(spec.results.size());
      case AllocationKind::kConstant:
        return static_cast<int64_t>(spec.constants.size());
      case AllocationKind::kTemp:
        return 1;
    }
    return 0;
  };
  for (const Allocation& a : spec.allocations) {
    int64_t arena = a.space == MemorySpace::kHost ? spec.host_arena_bytes : spec.device_arena_bytes;
    bool outside = a.kind == AllocationKind::kTemp &&
                   (a.offset < 0 || a.offset % 256 != 0 || a.offset + a.bytes > arena);
    if (outside || a.number < 0 || a.number >= count(a.kind) || a.bytes < 0) {
      return absl::InternalError(absl::StrCat("plan: allocation ", a.label, " is out of range"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckStep(const ProgramSpec& spec, const Step& step, std::vector<int>* uses) {
  for (const ProgramSpec::Slice& slice : step.slices) {
    if (slice.allocation < 0 || slice.allocation >= static_cast<int32_t>(spec.allocations.size())) {
      return Wrong(step, "a slice of no allocation");
    }
    const Allocation& a = spec.allocations[slice.allocation];
    if (slice.offset < 0 || slice.bytes < 0 || slice.offset + slice.bytes > a.bytes) {
      return Wrong(step, absl::StrCat("a slice beyond allocation ", a.label));
    }
  }
  if (step.kind == Step::Kind::kKernel &&
      (step.kernel < 0 || step.kernel >= static_cast<int32_t>(spec.kernels.size()))) {
    return Wrong(step, "no such kernel");
  }
  for (int32_t written : WritesOf(step)) {
    AllocationKind kind = spec.allocations[written].kind;
    if (kind == AllocationKind::kParameter || kind == AllocationKind::kConstant) {
      return Wrong(step, absl::StrCat("writes ", spec.allocations[written].label));
    }
  }
  for (int32_t inner : step.sequences) {
    if (inner <= 0 || inner >= static_cast<int32_t>(spec.sequences.size()) ||
        (*uses)[inner]++ > 0) {
      return Wrong(step, "a sequence that is missing or used twice");
    }
  }
  return absl::OkStatus();
}

// Walks through the program in the order of a run; `written` holds what has certainly been written.
absl::Status CheckOrder(const ProgramSpec& spec, int32_t sequence, LiveSet* written) {
  for (const Step& step : spec.sequences[sequence].steps) {
    for (int32_t read : ReadsOf(step)) {
      if (!(*written)[read] && spec.allocations[read].bytes > 0) {
        return Wrong(step, absl::StrCat("reads ", spec.allocations[read].label, " unwritten"));
      }
    }
    if (step.kind == Step::Kind::kWhile) {
      // The body may not run at all, so what it writes does not count.
      LiveSet inside = *written;
      if (step.trip_count < 0) {
        if (absl::Status s = CheckOrder(spec, step.sequences[0], &inside); !s.ok()) return s;
        if (!inside[step.slices[0].allocation]) return Wrong(step, "its flag is never written");
        *written = inside;
      }
      if (absl::Status s = CheckOrder(spec, step.sequences[1], &inside); !s.ok()) return s;
    } else if (step.kind == Step::Kind::kCase) {
      LiveSet all(written->size(), true);
      for (int32_t branch : step.sequences) {
        LiveSet inside = *written;
        if (absl::Status s = CheckOrder(spec, branch, &inside); !s.ok()) return s;
        for (size_t i = 0; i < all.size(); ++i) all[i] = all[i] && inside[i];
      }
      *written = all;
    }
    for (int32_t a : WritesOf(step)) (*written)[a] = true;
  }
  return absl::OkStatus();
}

// Returns whether the step, or one in its sequences, writes an allocation that `marks` counts.
bool WritesOneOf(const ProgramSpec& spec, const Step& step, const std::vector<int>& marks) {
  const std::vector<int32_t> writes = WritesOf(step);
  return std::any_of(writes.begin(), writes.end(), [&](int32_t a) { return marks[a] > 0; }) ||
         std::any_of(step.sequences.begin(), step.sequences.end(), [&](int32_t inner) {
           const std::vector<Step>& steps = spec.sequences[inner].steps;
           return std::any_of(steps.begin(), steps.end(),
                              [&](const Step& each) { return WritesOneOf(spec, each, marks); });
         });
}

// Each exchange that begins ends in its sequence, and keeps its operands until then.
absl::Status CheckExchanges(const ProgramSpec& spec, const ProgramSpec::Sequence& sequence) {
  std::vector<const Step*> begins;  // null once they have ended
  std::vector<int> given(spec.allocations.size());
  size_t open = 0;
  for (const Step& step : sequence.steps) {
    if (open > 0 && WritesOneOf(spec, step, given))
      return Wrong(step, "writes what an exchange gives others");
    const int change = step.kind == Step::Kind::kExchangeBegin ? 1 : -1;
    if (step.kind == Step::Kind::kExchangeBegin) {
      begins.push_back(&step);
    } else if (step.kind == Step::Kind::kExchangeEnd) {
      const int64_t number = step.numbers.size() == 1 ? step.numbers[0] : -1;
      if (number < 0 || number >= static_cast<int64_t>(begins.size()) ||
          begins[number] == nullptr || ReadsOf(*begins[number]) != ReadsOf(step)) {
        return Wrong(step, "ends no exchange");
      }
      begins[number] = nullptr;
    } else {
      continue;
    }
    open += change;
    for (int32_t read : ReadsOf(step)) given[read] += change;
  }
  for (const Step* begin : begins) {
    if (begin != nullptr) return Wrong(*begin, "does not end");
  }
  return absl::OkStatus();
}

absl::Status CheckOverlaps(const ProgramSpec& spec) {
  std::vector<LiveRange> ranges = ComputeLiveRanges(spec);
  std::vector<size_t> temps;
  for (size_t i = 0; i < spec.allocations.size(); ++i) {
    if (spec.allocations[i].kind == AllocationKind::kTemp && ranges[i].used()) temps.push_back(i);
  }
  std::sort(temps.begin(), temps.end(), [&](size_t a, size_t b) {
    return spec.allocations[a].offset < spec.allocations[b].offset;
  });
  for (size_t i = 0; i < temps.size(); ++i) {
    const Allocation& a = spec.allocations[temps[i]];
    for (size_t k = i + 1; k < temps.size(); ++k) {
      const Allocation& b = spec.allocations[temps[k]];
      if (b.offset >= a.offset + a.bytes) break;
      if (a.space != b.space || b.bytes == 0) continue;
      if (ranges[temps[i]].first <= ranges[temps[k]].last &&
          ranges[temps[k]].first <= ranges[temps[i]].last) {
        return absl::InternalError(
            absl::StrCat("plan: ", a.label, " and ", b.label, " are live together and overlap"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyPlan(const ProgramSpec& spec) {
  if (spec.sequences.empty()) return absl::InternalError("plan: no sequence");
  if (absl::Status s = CheckAllocations(spec); !s.ok()) return s;
  std::vector<int> uses(spec.sequences.size());
  for (const ProgramSpec::Sequence& sequence : spec.sequences) {
    for (const Step& step : sequence.steps) {
      if (absl::Status s = CheckStep(spec, step, &uses); !s.ok()) return s;
    }
  }
  LiveSet written(spec.allocations.size());
  for (size_t i = 0; i < written.size(); ++i) {
    AllocationKind kind = spec.allocations[i].kind;
    written[i] = kind == AllocationKind::kParameter || kind == AllocationKind::kConstant;
  }
  if (absl::Status s = CheckOrder(spec, 0, &written); !s.ok()) return s;
  for (const ProgramSpec::Sequence& sequence : spec.sequences) {
    if (absl::Status s = CheckExchanges(spec, sequence); !s.ok()) return s;
  }
  for (size_t i = 0; i < written.size(); ++i) {
    const Allocation& a = spec.allocations[i];
    if (a.kind == AllocationKind::kResult && a.bytes > 0 && !written[i]) {
      return absl::InternalError(absl::StrCat("plan: result ", a.number, " is never written"));
    }
  }
  return CheckOverlaps(spec);
}

}  // namespace halyard::lowering
