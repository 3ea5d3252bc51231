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

// Two exchanges begin, and end after a kernel.
ProgramSpec Overlapping() {
  return PlanOf(*Parse(R"(HloModule test, replica_count=4
ENTRY main {
  x = f32[8,8] parameter(0)
  a = f32[8,8] collective-permute(x), source_target_pairs={{0,1}}
  y = f32[8,8] transpose(x), dimensions={1,0}
  b = f32[8,8] collective-permute(y), source_target_pairs={{1,0}}
  c = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[8,8] dot(a, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT e = f32[8,8] dot(b, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"),
                X86Options());
}

TEST(VerifyPlan, ExchangesThatDoNotEndOrEndTwice) {
  const ProgramSpec good = Overlapping();
  ASSERT_EQ(CountSteps(good, Step::Kind::kExchangeBegin), 2);
  ASSERT_EQ(CountSteps(good, Step::Kind::kExchangeEnd), 2);
  EXPECT_TRUE(VerifyPlan(good).ok());
  for (size_t i = 0; i < good.sequences[0].steps.size(); ++i) {
    const Step& step = good.sequences[0].steps[i];
    if (step.kind != Step::Kind::kExchangeEnd) continue;
    for (const std::vector<int64_t>& numbers :
         std::vector<std::vector<int64_t>>{{}, {2}, {-1}, {1 - step.numbers[0]}}) {
      ProgramSpec spec = good;
      spec.sequences[0].steps[i].numbers = numbers;
      EXPECT_FALSE(VerifyPlan(spec).ok());
    }
  }
}

TEST(VerifyPlan, OperandsThatChangeBeforeTheEnd) {
  ProgramSpec spec = Overlapping();
  std::vector<Step>& steps = spec.sequences[0].steps;
  int32_t given = -1;
  bool changed = false;
  for (Step& step : steps) {
    if (step.kind == Step::Kind::kExchangeBegin) given = step.slices[0].allocation;
    const bool is_temp =
        given >= 0 && spec.allocations[given].kind == ProgramSpec::AllocationKind::kTemp;
    if (step.kind != Step::Kind::kKernel || !is_temp || changed) continue;
    step.slices.back() = {given, 0, 256};
    changed = true;
  }
  ASSERT_TRUE(changed);
  EXPECT_FALSE(VerifyPlan(spec).ok());
}

}  // namespace
}  // namespace halyard::lowering
