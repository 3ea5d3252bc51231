#include "codegen/gpu/scratch_plan.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace halyard::lowering::gpu {
namespace {

RecordedScratch Scratch(uint64_t bytes, int first, int last) {
  RecordedScratch scratch;
  scratch.bytes = bytes;
  scratch.first_launch = first;
  scratch.last_launch = last;
  return scratch;
}

TEST(ScratchPlanTest, BuffersThatDoNotMeetShare) {
  const std::vector<RecordedScratch> buffers = {Scratch(1000, 0, 1), Scratch(900, 2, 3)};
  const ScratchPlan plan = PlanScratch(buffers);
  EXPECT_EQ(plan.offsets, (std::vector<uint64_t>{0, 0}));
  EXPECT_EQ(plan.bytes, 1024u);
}

TEST(ScratchPlanTest, UnusedBuffersTakeNothing) {
  EXPECT_EQ(PlanScratch({RecordedScratch{4096, -1, -1}}).bytes, 0u);
}

TEST(ScratchPlanTest, RandomBuffersNeverOverlap) {
  std::mt19937 engine(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<RecordedScratch> buffers;
    for (int i = 0; i < 20; ++i) {
      const int first = static_cast<int>(engine() % 16);
      buffers.push_back(
          Scratch(1 + engine() % 5000, first, first + static_cast<int>(engine() % 5)));
    }
    const ScratchPlan plan = PlanScratch(buffers);
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(plan.offsets[i] % 256, 0u);
      EXPECT_LE(plan.offsets[i] + buffers[i].bytes, plan.bytes);
      for (size_t j = 0; j < i; ++j) {
        const bool together = buffers[i].first_launch <= buffers[j].last_launch &&
                              buffers[j].first_launch <= buffers[i].last_launch;
        const bool apart = plan.offsets[i] + buffers[i].bytes <= plan.offsets[j] ||
                           plan.offsets[j] + buffers[j].bytes <= plan.offsets[i];
        EXPECT_TRUE(!together || apart) << round << ": " << i << ", " << j;
      }
    }
  }
}

}  // namespace
}  // namespace halyard::lowering::gpu
