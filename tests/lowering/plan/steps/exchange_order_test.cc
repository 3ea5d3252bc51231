// Where exchanges begin and end.
#include "lowering/plan/steps/exchange_order.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/lowering/plan/plan_of_text.h"

namespace halyard::lowering {
namespace {

using Step = ProgramSpec::Step;

// Returns the steps of a sequence as "begin0 kernel end0".
std::string Steps(const ProgramSpec& plan, size_t sequence = 0) {
  std::vector<std::string> words;
  int64_t begins = 0;
  for (const Step& step : plan.sequences[sequence].steps) {
    switch (step.kind) {
      case Step::Kind::kKernel:
        words.push_back("kernel");
        break;
      case Step::Kind::kCopy:
        words.push_back("copy");
        break;
      case Step::Kind::kExchange:
        words.push_back("exchange");
        break;
      case Step::Kind::kExchangeBegin:
        words.push_back(absl::StrCat("begin", begins++));
        break;
      case Step::Kind::kExchangeEnd:
        words.push_back(absl::StrCat("end", step.numbers[0]));
        break;
      case Step::Kind::kWhile:
        words.push_back("while");
        break;
      default:
        words.push_back(step.label);
        break;
    }
  }
  return absl::StrJoin(words, " ");
}

std::string StepsOf(const std::string& entry, const PlanOptions& options = X86Options()) {
  return Steps(PlanOfText(absl::StrCat("HloModule test, replica_count=4\n", kAdd, entry), options));
}

constexpr char kBeside[] = R"(
ENTRY main {
  x = f32[8,8] parameter(0)
  y = f32[8,8] parameter(1)
  a = f32[8,8] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  sum = f32[8,8] all-reduce(a), replica_groups={}, to_apply=add_f32
  b = f32[8,8] dot(y, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT c = f32[8,8] dot(sum, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})";

TEST(ExchangeOrder, IndependentWorkIsInBetween) {
  // The sum of what came is a kernel of its own, right before the last product.
  EXPECT_EQ(StepsOf(kBeside), "kernel begin0 kernel end0 kernel kernel");
  PlanOptions options = X86Options();
  options.without = *ParseRewrites("overlap");
  EXPECT_EQ(StepsOf(kBeside, options), "kernel exchange kernel kernel kernel");
}

TEST(ExchangeOrder, WithoutWorkThereIsOneStep) {
  EXPECT_EQ(StepsOf(R"(
ENTRY main {
  x = f32[8,8] parameter(0)
  a = f32[8,8] collective-permute(x), source_target_pairs={{0,1}}
  b = f32[8,8] dot(a, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[8,8] collective-permute(b), source_target_pairs={{0,1}}
  ROOT d = f32[8,8] dot(c, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"),
            "exchange kernel exchange kernel");
}

// The second exchange of a large sum needs the first one's result. Neither waits before the product
// that needs neither.
TEST(ExchangeOrder, BothPartsOfALargeSumComeLate) {
  EXPECT_EQ(StepsOf(R"(
ENTRY main {
  x = f32[100,100] parameter(0)
  sum = f32[100,100] all-reduce(x), replica_groups={}, to_apply=add_f32
  a = f32[100,100] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[100,100] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT c = f32[100,100] dot(sum, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"),
            "begin0 kernel kernel end0 kernel exchange kernel");
}

TEST(ExchangeOrder, PairsAreNumberedInTheirOwnSequence) {
  const ProgramSpec plan = PlanOfText(absl::StrCat("HloModule test, replica_count=4\n", kAdd, R"(
body {
  s = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[8,8] get-tuple-element(s), index=1
  a = f32[8,8] collective-permute(x), source_target_pairs={{0,1}}
  b = f32[8,8] collective-permute(x), source_target_pairs={{1,2}}
  c = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[8,8] dot(c, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  e = f32[8,8] dot(d, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], f32[8,8]) tuple(j, e)
}
cond {
  s = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[8,8] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[8,8]) tuple(zero, x)
  loop = (s32[], f32[8,8]) while(init), condition=cond, body=body
  ROOT r = f32[8,8] get-tuple-element(loop), index=1
})"));
  ASSERT_EQ(CountSteps(plan, Step::Kind::kExchangeBegin), 2);
  bool found = false;
  for (size_t i = 1; i < plan.sequences.size(); ++i) {
    const std::string steps = Steps(plan, i);
    found = found || steps.find("begin0 begin1 kernel kernel end0 kernel end1 kernel") == 0;
  }
  EXPECT_TRUE(found) << Steps(plan, 2);
}

}  // namespace
}  // namespace halyard::lowering
