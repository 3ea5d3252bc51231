// Tests sorts by comparators that are not keys: the number of launches, and the results.

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

// Sorts by the floor of the numbers, in a form that is not recognised as a key. Ties keep their
// order.
std::string Program(int64_t n) {
  return absl::StrCat(R"(HloModule test
before {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  fa = f32[] floor(a)
  fb = f32[] floor(b)
  c = pred[] compare(fa, fb), direction=GT
  ROOT r = pred[] and(c, c)
}
ENTRY main {
  x = f32[)",
                      n, "] parameter(0)\n  ROOT s = f32[", n,
                      "] sort(x), dimensions={0}, is_stable=true, to_apply=before\n}");
}

PlanOptions WithShared(int64_t bytes) {
  PlanOptions options = VulkanOptions();
  options.device.max_threads_per_group = options.device.max_group[0] = 1024;
  options.device.max_shared_bytes = static_cast<uint32_t>(bytes);
  return options;
}

int Launches(int64_t n, int64_t shared_bytes) {
  const auto module = Parse(Program(n));
  const ProgramSpec spec = PlanOf(*module, WithShared(shared_bytes));
  EXPECT_EQ(CountSteps(spec, ProgramSpec::Step::Kind::kWhile), 0);
  return CountSteps(spec, ProgramSpec::Step::Kind::kKernel);
}

// A network of 2^k positions has k(k + 1)/2 passes. Each pass was once a launch.
TEST(SortNetwork, LaunchesGrowAboveTheBlockOnly) {
  constexpr int64_t kShared = 48 << 10;   // 2048 positions of f32 and s32, thrice
  EXPECT_EQ(Launches(2, kShared), 2);     // an iota and one pass
  EXPECT_EQ(Launches(1000, kShared), 4);  // 55 passes, at most 20 in a launch
  EXPECT_EQ(Launches(2048, kShared), 4);  // 66 passes
  EXPECT_EQ(Launches(5000, kShared), 9);  // 91 passes
  // There are 210 passes: 9 levels above the block, with 1 to 9 passes each, and one launch for the
  // rest.
  EXPECT_EQ(Launches(1 << 20, kShared), 3 + 45 + 9 + 1);
  // Without shared memory, there is a launch for each pass.
  EXPECT_GE(Launches(1000, 0), 40);
}

TEST(SortNetwork, Sorts) {
  for (int64_t n : {1, 2, 3, 16, 17, 100, 257}) ExpectPlanComputesTheSame(Program(n));
}

}  // namespace
}  // namespace halyard::lowering
