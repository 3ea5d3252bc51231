// Tests that damaged plans are noticed.
#include "lowering/plan/steps/verify_plan.h"

#include <gtest/gtest.h>

#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

using Step = ProgramSpec::Step;

// Three kernels follow one another, and two temps live at the same time.
ProgramSpec Good() {
  return PlanOf(*Parse(R"(HloModule test
ENTRY main {
  x = f32[8,8] parameter(0)
  a = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[8,8] dot(a, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT c = f32[8,8] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"),
                X86Options());
}

TEST(VerifyPlan, TakesAGoodOne) {
  ProgramSpec spec = Good();
  ASSERT_EQ(CountSteps(spec, Step::Kind::kKernel), 3);
  EXPECT_TRUE(VerifyPlan(spec).ok());
}

TEST(VerifyPlan, OverlappingTemps) {
  ProgramSpec spec = Good();
  for (auto& allocation : spec.allocations) allocation.offset = 0;
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

TEST(VerifyPlan, TempOutsideOfItsArena) {
  ProgramSpec spec = Good();
  spec.device_arena_bytes -= 256;
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

TEST(VerifyPlan, ReadBeforeWritten) {
  ProgramSpec spec = Good();
  std::swap(spec.sequences[0].steps[0], spec.sequences[0].steps[1]);
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

TEST(VerifyPlan, ResultNeverWritten) {
  ProgramSpec spec = Good();
  spec.sequences[0].steps.pop_back();
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

TEST(VerifyPlan, SliceBeyondItsAllocation) {
  ProgramSpec spec = Good();
  spec.sequences[0].steps[0].slices[0].offset = 4;
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

TEST(VerifyPlan, ParameterWritten) {
  ProgramSpec spec = Good();
  Step& step = spec.sequences[0].steps[0];
  step.slices.back() = step.slices.front();
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

TEST(VerifyPlan, KernelThatIsNot) {
  ProgramSpec spec = Good();
  spec.sequences[0].steps[0].kernel = 99;
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

}  // namespace
}  // namespace halyard::lowering
