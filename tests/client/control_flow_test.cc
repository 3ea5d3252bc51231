// Control flow, calls and collectives of a single process, as whole programs on every target.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "client/api/custom_call.h"
#include "client/api/program_compiler.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::ClientFor;
using ::testing::HasSubstr;
using testing::RunOn;

constexpr const char* kTargets[] = {"reference", "x86", "vulkan"};

Literal S32(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return Literal::FromValues<int64_t>(ElementType::kS32, std::move(dims), values);
}
Literal Pred(bool value) {
  return Literal::FromValues<int64_t>(ElementType::kPred, {}, std::vector<int64_t>{value});
}
Literal F32(std::vector<int64_t> dims, std::vector<double> values) {
  return Literal::FromValues<double>(ElementType::kF32, std::move(dims), values);
}

void ExpectEverywhere(const std::string& text, const std::vector<Literal>& arguments,
                      const std::string& want) {
  for (const char* target : kTargets) EXPECT_EQ(RunOn(target, text, arguments), want) << target;
}

constexpr char kCase[] = R"(HloModule case
a { x = s32[2] parameter(0) c = s32[] constant(10) b = s32[2] broadcast(c), dimensions={} ROOT r = s32[2] add(x, b) }
b { x = s32[2] parameter(0) ROOT r = s32[2] multiply(x, x) }
c { x = s32[2] parameter(0) ROOT r = s32[2] negate(x) }
ENTRY e {
  i = s32[] parameter(0)
  x = s32[2] parameter(1)
  y = s32[2] add(x, x)
  ROOT r = s32[2] conditional(i, x, y, x), branch_computations={a, b, c}
})";

TEST(Case, OutOfRangeRunsTheLastBranch) {
  for (auto [index, want] : {std::pair(0, "{11, 12}"),
                             {1, "{4, 16}"},
                             {2, "{-1, -2}"},
                             {3, "{-1, -2}"},
                             {-1, "{-1, -2}"},
                             {INT32_MAX, "{-1, -2}"},
                             {INT32_MIN, "{-1, -2}"}}) {
    ExpectEverywhere(kCase, {S32({}, {index}), S32({2}, {1, 2})}, want);
  }
}

TEST(Case, OneBranch) {
  ExpectEverywhere(R"(HloModule one
a { x = s32[] parameter(0) ROOT r = s32[] negate(x) }
ENTRY e { i = s32[] parameter(0) ROOT r = s32[] conditional(i, i), branch_computations={a} })",
                   {S32({}, {7})}, "-7");
}

// The example of the specification, and a branch whose index is computed together with an array.
TEST(Case, StableHlo) {
  constexpr char kText[] =
      R"(func.func @main(%index: tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>) {
  %zero = stablehlo.constant dense<0> : tensor<2xi64>
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %0:2 = "stablehlo.case"(%index) ({
    stablehlo.return %zero, %zero : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %one, %one : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
})";
  ExpectEverywhere(kText, {S32({}, {-1})}, "{1, 1} {1, 1}");
  ExpectEverywhere(kText, {S32({}, {0})}, "{0, 0} {0, 0}");
}

TEST(If, PredAndTokens) {
  constexpr char kText[] = R"(func.func @main(%p: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.if"(%p) ({
    %u = stablehlo.after_all %t : !stablehlo.token
    stablehlo.return %x, %u : tensor<3xf32>, !stablehlo.token
  }, {
    %n = stablehlo.negate %x : tensor<3xf32>
    stablehlo.return %n, %t : tensor<3xf32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<3xf32>, !stablehlo.token)
  %1 = stablehlo.after_all %0#1, %t : !stablehlo.token
  %2:2 = stablehlo.optimization_barrier %0#0, %1 : tensor<3xf32>, !stablehlo.token
  return %2#0 : tensor<3xf32>
})";
  ExpectEverywhere(kText, {Pred(true), F32({3}, {1, 2, 3})}, "{1, 2, 3}");
  ExpectEverywhere(kText, {Pred(false), F32({3}, {1, 2, 3})}, "{-1, -2, -3}");
}

// Computes the sum over i < n of the sum over j < i of (j + x). The state has nested tuples.
constexpr char kNested[] = R"(HloModule nested
inner_cond { s = (s32[], (s32[], s32[2])) parameter(0) j = s32[] get-tuple-element(s), index=0
  t = (s32[], s32[2]) get-tuple-element(s), index=1 i = s32[] get-tuple-element(t), index=0
  ROOT r = pred[] compare(j, i), direction=LT }
inner_body { s = (s32[], (s32[], s32[2])) parameter(0) j = s32[] get-tuple-element(s), index=0
  t = (s32[], s32[2]) get-tuple-element(s), index=1 i = s32[] get-tuple-element(t), index=0
  v = s32[2] get-tuple-element(t), index=1 one = s32[] constant(1) k = s32[] add(j, one)
  b = s32[2] broadcast(j), dimensions={} w = s32[2] add(v, b) u = (s32[], s32[2]) tuple(i, w)
  ROOT r = (s32[], (s32[], s32[2])) tuple(k, u) }
outer_cond { s = (s32[], s32[2], s32[]) parameter(0) i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=2 ROOT r = pred[] compare(i, n), direction=LT }
outer_body { s = (s32[], s32[2], s32[]) parameter(0) i = s32[] get-tuple-element(s), index=0
  v = s32[2] get-tuple-element(s), index=1 n = s32[] get-tuple-element(s), index=2
  one = s32[] constant(1) k = s32[] add(i, one) zero = s32[] constant(0)
  t = (s32[], s32[2]) tuple(i, v) init = (s32[], (s32[], s32[2])) tuple(zero, t)
  loop = (s32[], (s32[], s32[2])) while(init), condition=inner_cond, body=inner_body
  u = (s32[], s32[2]) get-tuple-element(loop), index=1 w = s32[2] get-tuple-element(u), index=1
  ROOT r = (s32[], s32[2], s32[]) tuple(k, w, n) }
ENTRY e { n = s32[] parameter(0) x = s32[2] parameter(1) zero = s32[] constant(0)
  init = (s32[], s32[2], s32[]) tuple(zero, x, n)
  loop = (s32[], s32[2], s32[]) while(init), condition=outer_cond, body=outer_body
  i = s32[] get-tuple-element(loop), index=0 v = s32[2] get-tuple-element(loop), index=1
  ROOT r = (s32[], s32[2]) tuple(i, v) })";

TEST(While, NestedAndWithoutIterations) {
  ExpectEverywhere(kNested, {S32({}, {5}), S32({2}, {0, 100})}, "5 {10, 110}");
  ExpectEverywhere(kNested, {S32({}, {0}), S32({2}, {3, 4})}, "0 {3, 4}");
  ExpectEverywhere(kNested, {S32({}, {-7}), S32({2}, {3, 4})}, "0 {3, 4}");
}

// The program of the specification. By its semantics, i ends as 10 and the sum as 9.
TEST(While, StableHlo) {
  ExpectEverywhere(
      R"(func.func @main(%init_i: tensor<i64>, %init_sum: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %r:2 = "stablehlo.while"(%init_i, %init_sum) ({
    ^bb0(%i: tensor<i64>, %sum: tensor<i64>):
      %c = stablehlo.compare LT, %i, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%i: tensor<i64>, %sum: tensor<i64>):
      %s = stablehlo.add %sum, %one : tensor<i64>
      %n = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %n, %s : tensor<i64>, tensor<i64>
  }) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
  return %r#0, %r#1 : tensor<i64>, tensor<i64>
})",
      {Literal::FromValues<int64_t>(ElementType::kS64, {}, std::vector<int64_t>{1}),
       Literal::FromValues<int64_t>(ElementType::kS64, {}, std::vector<int64_t>{0})},
      "10 9");
}

TEST(Call, CompositesCallsAndNestedTuples) {
  ExpectEverywhere(R"(func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.composite "my.twice" %x {decomposition = @twice, version = 1 : i32, composite_attributes = {n = 2 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = func.call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.tuple %x, %1 : tuple<tensor<2xf32>, tensor<2xf32>>
  %3 = stablehlo.tuple %2, %0 : tuple<tuple<tensor<2xf32>, tensor<2xf32>>, tensor<2xf32>>
  %4 = stablehlo.get_tuple_element %3[0] : (tuple<tuple<tensor<2xf32>, tensor<2xf32>>, tensor<2xf32>>) -> tuple<tensor<2xf32>, tensor<2xf32>>
  %5 = stablehlo.get_tuple_element %4[1] : (tuple<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>
  %6 = stablehlo.get_tuple_element %3[1] : (tuple<tuple<tensor<2xf32>, tensor<2xf32>>, tensor<2xf32>>) -> tensor<2xf32>
  return %5, %6 : tensor<2xf32>, tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
})",
                   {F32({2}, {1, -3})}, "{4, -12} {2, -6}");
}

TEST(Communication, OfOneProcess) {
  ExpectEverywhere(
      R"(HloModule alone
add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
ENTRY e {
  x = s8[4] parameter(0)
  y = s32[4] parameter(1)
  sum = s32[4] all-reduce(x), replica_groups={{0}}, to_apply=add
  both = (s32[4], s32[4]) all-reduce(y, y), replica_groups={}, to_apply=add, channel_id=1
  second = s32[4] get-tuple-element(both), index=1
  old = s32[4] cross-replica-sum(y), replica_groups={}, to_apply=add
  gathered = s32[4] all-gather(second), dimensions={0}, channel_id=2, replica_groups=[1,1]<=[1], use_global_device_ids=true
  scattered = s32[4] reduce-scatter(gathered), dimensions={0}, replica_groups={{0}}, to_apply=add
  exchanged = s32[4] all-to-all(scattered), dimensions={0}, replica_groups={{0}}
  list = (s32[4]) all-to-all(exchanged), replica_groups={{0}}
  only = s32[4] get-tuple-element(list), index=0
  kept = s32[4] collective-permute(only), source_target_pairs={{0,0}}
  lost = s32[4] collective-permute(only), source_target_pairs={}
  cast = s32[4] collective-broadcast(kept), replica_groups={{0}}
  replica = u32[] replica-id()
  partition = u32[] partition-id()
  ROOT r = (s32[4], s32[4], s32[4], s32[4], u32[], u32[]) tuple(sum, cast, lost, old, replica, partition)
})",
      {Literal::FromValues<int64_t>(ElementType::kS8, {4}, std::vector<int64_t>{-1, 2, -3, 127}),
       S32({4}, {5, 6, 7, 8})},
      "{-1, 2, -3, 127} {5, 6, 7, 8} {0, 0, 0, 0} {5, 6, 7, 8} 0 0");
}

TEST(Communication, WhatDoesNotFitTheGridIsAnErrorWithAPlace) {
  constexpr char kReduce[] = R"(HloModule two, replica_count=2
add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
ENTRY e {
  x = s32[] parameter(0)
  ROOT sum = s32[] all-reduce(x), replica_groups={{0,1}}, to_apply=add
})";
  constexpr char kFed[] = R"(HloModule fed
ENTRY e {
  t = token[] after-all()
  ROOT f = ((s32[2]), token[]) infeed(t)
})";
  for (const char* target : {"x86", "vulkan"}) {
    // Infeed fails if there is no host.
    EXPECT_THAT(RunOn(target, kFed, {}), HasSubstr("infeed f (p:4:8): the run has no host"));
    // Groups of two fail if there is one process.
    EXPECT_THAT(
        RunOn(target, absl::StrReplaceAll(kReduce, {{", replica_count=2", ""}}), {S32({}, {1})}),
        HasSubstr("p:5:8: error: all-reduce sum: C3: replica 1 is not in [0, 1)"));
  }
  for (const char* target : kTargets) EXPECT_EQ(RunOn(target, kReduce, {S32({}, {21})}), "42");
  EXPECT_THAT(RunOn("reference", kFed, {}), HasSubstr("the infeed is empty"));
}

// 274177 · 67280421310721 is 2^64 + 1. The grid is checked before anything of its size is made.
TEST(Communication, GridsOfTooManyProcessesAreErrors) {
  constexpr char kGrid[] = R"(HloModule m, replica_count=%d, num_partitions=%d
ENTRY e { x = %s parameter(0) ROOT y = %s negate(x) })";
  for (const char* target : kTargets) {
    for (const char* shape : {"s32[2]", "s32[<=2]"}) {
      for (const auto& [replicas, partitions] : std::vector<std::pair<int64_t, int64_t>>{
               {274177, 67280421310721}, {1000000000, 1000000000}, {1, 1025}}) {
        EXPECT_THAT(RunOn(target, absl::StrFormat(kGrid, replicas, partitions, shape, shape),
                          {S32({2}, {1, 2})}),
                    HasSubstr(absl::StrCat("the program is for ", replicas, " replicas x ",
                                           partitions, " partitions")))
            << target << " " << shape;
      }
    }
  }
}

TEST(Communication, AProcessOfMany) {
  auto module = ParseProgram(R"(HloModule ids, replica_count=2, num_partitions=3
ENTRY e { r = u32[] replica-id() p = u32[] partition-id() ten = u32[] constant(10)
  m = u32[] multiply(r, ten) ROOT s = u32[] add(m, p) })",
                             "p.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  auto executable = ClientFor("reference")->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto results = (*executable)->Run({}, {.replica = 1, .partition = 2});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ((*results)[0].ToLiteral()->ToString(), "12");
  EXPECT_FALSE((*executable)->Run({}, {.replica = 2}).ok());
  auto negate = ParseProgram(
      "HloModule m\nENTRY e { c = s32[] constant(1) ROOT r = s32[] negate(c) }", "p.hlo");
  auto compiled = ClientFor("x86")->Compile(**negate);
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_TRUE((*compiled)->Run({}, {}).ok());
  EXPECT_FALSE((*compiled)->Run({}, {.partition = 1}).ok());
}

TEST(ControlFlow, CompilesForCuda) {
  absl::StatusOr<Target> target = ParseTarget("cuda:sm_80", 0);
  ASSERT_TRUE(target.ok()) << target.status();
  for (const char* text : {kCase, kNested}) {
    auto module = ParseProgram(text, "p.hlo");
    ASSERT_TRUE(module.ok()) << module.status();
    ProgramCompiler compiler;
    absl::StatusOr<ProgramSpec> program = compiler.Compile(**module, *target);
    EXPECT_TRUE(program.ok()) << program.status();
  }
}

// Loops that are unrolled and polynomials that are one kernel treat special values as a loop does.
TEST(UnrolledLoops, KeepSpecialValues) {
  constexpr int64_t kElements = 1 << 14;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<double> special = {NAN,    kInf,    -kInf,   -0.0, 0.0,  1e-40, -1e-40,
                                       3.4e38, -3.4e38, 1.2e-38, 1.0,  -1.0, 2.5};
  std::vector<double> x(kElements), y(kElements);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = special[i % special.size()];
    y[i] = special[i / special.size() % special.size()];
  }
  const std::vector<Literal> arguments = {F32({kElements}, x), F32({kElements}, y)};
  std::string poly, last = "a";
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&poly, "  c", i, " = f32[] constant(", 0.25 * (i + 1), ")\n  b", i,
                    " = f32[16384] broadcast(c", i, "), dimensions={}\n  m", i,
                    " = f32[16384] multiply(", last, ", b)\n  s", i, " = f32[16384] add(m", i,
                    ", b", i, ")\n");
    last = absl::StrCat("s", i);
  }
  const std::string text = absl::StrReplaceAll(R"(HloModule p
body {
  p = (s32[], f32[16384], f32[16384]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[16384] get-tuple-element(p), index=1
  y = f32[16384] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  m = f32[16384] maximum(x, y)
  h = f32[] constant(-0.5)
  hb = f32[16384] broadcast(h), dimensions={}
  s = f32[16384] multiply(y, hb)
  n = pred[16384] compare(x, x), direction=NE
  z = f32[16384] select(n, y, s)
  ROOT t = (s32[], f32[16384], f32[16384]) tuple(j, m, z)
}
cond {
  p = (s32[], f32[16384], f32[16384]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  k = s32[] constant(5)
  ROOT c = pred[] compare(i, k), direction=LT
}
ENTRY e {
  x = f32[16384] parameter(0)
  y = f32[16384] parameter(1)
  o = s32[] constant(0)
  init = (s32[], f32[16384], f32[16384]) tuple(o, x, y)
  w = (s32[], f32[16384], f32[16384]) while(init), condition=cond, body=body
  a = f32[16384] get-tuple-element(w), index=1
  b = f32[16384] get-tuple-element(w), index=2
$POLY  q = pred[16384] compare($LAST, $LAST), direction=NE
  ROOT r = (f32[16384], f32[16384], pred[16384]) tuple(a, b, q)
})",
                                               {{"$POLY", poly}, {"$LAST", last}});
  const auto results = [&](const std::string& target, const std::string& without = "") {
    CompileOptions options;
    options.without = without;
    return absl::StrReplaceAll(RunOn(target, text, arguments, options), {{"-nan", "nan"}});
  };
  const std::string want = results("reference");
  EXPECT_THAT(want, HasSubstr("nan"));
  for (const char* target : kTargets) {
    EXPECT_TRUE(results(target) == want) << target;
    EXPECT_TRUE(results(target, "unrolled-loops") == want) << target;
  }
}

}  // namespace
}  // namespace halyard
