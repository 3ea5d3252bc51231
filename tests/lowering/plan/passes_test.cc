// Tests each pass by itself.
#include "lowering/plan/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/plan/compile_plan.h"
#include "tests/lowering/plan/pass_modules.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;

TEST(InlineCalls, LeavesNoCall) {
  auto module = Parse(R"(HloModule test
inner {
  a = f32[2] parameter(0)
  ROOT n = f32[2] negate(a)
}
outer {
  a = f32[2] parameter(0)
  b = f32[2] call(a), to_apply=inner
  ROOT c = f32[2] call(b), to_apply=inner
}
ENTRY main {
  a = f32[2] parameter(0)
  ROOT c = f32[2] call(a), to_apply=outer, metadata={op_name="whole"}
})");
  ASSERT_TRUE(InlineCalls(*module).ok());
  EXPECT_EQ(Count(*module, Opcode::kCall), 0);
  EXPECT_EQ(Count(*module, Opcode::kNegate), 2);
  EXPECT_EQ(module->computations().size(), 1u);
  const auto& names = module->entry()->root()->provenance.op_names;
  EXPECT_NE(std::find(names.begin(), names.end(), "whole"), names.end());
}

// The marks of passes, given by a program, mean nothing.
TEST(DropFrontendAttributes, MarksAreThePasses) {
  constexpr char kText[] = R"(HloModule test
ENTRY main {
  a = s32[32,64] parameter(0)
  s = s32[32,64] add(a, a), frontend_attributes={placement="host"}
  t = s32[64,32] transpose(s), dimensions={1,0}
  p = s32[2048] reshape(t), frontend_attributes={packed_factor="true"}
  q = s32[64,32] reshape(p)
  ROOT d = s32[32,32] dot(a, q), lhs_contracting_dims={1}, rhs_contracting_dims={0},
    frontend_attributes={sums_fit="true"}
})";
  ExpectPlanComputesTheSame(kText);
  for (const PlanOptions& options : {X86Options(), VulkanOptions()}) {
    auto prepared = PrepareModule(*Parse(kText), options);
    ASSERT_TRUE(prepared.ok()) << prepared.status();
    for (const auto& inst : (*prepared)->entry()->instructions()) {
      EXPECT_FALSE(inst->Has(Attr::kFrontendAttributes)) << inst->name;
    }
  }
}

TEST(FlattenTuples, TakesConstantsApart) {
  ExpectPlanComputesTheSame(R"(HloModule test
ENTRY main {
  x = f32[2,2] parameter(0)
  t = (f32[], (f32[2,2], s32[3])) constant((1.5, ({{1, 2}, {3, 4}}, {5, 6, 7})))
  a = f32[] get-tuple-element(t), index=0
  n = (f32[2,2], s32[3]) get-tuple-element(t), index=1
  b = f32[2,2] get-tuple-element(n), index=0
  c = f32[2,2] add(x, b)
  d = f32[2,2] broadcast(a), dimensions={}
  e = f32[2,2] add(c, d)
  ROOT r = (f32[2,2], (f32[2,2], s32[3])) tuple(e, n)
})");
  // The layout says how the text orders bytes in memory, not what the elements are.
  ExpectPlanComputesTheSame(R"(HloModule test
ENTRY main {
  ROOT t = (f32[2,2]{0,1}, s32[]) constant(({{1, 2}, {3, 4}}, 5))
})");
  ExpectPlanComputesTheSame(R"(HloModule test
body {
  p = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[2] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[2] add(x, x)
  ROOT t = (s32[], f32[2]) tuple(j, y)
}
cond {
  p = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY main {
  t = (s32[], f32[2]) constant((0, {1, 2}))
  ROOT w = (s32[], f32[2]) while(t), condition=cond, body=body
})");
}

// Bodies of scalars are done to whole arrays, whose bits they may take.
TEST(InlineCalls, BodiesThatTakeBits) {
  constexpr char kBody[] = R"(HloModule test$0
bits {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  u = s32[] bitcast-convert(p)
  v = s32[] bitcast-convert(q)
  m = s32[] maximum(u, v)
  n = s32[] reshape(m)
  ROOT r = f32[] bitcast-convert(n)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  ROOT r = f32[4] $1, to_apply=bits
})";
  ExpectPlanComputesTheSame(absl::Substitute(kBody, "", "map(x, y), dimensions={0}"));
  auto reduced =
      Parse(absl::Substitute(kBody, ", replica_count=2", "all-reduce(x), replica_groups={{0,1}}"));
  const absl::StatusOr<ProgramSpec> plan = PlanProgram(*reduced, X86Options());
  EXPECT_TRUE(plan.ok()) << plan.status();
}

TEST(InlineCalls, LoopsInlinedTwiceAreTwoLoops) {
  auto module = Parse(R"(HloModule test
body {
  p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], s32[]) tuple(j, n)
}
cond {
  p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  ROOT c = pred[] compare(i, n), direction=LT
}
count {
  n = s32[] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], s32[]) tuple(zero, n)
  w = (s32[], s32[]) while(t), condition=cond, body=body
  ROOT r = s32[] get-tuple-element(w), index=0
}
ENTRY main {
  five = s32[] constant(5)
  six = s32[] constant(6)
  a = s32[] call(five), to_apply=count
  b = s32[] call(six), to_apply=count
  ROOT s = s32[] add(a, b)
})");
  ASSERT_TRUE(InlineCalls(*module).ok());
  ASSERT_TRUE(FlattenTuples(*module).ok());
  ASSERT_TRUE(AnalyzeLoops(*module).ok());
  std::vector<int64_t> counts;
  for (const auto& inst : module->entry()->instructions()) {
    if (inst->opcode == Opcode::kWhile) counts.push_back(inst->GetInt(Attr::kKnownTripCount, -1));
  }
  EXPECT_EQ(counts, (std::vector<int64_t>{5, 6}));
}

// Returns computations f1, f2, … each of which calls the one before twice, and f0 = negate.
std::string Doubling(int levels) {
  std::string text =
      "HloModule test\nf0 {\n  a = f32[] parameter(0)\n  ROOT n = f32[] negate(a)\n}\n";
  for (int i = 1; i <= levels; ++i) {
    absl::StrAppend(&text, "f", i, " {\n  a = f32[] parameter(0)\n  b = f32[] call(a), to_apply=f",
                    i - 1, "\n  ROOT c = f32[] call(b), to_apply=f", i - 1, "\n}\n");
  }
  return absl::StrCat(
      text, "ENTRY main {\n  a = f32[] parameter(0)\n  ROOT c = f32[] call(a), to_apply=f", levels,
      "\n}\n");
}

TEST(InlineCalls, CountsBeforeItInlines) {
  auto few = Parse(Doubling(6));
  ASSERT_TRUE(InlineCalls(*few).ok());
  EXPECT_EQ(Count(*few, Opcode::kNegate), 64);
  auto many = Parse(Doubling(64));
  const absl::Status refused = InlineCalls(*many);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted) << refused;
  // The error has the place of the call that is too much, and not that of the entry's call.
  EXPECT_THAT(std::string(refused.message()),
              testing::MatchesRegex("test.hlo:[0-9]+:[0-9]+: error: call .*more than 2097152 "
                                    "instructions"));
}

std::string Repeat(absl::string_view operand, int count) {
  return absl::StrJoin(std::vector<absl::string_view>(count, operand), ", ");
}

TEST(ExpandOps, OneValueConcatenatedOftenIsABroadcast) {
  const std::string text = absl::StrCat(
      "HloModule test\nENTRY main {\n  x = f32[2,3] parameter(0)\n  y = f32[2,1] parameter(1)\n"
      "  ROOT c = f32[2,64] concatenate(",
      Repeat("x", 11), ", y, ", Repeat("x", 10), "), dimensions={1}\n}");
  auto module = Parse(text);
  ASSERT_TRUE(ExpandOps(*module).ok());
  EXPECT_EQ(module->entry()->root()->operands.size(), 3u);
  EXPECT_EQ(Count(*module, Opcode::kBroadcast), 2);
  ExpectPlanComputesTheSame(text);
}

// Returns how many ways lead from what a kernel computes to its parameters. This is how much code
// is emitted for it.
int64_t MostReads(const hlo::Module& module) {
  int64_t most = 0;
  for (const auto& computation : module.computations()) {
    if (computation.get() == module.entry()) continue;
    std::unordered_map<const Instruction*, int64_t> reads;
    for (const auto& inst : computation->instructions()) {
      int64_t& sum = reads[inst.get()];
      sum = inst->opcode == Opcode::kParameter ? 1 : 0;
      for (const Instruction* operand : inst->operands) sum += reads.at(operand);
    }
    most = std::max(most, reads.at(computation->root()));
  }
  return most;
}

TEST(FuseKernels, NestedConcatenationsOfOneValueAreNotOneKernel) {
  std::string text = "HloModule test\nENTRY main {\n  c0 = f32[3] parameter(0)\n";
  int64_t size = 3;
  for (int i = 1; i <= 4; ++i) {
    size *= 8;
    absl::StrAppend(&text, i == 4 ? "  ROOT c" : "  c", i, " = f32[", size, "] concatenate(",
                    Repeat(absl::StrCat("c", i - 1), 8), "), dimensions={0}\n");
  }
  text += "}";
  const PlanOptions options = X86Options();
  auto prepared = PrepareModule(*Parse(text), options);
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  ASSERT_TRUE(FuseKernels(**prepared, options.device, true, {}).ok());
  EXPECT_LE(MostReads(**prepared), 64);
  ExpectPlanComputesTheSame(text);
}

// Halide and LLVM would turn these into one expression that is hundreds of operations deep.
TEST(FuseKernels, LongFunctionsFillAKernelSooner) {
  std::string text = "HloModule test\nENTRY main {\n  v0 = f32[8] parameter(0)\n";
  for (int i = 1; i <= 48; ++i) {
    absl::StrAppend(&text, i == 48 ? "  ROOT v" : "  v", i, " = f32[8] sine(v", i - 1, ")\n");
  }
  text += "}";
  const PlanOptions options = X86Options();
  auto prepared = PrepareModule(*Parse(text), options);
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  ASSERT_TRUE(FuseKernels(**prepared, options.device, true, {}).ok());
  int most = 0;
  for (const auto& computation : (*prepared)->computations()) {
    int sines = 0;
    for (const auto& inst : computation->instructions()) sines += inst->opcode == Opcode::kSin;
    most = std::max(most, sines);
  }
  EXPECT_GE(most, 8);
  EXPECT_LE(most, 16);
}

TEST(PlaceOnHost, CountersNeverWaitForTheDevice) {
  auto module = Parse(kCounted);
  ExpectPlanComputesTheSame(*module);
  ProgramSpec spec = PlanOf(*module, VulkanOptions());
  int host = 0;
  for (const auto& kernel : spec.kernels) host += kernel.space == MemorySpace::kHost;
  EXPECT_EQ(host, 2);  // test and increment
  EXPECT_EQ(spec.kernels.size(), 3u) << DescribePlan(spec);
  for (size_t s = 1; s < spec.sequences.size(); ++s) {
    for (const auto& step : spec.sequences[s].steps) {
      EXPECT_EQ(step.kind, ProgramSpec::Step::Kind::kKernel) << DescribePlan(spec);
    }
  }
}

}  // namespace
}  // namespace halyard::lowering
