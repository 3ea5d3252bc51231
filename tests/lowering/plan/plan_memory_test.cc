#include <gtest/gtest.h>

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel_request.h"
#include "runtime/program/program_format.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_of_text.h"

namespace halyard::lowering {
namespace {

using Kind = ProgramSpec::Step::Kind;

TEST(Plan, ResultsThatAreParametersConstantsOrTwice) {
  std::string text = R"(HloModule test
ENTRY main {
  x = f32[4] parameter(0)
  c = f32[3] constant({1, 2, 3})
  s = f32[4] add(x, x)
  ROOT r = (f32[4], f32[3], f32[4], f32[4], (f32[4])) tuple(x, c, s, s, t)
})";
  text.insert(text.find("  ROOT"), "  t = (f32[4]) tuple(x)\n");
  ExpectPlanComputesTheSame(text);
  EXPECT_EQ(CountSteps(PlanOfText(text), Kind::kCopy), 4);
}

TEST(Plan, DataDependentLoop) {
  std::string text = R"(HloModule test
body {
  p = (f32[4], s32[]) parameter(0)
  x = f32[4] get-tuple-element(p), index=0
  i = s32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  f = f32[] constant(1.5)
  fb = f32[4] broadcast(f), dimensions={}
  y = f32[4] multiply(x, fb)
  ROOT t = (f32[4], s32[]) tuple(y, j)
}
cond {
  p = (f32[4], s32[]) parameter(0)
  x = f32[4] get-tuple-element(p), index=0
  s = f32[1] slice(x), slice={[0:1]}
  v = f32[] reshape(s)
  a = f32[] abs(v)
  limit = f32[] constant(100)
  ROOT c = pred[] compare(a, limit), direction=LT
}
ENTRY main {
  x = f32[4] parameter(0)
  one = f32[] constant(1)
  ones = f32[4] broadcast(one), dimensions={}
  a = f32[4] abs(x)
  start = f32[4] add(a, ones)
  zero = s32[] constant(0)
  init = (f32[4], s32[]) tuple(start, zero)
  ROOT w = (f32[4], s32[]) while(init), condition=cond, body=body
})";
  ExpectPlanComputesTheSame(text);
  ProgramSpec spec = PlanOfText(text);
  // The state is updated in place, so only the counter's constant start is copied.
  EXPECT_EQ(CountSteps(spec, Kind::kCopy), 1) << DescribePlan(spec);
  // On a GPU, the flag is read back, and nothing else.
  EXPECT_EQ(CountSteps(PlanOfText(text, VulkanOptions()), Kind::kCopy), 2);
}

constexpr char kNested[] = R"(HloModule test
inner_body {
  p = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[3] get-tuple-element(p), index=1
  y = f32[3] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  z = f32[3] add(x, y)
  ROOT t = (s32[], f32[3], f32[3]) tuple(j, z, y)
}
inner_cond {
  p = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT
}
outer_body {
  p = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[3] get-tuple-element(p), index=1
  y = f32[3] get-tuple-element(p), index=2
  zero = s32[] constant(0)
  init = (s32[], f32[3], f32[3]) tuple(zero, x, y)
  w = (s32[], f32[3], f32[3]) while(init), condition=inner_cond, body=inner_body
  x2 = f32[3] get-tuple-element(w), index=1
  two = s32[] constant(2)
  j = s32[] add(i, two)
  ROOT t = (s32[], f32[3], f32[3]) tuple(j, y, x2)
}
outer_cond {
  p = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(7)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  zero = s32[] constant(0)
  init = (s32[], f32[3], f32[3]) tuple(zero, x, y)
  ROOT w = (s32[], f32[3], f32[3]) while(init), condition=outer_cond, body=outer_body
})";

TEST(Plan, NestedLoopsThatSwapTheirState) {
  ExpectPlanComputesTheSame(kNested);
  ProgramSpec spec = PlanOfText(kNested);
  std::multiset<int64_t> counts;
  for (const auto& sequence : spec.sequences) {
    for (const auto& step : sequence.steps) {
      if (step.kind == Kind::kWhile) counts.insert(step.trip_count);
    }
  }
  EXPECT_EQ(counts, (std::multiset<int64_t>{3, 4}));
}

TEST(Plan, CaseAndPredicate) {
  ExpectPlanComputesTheSame(R"(HloModule test
first {
  p = (f32[4], f32[4]) parameter(0)
  ROOT x = f32[4] get-tuple-element(p), index=1
}
second {
  p = f32[4] parameter(0)
  ROOT x = f32[4] negate(p)
}
third {
  p = () parameter(0)
  ROOT c = f32[4] constant({1, 2, 3, 4})
}
ENTRY main {
  x = f32[4] parameter(0)
  i = s32[] parameter(1)
  flag = pred[] parameter(2)
  a = f32[4] exponential(x)
  t = (f32[4], f32[4]) tuple(x, a)
  e = () tuple()
  two = s32[] constant(2)
  j = s32[] subtract(i, two)
  c = f32[4] conditional(j, t, x, e), branch_computations={first, second, third}
  d = f32[4] conditional(flag, t, c), branch_computations={first, second}
  ROOT r = f32[4] add(c, d)
})");
}

constexpr char kUpdateLoop[] = R"(
body {
  p = (s32[], f32[8,4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[8,4] get-tuple-element(p), index=1
  zero = s32[] constant(0)
  one = s32[] constant(1)
  row = f32[1,4] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,4}
  e = f32[1,4] tanh(row)
  j = s32[] add(i, one)
  y = f32[8,4] dynamic-update-slice(x, e, j, zero)
  ROOT t = (s32[], f32[8,4]) tuple(j, y)
}
cond {
  p = (s32[], f32[8,4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(7)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[8,4] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[8,4]) tuple(zero, x)
  w = (s32[], f32[8,4]) while(init), condition=cond, body=body
  ROOT r = f32[8,4] get-tuple-element(w), index=1
})";

TEST(Plan, DynamicUpdateSliceIsInPlace) {
  ExpectPlanComputesTheSame(absl::StrCat("HloModule test\n", kUpdateLoop));
  ProgramSpec spec = PlanOfText(absl::StrCat("HloModule test\n", kUpdateLoop));
  // The parameter is copied to the result once, and the counter starts from a constant. Nothing is
  // copied in the loop.
  EXPECT_EQ(CountSteps(spec, Kind::kCopy), 2) << DescribePlan(spec);
}

TEST(Plan, UpdatedArrayThatIsStillNeededIsCopied) {
  ExpectPlanComputesTheSame(R"(HloModule test
ENTRY main {
  x = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  a = f32[8] exponential(x)
  b = f32[8] opt-barrier(a)
  y = f32[8] dynamic-update-slice(b, u, i)
  z = f32[8] dynamic-update-slice(b, u, i)
  w = f32[8] negate(b)
  s = f32[8] add(y, w)
  ROOT t = (f32[8], f32[8], f32[8]) tuple(s, z, y)
})");
}

// No array of the operand's size holds the keys by which elements are compared.
TEST(Plan, TopKTakesLittleMemory) {
  for (const char* dims : {"512,4096", "1048576"}) {
    const std::string taken = std::string(dims) == "1048576" ? "16" : "512,16";
    const ProgramSpec plan = PlanOfText(
        absl::StrCat("HloModule m\nENTRY e { x = f32[", dims, "] parameter(0) ROOT t = (f32[",
                     taken, "], s32[", taken, "]) topk(x), k=16, largest=true }"));
    int64_t operand = 0;
    for (const auto& allocation : plan.allocations) {
      if (allocation.kind == ProgramSpec::AllocationKind::kParameter) operand = allocation.bytes;
    }
    EXPECT_LT(plan.device_arena_bytes, operand / 2) << dims;
  }
}

TEST(Plan, DonatedParameters) {
  std::string text =
      absl::StrCat("HloModule test, input_output_alias={ {}: (0, {}, may-alias) }\n", kUpdateLoop);
  ExpectPlanComputesTheSame(text);
  ProgramSpec spec = PlanOfText(text);
  EXPECT_EQ(spec.parameters[0].donated_to_result, 0);
}

TEST(Plan, DonationThatWouldOverwriteWhatIsNeededIsRefused) {
  std::string text = R"(HloModule test, input_output_alias={ {0}: (0, {}, may-alias) }
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  a = f32[8] reverse(x), dimensions={0}
  b = f32[8] opt-barrier(a)
  c = f32[8] add(b, y)
  d = f32[8] multiply(x, c)
  ROOT t = (f32[8], f32[8]) tuple(b, d)
})";
  ExpectPlanComputesTheSame(text);
  EXPECT_EQ(PlanOfText(text).parameters[0].donated_to_result,
            runtime::program_format::kDonatedToNone);
}

TEST(Plan, LargeConstantsAreSharedAndInNoRequest) {
  std::string row;
  for (int i = 0; i < 64; ++i) absl::StrAppend(&row, i ? ", " : "", i);
  std::string text = absl::StrCat(R"(HloModule test
ENTRY main {
  x = f32[64] parameter(0)
  a = f32[64] constant({)",
                                  row, R"(})
  b = f32[64] constant({)",
                                  row, R"(})
  s = f32[64] add(x, a)
  t = f32[64] opt-barrier(s)
  ROOT u = f32[64] multiply(t, b)
})");
  ExpectPlanComputesTheSame(text);
  ProgramSpec spec = PlanOfText(text);
  EXPECT_EQ(spec.constants.size(), 1u);
  for (const auto& kernel : spec.kernels) {
    EXPECT_FALSE(absl::StrContains(kernel.request, "constant({")) << kernel.request;
  }
}

// Returns layers that differ only in their weights, so the number of kernels does not grow.
std::string Layers(int count) {
  std::string text = WithReducers("ENTRY main {\n  x0 = f32[4,8] parameter(0)\n");
  absl::StrAppend(
      &text, "  zero = f32[] constant(0)\n  zeros = f32[4,8] broadcast(zero), dimensions={}\n");
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "  w", i, " = f32[8,8] parameter(", i + 1, ")\n");
    absl::StrAppend(&text, "  d", i, " = f32[4,8] dot(x", i, ", w", i,
                    "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n");
    absl::StrAppend(&text, "  m", i, " = f32[4,8] maximum(d", i, ", zeros)\n");
    absl::StrAppend(&text, "  s", i, " = f32[4] reduce(m", i,
                    ", zero), dimensions={1}, to_apply=add_f32\n");
    absl::StrAppend(&text, "  b", i, " = f32[4,8] broadcast(s", i, "), dimensions={0}\n");
    absl::StrAppend(&text, "  q", i, " = f32[4,8] subtract(m", i, ", b", i, ")\n");
    absl::StrAppend(&text, i + 1 == count ? "  ROOT" : "", "  x", i + 1, " = f32[4,8] tanh(q", i,
                    ")\n");
  }
  return text + "}";
}

TEST(Plan, EqualLayersShareKernels) {
  ExpectPlanComputesTheSame(Layers(3));
  ProgramSpec twelve = PlanOfText(Layers(12));
  EXPECT_EQ(twelve.kernels.size(), PlanOfText(Layers(2)).kernels.size());
  EXPECT_EQ(CountSteps(twelve, Kind::kKernel), 24);
  // Only two layers' values live at a time.
  EXPECT_EQ(twelve.device_arena_bytes, PlanOfText(Layers(4)).device_arena_bytes);
}

TEST(Plan, BlocksTooLargeForTheDeviceAreLocatedErrors) {
  std::unique_ptr<hlo::Module> module = Parse(R"(HloModule test
ENTRY main {
  x = f32[6000,6000] parameter(0)
  ROOT big = f32[6000,6000] exponential(x)
})");
  auto spec = PlanProgram(*module, VulkanOptions());
  ASSERT_FALSE(spec.ok());
  EXPECT_TRUE(absl::StrContains(spec.status().message(), "test.hlo:3")) << spec.status();
  EXPECT_TRUE(absl::StrContains(spec.status().message(), "144000000 bytes")) << spec.status();
}

TEST(Plan, CustomCallsReadAndWriteHostSpace) {
  std::unique_ptr<hlo::Module> module = Parse(R"(HloModule test
ENTRY main {
  x = f32[4] parameter(0)
  a = f32[4] exponential(x)
  c = (f32[4], s32[2]) custom-call(a, x), custom_call_target="two", custom_call_has_side_effect=true, backend_config="how"
  y = f32[4] get-tuple-element(c), index=0
  ROOT r = f32[4] negate(y)
})");
  for (const PlanOptions& options : {X86Options(), VulkanOptions()}) {
    ProgramSpec spec = PlanOf(*module, options);
    ASSERT_EQ(CountSteps(spec, Kind::kCustomCall), 1);
    for (const auto& step : spec.sequences[0].steps) {
      if (step.kind != Kind::kCustomCall) continue;
      EXPECT_EQ(step.target, "two");
      EXPECT_EQ(step.num_inputs, 2);
      ASSERT_EQ(step.slices.size(), 4u);
      if (options.target == "x86:v3") continue;
      for (const auto& slice : step.slices) {
        EXPECT_EQ(spec.allocations[slice.allocation].space, MemorySpace::kHost);
      }
    }
  }
}

TEST(Plan, TheSameModuleGivesTheSameRequests) {
  ProgramSpec a = PlanOfText(kNested), b = PlanOfText(kNested);
  ASSERT_EQ(a.kernels.size(), b.kernels.size());
  for (size_t i = 0; i < a.kernels.size(); ++i) {
    EXPECT_EQ(a.kernels[i].request, b.kernels[i].request);
  }
}

TEST(Plan, PassesAreReported) {
  std::vector<std::string> passes;
  PlanOptions options = X86Options();
  options.on_pass = [&](const char* pass, const hlo::Module&) { passes.push_back(pass); };
  PlanOf(*Parse(kNested), options);
  EXPECT_EQ(passes.front(), "drop_frontend_attributes");
  EXPECT_EQ(passes.back(), "fuse_kernels");
}

}  // namespace
}  // namespace halyard::lowering
