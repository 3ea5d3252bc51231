#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lowering/plan/rewriter.h"
#include "lowering/plan/steps/liveness.h"
#include "lowering/plan/steps/plan.h"

namespace halyard::lowering {
namespace {

using Allocation = ProgramSpec::Allocation;
using AllocationKind = ProgramSpec::AllocationKind;

constexpr int64_t kAlignment = 256;

int64_t Aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

void DropUnused(Plan* plan) {
  ProgramSpec& spec = plan->spec;
  std::vector<bool> used(spec.allocations.size());
  for (const ProgramSpec::Sequence& sequence : spec.sequences) {
    for (const ProgramSpec::Step& step : sequence.steps) {
      for (const ProgramSpec::Slice& slice : step.slices) used[slice.allocation] = true;
    }
  }
  std::vector<int32_t> renumbered(used.size(), -1);
  std::vector<Allocation> allocations;
  std::vector<const hlo::Instruction*> sources;
  std::vector<ProgramSpec::Constant> constants;
  for (size_t i = 0; i < used.size(); ++i) {
    Allocation& allocation = spec.allocations[i];
    bool interface =
        allocation.kind == AllocationKind::kParameter || allocation.kind == AllocationKind::kResult;
    if (!used[i] && !interface) continue;
    if (allocation.kind == AllocationKind::kConstant) {
      constants.push_back(std::move(spec.constants[allocation.number]));
      allocation.number = static_cast<int64_t>(constants.size()) - 1;
    }
    renumbered[i] = static_cast<int32_t>(allocations.size());
    allocations.push_back(std::move(allocation));
    sources.push_back(plan->sources[i]);
  }
  spec.allocations = std::move(allocations);
  spec.constants = std::move(constants);
  plan->sources = std::move(sources);
  for (ProgramSpec::Sequence& sequence : spec.sequences) {
    for (ProgramSpec::Step& step : sequence.steps) {
      for (ProgramSpec::Slice& slice : step.slices) slice.allocation = renumbered[slice.allocation];
    }
  }
  for (auto& [parameter, result] : plan->donations) {
    parameter = renumbered[parameter];
    result = renumbered[result];
  }
}

// Places the largest first, each into the smallest gap between those already placed that live at
// the same time (best fit). Returns the size.
int64_t PlaceTemps(ProgramSpec* spec, MemorySpace space, const std::vector<LiveRange>& ranges) {
  std::vector<int32_t> order;
  for (size_t i = 0; i < spec->allocations.size(); ++i) {
    const Allocation& a = spec->allocations[i];
    if (a.kind == AllocationKind::kTemp && a.space == space) {
      order.push_back(static_cast<int32_t>(i));
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return spec->allocations[a].bytes > spec->allocations[b].bytes;
  });
  int64_t arena = 0;
  std::vector<int32_t> placed;  // by offset
  for (int32_t id : order) {
    Allocation& allocation = spec->allocations[id];
    int64_t bytes = Aligned(allocation.bytes), end = 0;
    int64_t best = -1, best_gap = INT64_MAX;
    for (int32_t other : placed) {
      const Allocation& b = spec->allocations[other];
      if (ranges[other].first > ranges[id].last || ranges[other].last < ranges[id].first) continue;
      int64_t gap = b.offset - end;
      if (gap >= bytes && gap < best_gap) {
        best = end;
        best_gap = gap;
      }
      end = std::max(end, b.offset + Aligned(b.bytes));
    }
    allocation.offset = best >= 0 ? best : end;
    arena = std::max(arena, allocation.offset + bytes);
    auto position = std::upper_bound(placed.begin(), placed.end(), id, [&](int32_t a, int32_t b) {
      return spec->allocations[a].offset < spec->allocations[b].offset;
    });
    placed.insert(position, id);
  }
  return arena;
}

absl::Status TooLarge(const Plan& plan, size_t allocation, absl::string_view limit, uint64_t most) {
  const Allocation& a = plan.spec.allocations[allocation];
  std::string what = absl::StrCat("needs ", a.bytes, " bytes in one block, and ", limit, " of ",
                                  plan.spec.device.name, " is ", most);
  const hlo::Instruction* source = plan.sources[allocation];
  if (source == nullptr) return absl::ResourceExhaustedError(what);
  return LocatedError(absl::StatusCode::kResourceExhausted, *source, what);
}

absl::Status CheckLimits(const Plan& plan) {
  const runtime::DeviceInfo& device = plan.spec.device;
  for (size_t i = 0; i < plan.spec.allocations.size(); ++i) {
    const Allocation& a = plan.spec.allocations[i];
    if (a.space != MemorySpace::kDevice) continue;
    uint64_t bytes = static_cast<uint64_t>(a.bytes);
    if (device.max_allocation_bytes > 0 && bytes > device.max_allocation_bytes) {
      return TooLarge(plan, i, "the largest allocation", device.max_allocation_bytes);
    }
    if (device.max_storage_range_bytes > 0 && bytes > device.max_storage_range_bytes) {
      return TooLarge(plan, i, "the largest binding", device.max_storage_range_bytes);
    }
  }
  uint64_t arena = static_cast<uint64_t>(plan.spec.device_arena_bytes);
  if (device.max_allocation_bytes > 0 && arena > device.max_allocation_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "error: intermediate values need ", arena, " bytes at a time, and the largest ",
        "allocation of ", device.name, " is ", device.max_allocation_bytes));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AssignMemory(Plan* plan, bool reuse) {
  DropUnused(plan);
  std::vector<LiveRange> ranges = ComputeLiveRanges(plan->spec);
  if (!reuse) ranges.assign(ranges.size(), LiveRange{0, INT64_MAX});
  plan->spec.device_arena_bytes = PlaceTemps(&plan->spec, MemorySpace::kDevice, ranges);
  plan->spec.host_arena_bytes = PlaceTemps(&plan->spec, MemorySpace::kHost, ranges);
  return CheckLimits(*plan);
}

}  // namespace halyard::lowering
