// Programs of Shardy on a grid of reference evaluators: each process is given its part of what is
// spread over the mesh.
#include "frontend/hlo/processes/process_grid.h"
#include "gmock/gmock.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Strings = std::vector<std::string>;

// The program has four partitions in a mesh of 2 x 2 axes, "x" and "y", in the given order.
Strings RunOn(const std::string& function, const std::vector<std::vector<hlo::Literal>>& arguments,
              const std::string& mesh = R"(["x"=2, "y"=2])") {
  const std::string text =
      "module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
      "sdy.mesh @mesh = <" +
      mesh + ">\n" + function + "\n}\n";
  auto module = ParseStableHlo(text, "p.mlir");
  if (!module.ok()) return {std::string(module.status().message())};
  auto results = hlo::RunGrid(**module, arguments, {});
  if (!results.ok()) return {std::string(results.status().message())};
  Strings texts;
  for (const hlo::Literal& result : *results) texts.push_back(result.ToString());
  return texts;
}

std::vector<std::vector<hlo::Literal>> Each(std::vector<int64_t> dims,
                                            std::vector<std::vector<int32_t>> values) {
  std::vector<std::vector<hlo::Literal>> arguments;
  for (const std::vector<int32_t>& own : values) {
    hlo::Literal literal(hlo::Shape::Array(hlo::ElementType::kS32, dims));
    for (size_t i = 0; i < own.size(); ++i) literal.SetInt(static_cast<int64_t>(i), own[i]);
    arguments.push_back({std::move(literal)});
  }
  return arguments;
}

// Outside of manual computations, all processes compute whole arrays.
TEST(Sharding, WholeArraysAreGatheredAndCut) {
  const char kReverse[] = R"(
func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<4xi32>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<4xi32>
  return %0, %0 : tensor<4xi32>, tensor<4xi32>
})";
  EXPECT_THAT(RunOn(kReverse, Each({1}, {{1}, {2}, {3}, {4}})),
              ElementsAre("({4, 3}, {4, 3, 2, 1})", "({2, 1}, {4, 3, 2, 1})",
                          "({4, 3}, {4, 3, 2, 1})", "({2, 1}, {4, 3, 2, 1})"));
  // Partition 1 is at the first place of the mesh.
  EXPECT_THAT(RunOn(kReverse, Each({1}, {{1}, {2}, {3}, {4}}),
                    R"(["x"=2, "y"=2], device_ids=[1, 0, 2, 3])"),
              ElementsAre("({1, 2}, {4, 3, 1, 2})", "({4, 3}, {4, 3, 1, 2})",
                          "({4, 3}, {4, 3, 1, 2})", "({1, 2}, {4, 3, 1, 2})"));
}

// In two dimensions, of which one is not cut by the manual axes.
TEST(Sharding, ManualComputationsSeeTheirParts) {
  EXPECT_THAT(RunOn(R"(
func.func private @inner(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = "sdy.manual_computation"(%a) <{
      in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>,
      manual_axes = #sdy<manual_axes{"x", "y"}>,
      out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}> ({
    ^bb0(%p: tensor<1x1xi32>):
      %id = stablehlo.partition_id : tensor<ui32>
      %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %b = stablehlo.reshape %i : (tensor<i32>) -> tensor<1x1xi32>
      %s = stablehlo.add %p, %b : tensor<1x1xi32>
      "sdy.return"(%s) : (tensor<1x1xi32>) -> ()
  }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
func.func @main(%a: tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = func.call @inner(%a) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %1 = func.call @inner(%0) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x2xi32>, tensor<2x2xi32>
})",
                    Each({1, 1}, {{10}, {20}, {30}, {40}})),
              ElementsAre("({ {10, 21}, {32, 43} }, { {10}, {34} })",
                          "({ {10, 21}, {32, 43} }, { {10}, {34} })",
                          "({ {10, 21}, {32, 43} }, { {22}, {46} })",
                          "({ {10, 21}, {32, 43} }, { {22}, {46} })"));
}

// As jaxlib prints what shard_map becomes.
TEST(Sharding, ThePrettyForm) {
  EXPECT_THAT(RunOn(R"(
func.func public @main(%arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<4xi32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"} (%arg1: tensor<1xi32>) {
    %1 = stablehlo.add %arg1, %arg1 : tensor<1xi32>
    sdy.return %1 : tensor<1xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
})",
                    Each({1}, {{1}, {2}, {3}, {4}})),
              ElementsAre("{2}", "{4}", "{6}", "{8}"));
}

// Results that do not say how they are spread are spread as their values are.
TEST(Sharding, ResultsFollowConstraintsAndManualComputations) {
  const std::string kDouble = R"(
func.func private @double(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.add %a, %a : tensor<4xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}]> : tensor<4xi32>
  return %1, %a : tensor<4xi32>, tensor<4xi32>
}
)";
  // In a function that is called; beside one that says that it is whole, and a value that nobody
  // spreads.
  EXPECT_THAT(
      RunOn(kDouble + R"(
func.func @main(%a: tensor<4xi32>)
    -> (tensor<4xi32>, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<4xi32>) {
  %0:2 = call @double(%a) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  return %0#0, %0#0, %0#1 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
})",
            Each({4}, {{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}})),
      ElementsAre("({2, 4}, {2, 4, 6, 8}, {1, 2, 3, 4})", "({6, 8}, {2, 4, 6, 8}, {1, 2, 3, 4})",
                  "({2, 4}, {2, 4, 6, 8}, {1, 2, 3, 4})", "({6, 8}, {2, 4, 6, 8}, {1, 2, 3, 4})"));
  // The last constraint counts, and an argument that is spread stays so.
  EXPECT_THAT(RunOn(R"(
func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.add %a, %a : tensor<4xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}]> : tensor<4xi32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"x", "y"}]> : tensor<4xi32>
  return %2, %a : tensor<4xi32>, tensor<4xi32>
})",
                    Each({2}, {{1, 2}, {1, 2}, {3, 4}, {3, 4}})),
              ElementsAre("({2}, {1, 2})", "({4}, {1, 2})", "({6}, {3, 4})", "({8}, {3, 4})"));
  // A constraint that cannot be kept leaves the result whole, and is no error.
  const auto constrained = [](const std::string& sharding) {
    return RunOn(
        "func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {\n"
        "  %0 = sdy.sharding_constraint %a <" +
            sharding +
            "> : tensor<3xi32>\n"
            "  return %0 : tensor<3xi32>\n}",
        Each({3}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}))[3];
  };
  EXPECT_EQ(constrained(R"(@mesh, [{"x"}])"), "{1, 2, 3}");
  EXPECT_EQ(constrained(R"(@mesh, [{}, {"x"}])"), "{1, 2, 3}");
  EXPECT_EQ(constrained(R"(@mesh, [{"x":(1)2}])"), "{1, 2, 3}");
  EXPECT_EQ(constrained(R"(@other, [{"x"}])"), "{1, 2, 3}");
  EXPECT_EQ(constrained(R"(@mesh, [{"x", "x"}])"), "{1, 2, 3}");
  // Where an argument's memory holds the result, it has the argument's shape.
  EXPECT_EQ(RunOn(R"(
func.func @main(%a: tensor<4xi32> {tf.aliasing_output = 0 : i32}) -> tensor<4xi32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xi32>
  return %0 : tensor<4xi32>
})",
                  Each({4}, {{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}}))[0],
            "{1, 2, 3, 4}");
}

// What is wrong, or cannot be cut, stays as it is beside constraints.
TEST(Sharding, ConstraintsChangeNoErrorAndNoDynamicResult) {
  const auto error = [](const std::string& functions) {
    auto module = ParseStableHlo(
        "module attributes {mhlo.num_partitions = 4 : i32} {\n"
        "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n" +
            functions + "\n}\n",
        "p.mlir");
    return module.ok() ? "" : std::string(module.status().message());
  };
  EXPECT_THAT(error(R"(
func.func private @g() -> (tensor<f32>, tensor<f32>)
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %0:2 = call @g() : () -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
})"),
              HasSubstr("@g has no body"));
  const std::string kFunction = R"(
func.func private @f(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @main(%a: tensor<4xi32>) -> )";
  EXPECT_NE(error(kFunction + R"((tensor<4xi32>, tensor<4xi32>) {
  %0:2 = call @f(%a) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xi32>, tensor<4xi32>
})"),
            "");
  EXPECT_NE(error(kFunction + R"(tensor<i32> {
  %0 = call @f(%a) : (tensor<4xi32>) -> tensor<i32>
  return %0 : tensor<i32>
})"),
            "");
  EXPECT_THAT(error(R"(
func.func @main() {
  "sdy.sharding_constraint"() {sharding = #sdy.sharding<@mesh, [{"x"}]>} : () -> ()
  return
})"),
              HasSubstr("must have one result"));
  EXPECT_EQ(error(R"(
func.func @main(%a: tensor<?x4xi32>, %b: tensor<?xi32, #stablehlo.bounds<4>>)
    -> (tensor<?x4xi32>, tensor<?xi32, #stablehlo.bounds<4>>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"x"}]> : tensor<?x4xi32>
  %1 = sdy.sharding_constraint %b <@mesh, [{"x"}]> : tensor<?xi32, #stablehlo.bounds<4>>
  return %0, %1 : tensor<?x4xi32>, tensor<?xi32, #stablehlo.bounds<4>>
})"),
            "");
}

TEST(Sharding, TheEntrysShardingsAsHloText) {
  auto shardings = ReadEntryShardings(R"(
module attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xi32>)
    -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
  return %a : tensor<4xi32>
}
})",
                                      "p.mlir");
  ASSERT_TRUE(shardings.ok()) << shardings.status();
  EXPECT_THAT(shardings->parameters,
              ElementsAre("{devices=[2,2]0,1,2,3 last_tile_dim_replicate}", "{replicated}"));
  EXPECT_THAT(shardings->results, ElementsAre("{devices=[4]0,2,1,3}"));
}

TEST(Sharding, WhatCannotBeRunIsAnErrorWithItsPlace) {
  const auto with = [](const std::string& sharding) {
    return RunOn("func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<" + sharding +
                     ">}) -> tensor<4xi32> {\n  return %a : tensor<4xi32>\n}",
                 Each({4}, {{1, 2, 3, 4}}))[0];
  };
  EXPECT_THAT(with(R"(@mesh, [{}, {"x"}])"), HasSubstr("a sharding of 2 dimensions, for s32[4]"));
  EXPECT_THAT(with(R"(@other, [{"x"}])"), HasSubstr("cannot be run"));
  EXPECT_THAT(with(R"(@mesh, [{"x", "x"}])"), HasSubstr("cannot be run"));
  EXPECT_THAT(with(R"(@mesh, [{"z"}])"), HasSubstr("cannot be run"));
  EXPECT_THAT(with(R"(@mesh, [{"x":(1)2}])"), HasSubstr("cannot be run"));
  EXPECT_THAT(with(R"(@mesh, [{}], unreduced={"x"})"), HasSubstr("cannot be run"));
  EXPECT_EQ(with(R"(@mesh, [{?}], replicated={"x"})"), "{1, 2, 3, 4}");
  EXPECT_THAT(RunOn(R"(
func.func @main(%a: tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<5xi32> {
  return %a : tensor<5xi32>
})",
                    Each({5}, {{1, 2, 3, 4, 5}}))[0],
              HasSubstr("dimension 0 of s32[5] cannot be cut into 2 blocks"));
  EXPECT_THAT(RunOn(R"(
func.func @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xi32> {
  return %a : tensor<8xi32>
})",
                    Each({1}, {{1}}), R"(["x"=8])")[0],
              HasSubstr("the mesh has 8 devices, the program 4 partitions"));
}

// However small the text, neither time nor memory is without bounds.
TEST(Sharding, HugeMeshesAndGridsAreErrorsWithTheirPlace) {
  const char kFunction[] =
      "func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {\n  return %a : "
      "tensor<4xi32>\n}";
  for (const char* mesh : {R"(["x"=4000000000])", R"(["x"=4294967296, "y"=4294967296])",
                           R"(["x"=1024, "y"=1025], device_ids=[0])"}) {
    EXPECT_THAT(RunOn(kFunction, Each({4}, {{1, 2, 3, 4}}), mesh)[0],
                HasSubstr("p.mlir:2:1: error: 'sdy.mesh': the mesh has more than 1048576 devices"))
        << mesh;
  }
  EXPECT_THAT(RunOn(kFunction, Each({4}, {{1, 2, 3, 4}}), R"(["x"=4], device_ids=[1, 0])")[0],
              HasSubstr("p.mlir:2:1: error: 'sdy.mesh': the mesh has 4 devices, and ids for 2"));
  const auto on_grid = [](const std::string& grid) {
    auto module = ParseStableHlo("module attributes {" + grid + R"(} {
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}})",
                                 "p.mlir");
    return module.ok() ? "" : std::string(module.status().message());
  };
  EXPECT_THAT(on_grid("mhlo.num_replicas = 1000000000000 : i64, mhlo.num_partitions = 2 : i32"),
              HasSubstr("p.mlir:1:1: error: 'builtin.module': mhlo.num_replicas times "
                        "mhlo.num_partitions must be at most 1048576"));
  EXPECT_THAT(on_grid("mhlo.num_replicas = 513 : i64, mhlo.num_partitions = 2 : i32"),
              HasSubstr("p.mlir:3:1: error: 'func.func': the program is for 513 replicas x 2 "
                        "partitions; 1 to 1024 processes are possible"));
  EXPECT_EQ(on_grid("mhlo.num_replicas = 512 : i64, mhlo.num_partitions = 2 : i32"), "");
}

}  // namespace
}  // namespace halyard::stablehlo
