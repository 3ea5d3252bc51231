// Exchanges that do not depend on each other are one step.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/lowering/plan/plan_of_text.h"

namespace halyard::lowering {
namespace {

// Returns how many arrays each exchange step brings, in order.
std::vector<int64_t> Exchanges(const std::string& entry, const std::string& without = "") {
  PlanOptions options = X86Options();
  options.without = *ParseRewrites(without);
  const ProgramSpec plan =
      PlanOfText(absl::StrCat("HloModule test, replica_count=4\n", kAdd, entry), options);
  std::vector<int64_t> arrays;
  for (const ProgramSpec::Sequence& sequence : plan.sequences) {
    for (const ProgramSpec::Step& step : sequence.steps) {
      if (step.kind == ProgramSpec::Step::Kind::kExchange ||
          step.kind == ProgramSpec::Step::Kind::kExchangeBegin) {
        arrays.push_back(step.num_inputs);
      }
    }
  }
  return arrays;
}

constexpr char kGradients[] = R"(
ENTRY main {
  a = f32[3] parameter(0)
  b = f32[7,2] parameter(1)
  c = f32[100] parameter(2)
  d = f32[5] parameter(3)
  ra = f32[3] all-reduce(a), replica_groups={}, to_apply=add_f32
  rb = f32[7,2] all-reduce(b), replica_groups={}, to_apply=add_f32
  rc = f32[100] all-reduce(c), replica_groups={}, to_apply=max_f32
  rd = f32[5] all-reduce(d), replica_groups={{0,1},{2,3}}, to_apply=add_f32
  ROOT r = (f32[3], f32[7,2], f32[100], f32[5]) tuple(ra, rb, rc, rd)
})";

TEST(CombineExchanges, IndependentOnesOfTheSameGroupsBecomeOne) {
  EXPECT_EQ(Exchanges(kGradients).size(), 2u);
  EXPECT_EQ(Exchanges(kGradients, "combine-exchanges"), (std::vector<int64_t>{1, 1, 1, 1}));
}

TEST(CombineExchanges, ThoseThatDependOnEachOtherStay) {
  EXPECT_EQ(Exchanges(R"(
ENTRY main {
  a = f32[3] parameter(0)
  b = f32[3] parameter(1)
  ra = f32[3] all-reduce(a), replica_groups={}, to_apply=add_f32
  c = f32[3] multiply(ra, b)
  rc = f32[3] all-reduce(c), replica_groups={}, to_apply=add_f32
  rb = f32[3] all-reduce(b), replica_groups={}, to_apply=add_f32
  ROOT r = (f32[3], f32[3]) tuple(rc, rb)
})"),
            (std::vector<int64_t>{2, 1}));
}

TEST(CombineExchanges, LargeOnesStay) {
  EXPECT_EQ(Exchanges(R"(
ENTRY main {
  a = f32[1000000] parameter(0)
  b = f32[1000000] parameter(1)
  ga = f32[4000000] all-gather(a), replica_groups={}, dimensions={0}
  gb = f32[4000000] all-gather(b), replica_groups={}, dimensions={0}
  ROOT r = (f32[4000000], f32[4000000]) tuple(ga, gb)
})"),
            (std::vector<int64_t>{1, 1}));
}

// What the host gives may follow from what it got: the second sum is not part of the first
// exchange, although its operands do not come from there.
TEST(CombineExchanges, EffectsKeepTheirOrder) {
  EXPECT_EQ(Exchanges(R"(
ENTRY main {
  a = f32[3] parameter(0)
  t = token[] after-all()
  ra = f32[3] all-reduce(a), replica_groups={}, to_apply=add_f32
  o = token[] outfeed(ra, t), outfeed_shape=f32[3]
  i = (f32[3], token[]) infeed(o)
  b = f32[3] get-tuple-element(i), index=0
  ROOT rb = f32[3] all-reduce(b), replica_groups={}, to_apply=add_f32
})"),
            (std::vector<int64_t>{1, 1}));
}

}  // namespace
}  // namespace halyard::lowering
