// Tests program-level choices: what each does, that names do not depend on those in the file, and
// that no combination makes a plan wrong.
#include "lowering/plan/fuse/choices.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo_text/printer.h"
#include "lowering/plan/fuse/decisions.h"
#include "tests/asked_count.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/random_choices.h"
#include "tests/lowering/plan/random_graph.h"

namespace halyard::lowering {
namespace {

// Two column sums read an expensive value, one of them through a product.
constexpr char kTwoReaders[] = R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[64,32] parameter(0)
  y = f32[64] parameter(1)
  costly = f32[64,32] exponential(x)
  zero = f32[] constant(0)
  rows = f32[64] reduce(costly, zero), dimensions={1}, to_apply=sum
  columns = f32[32] reduce(costly, zero), dimensions={0}, to_apply=sum
  out = f32[64] multiply(rows, y)
  ROOT t = (f32[64], f32[32]) tuple(out, columns)
})";

constexpr char kChain[] = R"(HloModule m
ENTRY e {
  x = f32[64] parameter(0)
  one = f32[64] exponential(x)
  two = f32[64] tanh(one)
  ROOT three = f32[64] negate(two)
})";

std::string NameOf(const hlo::Module& module, const PlanOptions& options,
                   absl::string_view instruction) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> prepared = PrepareModule(module, options);
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  for (const auto& [inst, name] : CanonicalNames(**prepared)) {
    if (inst->name == instruction) return name;
  }
  ADD_FAILURE() << "no " << instruction << " in\n" << hlo_text::Print(**prepared);
  return "";
}

PlanOptions WithChoice(const hlo::Module& module, absl::string_view verb,
                       absl::string_view instruction) {
  PlanOptions options = X86Options();
  options.choices = absl::StrCat(verb, " ", NameOf(module, options, instruction));
  return options;
}

TEST(Choices, TextIsReadBackAndErrorsNameTheLine) {
  absl::StatusOr<PlanChoices> choices =
      ParseChoices("store v3  # a cut\n\nrepeat c1.v0; attention v9 off\n output v4");
  ASSERT_TRUE(choices.ok()) << choices.status();
  EXPECT_EQ(choices->values.size(), 3u);
  EXPECT_EQ(choices->attention.at("v9"), false);
  EXPECT_EQ(ChoicesText(*choices, "; "), "attention v9 off; repeat c1.v0; store v3; output v4");
  EXPECT_EQ(*ParseChoices(ChoicesText(*choices)), *choices);
  EXPECT_TRUE(ParseChoices("")->empty());
  for (const char* wrong : {"cut v3", "store", "attention v3", "attention v3 maybe",
                            "store v3\nrepeat v3", "attention v1 on; attention v1 off"}) {
    absl::StatusOr<PlanChoices> got = ParseChoices(wrong);
    ASSERT_EQ(got.status().code(), absl::StatusCode::kInvalidArgument) << wrong;
    EXPECT_TRUE(absl::StrContains(got.status().message(), "v3") ||
                absl::StrContains(got.status().message(), "v1") ||
                absl::StrContains(got.status().message(), "store"))
        << got.status();
  }
}

TEST(Choices, NamesThatTheProgramDoesNotHaveAreErrors) {
  std::unique_ptr<hlo::Module> module = Parse(kChain);
  for (const auto& [text, part] : {std::pair{"store v99", "no value `v99`"},
                                   {"repeat p0", "is not an array that a kernel computes"},
                                   {"attention v0 on", "is not a product"}}) {
    PlanOptions options = X86Options();
    options.choices = text;
    absl::StatusOr<ProgramSpec> spec = PlanProgram(*module, options);
    EXPECT_EQ(spec.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_TRUE(absl::StrContains(spec.status().message(), part)) << spec.status();
  }
  PlanOptions options = X86Options();
  options.choices = "store v0";
  options.fuse = false;
  EXPECT_EQ(PlanProgram(*module, options).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Choices, StoreCutsAChain) {
  std::unique_ptr<hlo::Module> module = Parse(kChain);
  EXPECT_EQ(PlanOf(*module, X86Options()).kernels.size(), 1u);
  const PlanOptions options = WithChoice(*module, "store", "one");
  EXPECT_EQ(PlanOf(*module, options).kernels.size(), 2u);
  ExpectPlanComputesTheSame(*module, options);
}

TEST(Choices, RepeatComputesInEveryReader) {
  std::unique_ptr<hlo::Module> module = Parse(kTwoReaders);
  const ProgramSpec stored = PlanOf(*module, X86Options());
  EXPECT_EQ(stored.kernels.size(), 3u) << DescribePlan(stored);
  const PlanOptions options = WithChoice(*module, "repeat", "costly");
  const ProgramSpec repeated = PlanOf(*module, options);
  EXPECT_EQ(repeated.kernels.size(), 2u) << DescribePlan(repeated);
  for (const ProgramSpec::Kernel& kernel : repeated.kernels) {
    EXPECT_TRUE(absl::StrContains(kernel.request, "exponential")) << kernel.request;
  }
  ExpectPlanComputesTheSame(*module, options);
}

TEST(Choices, AttentionIsSwitchedBothWays) {
  std::string text = R"(HloModule m
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  q = f32[QQ,8] parameter(0)
  k = f32[QQ,8] parameter(1)
  v = f32[QQ,8] parameter(2)
  s = f32[QQ,QQ] dot(q, k), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  inf = f32[] constant(-inf)
  zero = f32[] constant(0)
  c = f32[] constant(0.5)
  cb = f32[QQ,QQ] broadcast(c), dimensions={}
  x = f32[QQ,QQ] multiply(s, cb)
  m = f32[QQ] reduce(x, inf), dimensions={1}, to_apply=max
  mb = f32[QQ,QQ] broadcast(m), dimensions={0}
  d = f32[QQ,QQ] subtract(x, mb)
  w = f32[QQ,QQ] exponential(d)
  l = f32[QQ] reduce(w, zero), dimensions={1}, to_apply=sum
  lb = f32[QQ,QQ] broadcast(l), dimensions={0}
  p = f32[QQ,QQ] divide(w, lb)
  ROOT o = f32[QQ,8] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})";
  for (const auto& [extent, other, kernels] :
       {std::tuple{"32", "on", size_t{1}}, {"512", "off", size_t{3}}}) {
    std::unique_ptr<hlo::Module> module = Parse(absl::StrReplaceAll(text, {{"QQ", extent}}));
    PlanOptions options = X86Options();
    absl::StatusOr<std::vector<Decision>> decisions = ListDecisions(*module, options);
    ASSERT_TRUE(decisions.ok()) << decisions.status();
    ASSERT_FALSE(decisions->empty());
    ASSERT_EQ(decisions->front().others.size(), 1u);
    EXPECT_TRUE(absl::EndsWith(decisions->front().others[0], other)) << DecisionsText(*decisions);
    options.choices = decisions->front().others[0];
    EXPECT_NE(PlanOf(*module, X86Options()).kernels.size(), kernels) << extent;
    EXPECT_EQ(PlanOf(*module, options).kernels.size(), kernels) << extent;
    if (extent == std::string("32")) ExpectPlanComputesTheSame(*module, options);
  }
}

TEST(Choices, NamesAndKeysAreTheGraphs) {
  std::unique_ptr<hlo::Module> module = Parse(kTwoReaders);
  std::unique_ptr<hlo::Module> renamed = Parse(absl::StrReplaceAll(
      kTwoReaders, {{"costly", "alpha"}, {"rows", "beta"}, {"HloModule m", "HloModule other"}}));
  EXPECT_EQ(NameOf(*module, X86Options(), "costly"), NameOf(*renamed, X86Options(), "alpha"));
  std::unique_ptr<hlo::Module> chain = Parse(kChain);
  std::vector<std::string> keys;
  for (const hlo::Module* m : {module.get(), renamed.get(), chain.get()}) {
    PlanOptions options = X86Options();
    options.find_choices = [&](const std::string& key) {
      keys.push_back(key);
      return std::string();
    };
    PlanOf(*m, options);
  }
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0], keys[1]);
  EXPECT_NE(keys[0], keys[2]);
}

TEST(Choices, FoundOnesAreUsed) {
  std::unique_ptr<hlo::Module> module = Parse(kChain);
  PlanOptions options = X86Options();
  const std::string choice = WithChoice(*module, "store", "one").choices;
  options.find_choices = [&](const std::string&) { return choice; };
  EXPECT_EQ(PlanOf(*module, options).kernels.size(), 2u);
}

TEST(Decisions, SayWhatIsSoAndWhatElseThereIs) {
  std::unique_ptr<hlo::Module> module = Parse(kTwoReaders);
  PlanOptions options = X86Options();
  absl::StatusOr<std::vector<Decision>> by_rule = ListDecisions(*module, options);
  ASSERT_TRUE(by_rule.ok()) << by_rule.status();
  const std::string name = NameOf(*module, options, "costly");
  auto of_costly = [&](const std::vector<Decision>& decisions) -> const Decision* {
    for (const Decision& decision : decisions) {
      if (decision.name == name) return &decision;
    }
    return nullptr;
  };
  ASSERT_NE(of_costly(*by_rule), nullptr) << DecisionsText(*by_rule);
  EXPECT_EQ(of_costly(*by_rule)->now, "store " + name);
  EXPECT_EQ(of_costly(*by_rule)->others, std::vector<std::string>{"repeat " + name});
  EXPECT_EQ(of_costly(*by_rule)->kernels.size(), 3u);

  options.choices = "repeat " + name;
  absl::StatusOr<std::vector<Decision>> chosen = ListDecisions(*module, options);
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(of_costly(*chosen)->now, "repeat " + name);
  EXPECT_EQ(of_costly(*chosen)->others, std::vector<std::string>{"store " + name});

  // The text consists of choices, and lists the present decisions.
  PlanOptions again = X86Options();
  again.choices = DecisionsText(*chosen);
  EXPECT_EQ(DescribePlan(PlanOf(*module, again)), DescribePlan(PlanOf(*module, options)));
}

TEST(Choices, AnyCombinationComputesTheSame) {
  const int count = halyard::testing::AskedCount("HALYARD_RANDOM_PLANS", 120);
  for (int seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    std::unique_ptr<hlo::Module> module = RandomGraph(seed);
    std::mt19937 random(seed);
    for (PlanOptions options : {X86Options(), VulkanOptions()}) {
      options.choices = RandomChoices(*module, options, &random);
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      ExpectPlanComputesTheSame(*module, options, seed);
      absl::StatusOr<std::vector<Decision>> decisions = ListDecisions(*module, options);
      ASSERT_TRUE(decisions.ok()) << decisions.status();
    }
    if (::testing::Test::HasFailure()) std::cout << hlo_text::Print(*module);
  }
}

}  // namespace
}  // namespace halyard::lowering
