#include "codegen/gpu/scratch_plan.h"

#include <algorithm>
#include <numeric>

namespace halyard::lowering::gpu {
namespace {

constexpr uint64_t kAlignment = 256;

uint64_t Padded(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

ScratchPlan PlanScratch(absl::Span<const RecordedScratch> buffers) {
  ScratchPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  std::vector<size_t> placed;  // by offset
  for (size_t i : order) {
    if (buffers[i].first_launch < 0) continue;
    const uint64_t bytes = Padded(buffers[i].bytes);
    uint64_t offset = 0;
    for (size_t other : placed) {
      const bool together = buffers[i].first_launch <= buffers[other].last_launch &&
                            buffers[other].first_launch <= buffers[i].last_launch;
      if (!together) continue;
      if (offset + bytes <= plan.offsets[other]) break;
      offset = std::max(offset, plan.offsets[other] + Padded(buffers[other].bytes));
    }
    plan.offsets[i] = offset;
    plan.bytes = std::max(plan.bytes, offset + bytes);
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), i,
                         [&](size_t a, size_t b) { return plan.offsets[a] < plan.offsets[b]; }),
        i);
  }
  return plan;
}

}  // namespace halyard::lowering::gpu
