// Programs of several processes on every target. Their results must have the same bits as those of
// the evaluator's grid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "tests/client/grid/random_collectives.h"
#include "tests/client/grid/runs.h"

namespace halyard::testing {
namespace {

using hlo::ElementType;
using hlo::Literal;
using ::testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Targets, GridTest, ::testing::Values("reference", "x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

// Runs 1,000 programs if $HALYARD_NIGHTLY is set.
TEST_P(GridTest, RandomCollectivesAgreeWithTheEvaluator) {
  const std::string target = GetParam();
  if (target == "reference") GTEST_SKIP() << "it is the other side";
  const uint32_t count = std::getenv("HALYARD_NIGHTLY") != nullptr ? 1000
                         : target == "x86"                         ? 60
                                                                   : 30;
  for (uint32_t seed = 1; seed <= count; ++seed) {
    RandomProgram program(seed);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", program.text()));
    Grids arguments;
    for (int64_t i = 0; i < program.processes(); ++i) arguments.push_back({program.Argument()});
    const absl::StatusOr<Grids> want = RunGridOn("reference", program.text(), arguments);
    ASSERT_TRUE(want.ok()) << want.status();
    const absl::StatusOr<Grids> got = RunGridOn(target, program.text(), arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t p = 0; p < want->size(); ++p) {
      ASSERT_TRUE((*got)[p][0].BitwiseEqual((*want)[p][0])) << "process " << p;
    }
  }
}

// Narrow, empty, complex and quantized arrays, and a group of one process next to a group of two.
constexpr char kTypes[] =
    R"(module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 3 : i32} {
func.func @main(%a: tensor<3x5xi4>, %c: tensor<3x5xi1>, %d: tensor<3x0xf32>, %e: tensor<complex<f32>>, %f: tensor<7xf8E4M3FN>) -> (tensor<9x5xi4>, tensor<3x5xi4>, tensor<3x5xi1>, tensor<3x0xf32>, tensor<complex<f32>>, tensor<7xf8E4M3FN>) {
  %g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<3x5xi4>) -> tensor<9x5xi4>
  %tt = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[2,1,0]]> : tensor<1x3xi64>} : (tensor<3x5xi4>) -> tensor<3x5xi4>
  %s = "stablehlo.all_reduce"(%c) ({
    ^bb0(%l: tensor<i1>, %q: tensor<i1>):
      %t = stablehlo.and %l, %q : tensor<i1>
      stablehlo.return %t : tensor<i1>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<3x5xi1>) -> tensor<3x5xi1>
  %z = "stablehlo.all_reduce"(%d) ({
    ^bb0(%l: tensor<f32>, %q: tensor<f32>):
      %t = stablehlo.add %l, %q : tensor<f32>
      stablehlo.return %t : tensor<f32>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<3x0xf32>) -> tensor<3x0xf32>
  %y = "stablehlo.all_reduce"(%e) ({
    ^bb0(%l: tensor<complex<f32>>, %q: tensor<complex<f32>>):
      %t = stablehlo.multiply %l, %q : tensor<complex<f32>>
      stablehlo.return %t : tensor<complex<f32>>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %x = "stablehlo.all_reduce"(%f) ({
    ^bb0(%l: tensor<f8E4M3FN>, %q: tensor<f8E4M3FN>):
      %t = stablehlo.add %l, %q : tensor<f8E4M3FN>
      stablehlo.return %t : tensor<f8E4M3FN>
  }) {replica_groups = dense<[[0,-1],[1,2]]> : tensor<2x2xi64>} : (tensor<7xf8E4M3FN>) -> tensor<7xf8E4M3FN>
  return %g, %tt, %s, %z, %y, %x : tensor<9x5xi4>, tensor<3x5xi4>, tensor<3x5xi1>, tensor<3x0xf32>, tensor<complex<f32>>, tensor<7xf8E4M3FN>
}
})";
constexpr char kQuantized[] =
    R"(module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 3 : i32} {
func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> (tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<12x!quant.uniform<i8:f32, 0.5:7>>) {
  %p = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0,1],[1,2]]> : tensor<2x2xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:7>>
  %b = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[2,1]]> : tensor<1x2xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:7>>
  %s = "stablehlo.all_reduce"(%a) ({
    ^bb0(%l: tensor<!quant.uniform<i8:f32, 0.5:7>>, %q: tensor<!quant.uniform<i8:f32, 0.5:7>>):
      %t = stablehlo.add %l, %q : tensor<!quant.uniform<i8:f32, 0.5:7>>
      stablehlo.return %t : tensor<!quant.uniform<i8:f32, 0.5:7>>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:7>>
  %g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<12x!quant.uniform<i8:f32, 0.5:7>>
  return %p, %b, %s, %g : tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<12x!quant.uniform<i8:f32, 0.5:7>>
}
})";

TEST_P(GridTest, EveryKindOfType) {
  for (const char* text : {kTypes, kQuantized}) {
    auto module = ParseProgram(text, "p.mlir");
    ASSERT_TRUE(module.ok()) << module.status();
    Grids arguments(3);
    std::mt19937 random(1);
    for (Literals& own : arguments) {
      for (const hlo::Instruction* parameter : (*module)->entry()->parameters()) {
        Literal& literal = own.emplace_back(parameter->shape.Storage());
        const ElementType type = literal.shape().element_type();
        for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
          const int64_t value = static_cast<int64_t>(random() % 8);
          if (hlo::IsComplex(type)) {
            literal.SetComplex(i, {static_cast<double>(value), 1.0});
          } else if (hlo::IsFloat(type)) {
            literal.SetFloat(i, static_cast<double>(value));
          } else {
            literal.SetInt(i, value);
          }
        }
      }
    }
    const absl::StatusOr<Grids> got = RunGridOn(GetParam(), text, arguments);
    EXPECT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(Text(got), Text(RunGridOn("reference", text, arguments)));
  }
}

TEST_P(GridTest, CollectivesInLoopsAndBranches) {
  // Each iteration adds the sum over all processes to the value of the left neighbor.
  const std::string text = absl::StrCat("HloModule m, replica_count=3\n", kAdd, R"(
body {
  s = (s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[2] get-tuple-element(s), index=1
  sum = s32[2] all-reduce(x), replica_groups={}, to_apply=add
  left = s32[2] collective-permute(x), source_target_pairs={{0,1},{1,2},{2,0}}
  y = s32[2] add(sum, left)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[2]) tuple(j, y)
}
cond {
  s = (s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[2] get-tuple-element(s), index=1
  n = s32[] constant(4)
  least = s32[] reduce(x, n), dimensions={0}, to_apply=add
  big = s32[] constant(100000)
  some = s32[] all-reduce(least), replica_groups={}, to_apply=add
  ROOT r = pred[] compare(some, big), direction=LT
}
twice {
  x = s32[2] parameter(0)
  ROOT r = s32[2] all-reduce(x), replica_groups={{0,2},{1}}, to_apply=add
}
none {
  x = s32[2] parameter(0)
  ROOT r = s32[2] negate(x)
}
ENTRY e {
  x = s32[2] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[2]) tuple(zero, x)
  loop = (s32[], s32[2]) while(init), condition=cond, body=body
  y = s32[2] get-tuple-element(loop), index=1
  id = u32[] replica-id()
  which = s32[] convert(id)
  one = s32[] constant(1)
  middle = pred[] compare(which, one), direction=EQ
  c = s32[2] conditional(middle, y, y), true_computation=none, false_computation=twice
  i = s32[] get-tuple-element(loop), index=0
  ROOT r = (s32[], s32[2]) tuple(i, c)
})");
  const Grids arguments = {{S32({2}, {1, 2})}, {S32({2}, {3, 4})}, {S32({2}, {5, 6})}};
  const absl::StatusOr<Grids> got = RunGridOn(GetParam(), text, arguments);
  EXPECT_EQ(Text(got), Text(RunGridOn("reference", text, arguments)));
  EXPECT_TRUE(got.ok());
}

TEST_P(GridTest, DeadlocksSayWhoWaitsForWhom) {
  // The second process leaves its loop earlier.
  const std::string text = absl::StrCat("HloModule m, replica_count=2\n", kAdd, R"(
body {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[] get-tuple-element(s), index=1
  y = s32[] all-reduce(x), replica_groups={{0,1}}, to_apply=add
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[]) tuple(j, y)
}
cond {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  id = u32[] replica-id()
  k = s32[] convert(id)
  three = s32[] constant(3)
  n = s32[] subtract(three, k)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[]) tuple(zero, x)
  ROOT loop = (s32[], s32[]) while(init), condition=cond, body=body
})");
  const absl::StatusOr<Grids> got = RunGridOn(GetParam(), text, {{S32({}, {1})}});
  EXPECT_EQ(got.status().code(), absl::StatusCode::kDeadlineExceeded) << got.status();
  EXPECT_THAT(Text(got), HasSubstr("deadlock: process (0, 0) waits at "));
  EXPECT_THAT(Text(got), HasSubstr("(p.hlo:8:3) for (1, 0); the others have ended"));
}

TEST_P(GridTest, EightThreadsRunGridsAtOnce) {
  const std::string text =
      absl::StrCat("HloModule m, replica_count=2, num_partitions=2\n", kAdd, R"(
ENTRY e {
  x = s32[4] parameter(0)
  a = s32[4] all-reduce(x), replica_groups={{0,1}}, channel_id=1, to_apply=add
  b = s32[4] all-to-all(a), replica_groups={{1,0}}, dimensions={0}
  ROOT c = s32[4] all-reduce(b), replica_groups={{0,3},{1,2}}, channel_id=1, use_global_device_ids=true, to_apply=add
})");
  auto module = ParseProgram(text, "p.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  auto executable = ClientFor(GetParam())->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 10; ++round) {
        Grids arguments;
        for (int p = 0; p < 4; ++p) arguments.push_back({S32({4}, {t, p, round, t * p})});
        const auto got = (*executable)->RunGridLiterals(arguments);
        ASSERT_TRUE(got.ok()) << got.status();
        EXPECT_EQ(Text(got), Text(RunGridOn("reference", text, arguments)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace halyard::testing
