// Programs are read, then evaluated.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

// The example of the StableHLO specification, with its deprecated dot.
constexpr char kExample[] = R"(
func.func @main(%image: tensor<28x28xf32>, %weights: tensor<784x10xf32>, %bias: tensor<1x10xf32>) -> tensor<1x10xf32> {
  %0 = "stablehlo.reshape"(%image) : (tensor<28x28xf32>) -> tensor<1x784xf32>
  %1 = "stablehlo.dot"(%0, %weights) : (tensor<1x784xf32>, tensor<784x10xf32>) -> tensor<1x10xf32>
  %2 = "stablehlo.add"(%1, %bias) : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
  %3 = "stablehlo.constant"() {value = dense<0.0> : tensor<1x10xf32>} : () -> tensor<1x10xf32>
  %4 = "stablehlo.maximum"(%2, %3) : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
  "func.return"(%4): (tensor<1x10xf32>) -> ()
}
)";

TEST(Meaning, TheDocumentsExample) {
  auto module = ParseStableHlo(kExample, "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ((*module)->entry()->name(), "main");
  EXPECT_EQ((*module)->entry()->instructions().size(), 8u);  // 3 parameters, 5 ops
  std::vector<double> image(784, 0), weights(7840, 0), bias(10, 0);
  image[3] = 2;
  for (int i = 0; i < 10; ++i) weights[30 + i] = i - 5;
  bias[9] = 100;
  EXPECT_EQ(Evaluate(kExample,
                     {Floats({28, 28}, image), Floats({784, 10}, weights), Floats({1, 10}, bias)}),
            Floats({1, 10}, {0, 0, 0, 0, 0, 0, 2, 4, 6, 108}).ToString());
}

// As in gradients of jax.nn.dot_product_attention.
TEST(Meaning, FactorsOfTwoTypesWithAnAlgorithm) {
  constexpr char kText[] = R"(
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.convert %b : (tensor<3x2xf32>) -> tensor<3x2xbf16>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0]$0 : (tensor<2x3xf32>, tensor<3x2xbf16>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
)";
  const std::vector<hlo::Literal> inputs = {Floats({2, 3}, {1, 2, 3, 4, 5, 6}),
                                            Floats({3, 2}, {1, 0, 0.5, 2, 0, 1})};
  const std::string algorithm =
      ", algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = "
      "f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
      "allow_imprecise_accumulation = false>";
  EXPECT_EQ(Evaluate(absl::Substitute(kText, algorithm), inputs),
            Floats({2, 2}, {2, 7, 6.5, 16}).ToString());
  const auto module = ParseStableHlo(absl::Substitute(kText, ""), "p.mlir");
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.status().message().find("C13: element types differ: f32 and bf16"),
            std::string::npos)
      << module.status();
}

TEST(Meaning, SeveralResultsAndCalls) {
  const char* text = R"(module @jit_f {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0:2 = call @both(%arg0) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %1 = call @twice(%0#1) : (tensor<f32>) -> tensor<f32>
    return %0#0, %1 : tensor<f32>, tensor<f32>
  }
  func.func private @both(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = call @twice(%arg0) : (tensor<f32>) -> tensor<f32>
    return %arg0, %0 : tensor<f32>, tensor<f32>
  }
  func.func private @twice(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
})";
  EXPECT_EQ(Evaluate(text, {Floats({}, {3})}),
            hlo::Literal::Tuple({Floats({}, {3}), Floats({}, {12})}).ToString());
  auto module = ParseStableHlo(text, "p.mlir");
  ASSERT_TRUE(module.ok());
  EXPECT_EQ((*module)->name(), "jit_f");
  EXPECT_EQ((*module)->computations().size(), 3u);  // @twice only once
}

TEST(Meaning, WhileCarriesWhatItsRegionsUseFromOutside) {
  // Sums step for i in [0, n). The loop uses n, step and the constant of the bound from outside.
  const char* text = R"(
func.func @main(%n: tensor<i32>, %step: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.constant dense<10.0> : tensor<2xf32>
  %0:2 = stablehlo.while(%i = %zero, %acc = %start) : tensor<i32>, tensor<2xf32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %sum = stablehlo.add %acc, %step : tensor<2xf32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<2xf32>
})";
  EXPECT_EQ(Evaluate(text, {Ints32({}, {4}), Floats({2}, {1, 0.5})}),
            hlo::Literal::Tuple({Ints32({}, {4}), Floats({2}, {14, 12})}).ToString());
  auto module = ParseStableHlo(text, "p.mlir");
  ASSERT_TRUE(module.ok());
  for (const auto& inst : (*module)->entry()->instructions()) {
    if (inst->opcode == hlo::Opcode::kWhile) {
      // i, acc, n and step; constants are copied into the loop.
      EXPECT_EQ(inst->shape.elements().size(), 4u);
    }
  }
}

TEST(Meaning, NestedRegionsCaptureThroughBoth) {
  const char* text = R"(
func.func @main(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %0, %a = %x) : tensor<i32>, tensor<f32> cond {
    %c = stablehlo.compare LT, %i, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %2 : tensor<i32>
    %b = "stablehlo.if"(%p) ({
      %s = stablehlo.add %a, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }, {
      %s = stablehlo.multiply %a, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    stablehlo.return %n, %b : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
})";
  EXPECT_EQ(Evaluate(text, {Pred(true), Floats({}, {1}), Floats({}, {2})}), "7");
  EXPECT_EQ(Evaluate(text, {Pred(false), Floats({}, {1}), Floats({}, {2})}), "8");
}

TEST(Meaning, CaseTakesTheLastBranchWhenOutOfRange) {
  const char* text = R"(
func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %r:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %i : tensor<f32>, tensor<i32>
  }, {
    %0 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %0, %i : tensor<f32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
})";
  for (int64_t i : {-1, 0, 1, 7}) {
    EXPECT_EQ(Evaluate(text, {Ints32({}, {i}), Floats({}, {5})}),
              hlo::Literal::Tuple({Floats({}, {i == 0 ? 5. : -5.}), Ints32({}, {i})}).ToString());
  }
}

TEST(Meaning, ReducersMayUseScalarsOfOutside) {
  // max(acc, value * k)
  const char* text = R"(
func.func @main(%x: tensor<2x3xf32>, %k: tensor<f32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%acc: tensor<f32>, %value: tensor<f32>) {
    %1 = stablehlo.multiply %value, %k : tensor<f32>
    %2 = stablehlo.maximum %acc, %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<2xf32>
})";
  EXPECT_EQ(Evaluate(text, {Floats({2, 3}, {1, 2, 3, -4, -5, 6}), Floats({}, {1})}), "{3, 6}");
  EXPECT_EQ(Evaluate(text, {Floats({2, 3}, {1, 2, 3, -4, -5, 6}), Floats({}, {-1})}), "{0, 5}");
}

TEST(Meaning, ComparatorsAndMapsMayUseScalarsOfOutside) {
  const char* text = R"(
func.func @main(%x: tensor<4xf32>, %k: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %k : tensor<f32>
    %2 = stablehlo.multiply %b, %k : tensor<f32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) {dimension = -1 : i64, is_stable = true} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.multiply %a, %k : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %4 : tensor<4xf32>, tensor<4xf32>
})";
  EXPECT_EQ(
      Evaluate(text, {Floats({4}, {3, 1, 4, 2}), Floats({}, {-1})}),
      hlo::Literal::Tuple({Floats({4}, {4, 3, 2, 1}), Floats({4}, {-3, -1, -4, -2})}).ToString());
}

TEST(Meaning, BroadcastInDimStretchesAndPermutes) {
  const char* text = R"(
func.func @main(%x: tensor<1x3xi32>) -> tensor<2x3x2xi32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>
  return %0 : tensor<2x3x2xi32>
})";
  EXPECT_EQ(Evaluate(text, {Ints32({1, 3}, {1, 2, 3})}),
            Ints32({2, 3, 2}, {1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3}).ToString());
}

TEST(Meaning, DeprecatedBroadcastAddsDimensionsOnTheLeft) {
  const char* text = R"(
func.func @main(%x: tensor<2xi32>) -> tensor<3x2xi32> {
  %0 = stablehlo.broadcast %x, sizes = [3] : (tensor<2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
})";
  EXPECT_EQ(Evaluate(text, {Ints32({2}, {1, 2})}), Ints32({3, 2}, {1, 2, 1, 2, 1, 2}).ToString());
}

TEST(Meaning, ConvolutionAndWindows) {
  // The example of the specification: ones, stride 4, input dilation 2.
  const char* text = R"(
func.func @main(%x: tensor<1x4x4x1xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
  return %0 : tensor<1x2x2x1xf32>
})";
  std::vector<double> ones(9, 1);
  EXPECT_EQ(Evaluate(text, {Floats({1, 4, 4, 1},
                                   {1, 2, 5, 6, 3, 4, 7, 8, 10, 11, 14, 15, 12, 13, 16, 17}),
                            Floats({3, 3, 1, 1}, ones)}),
            Floats({1, 2, 2, 1}, {10, 26, 46, 62}).ToString());
  const char* window = R"(
func.func @main(%x: tensor<5xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
})";
  EXPECT_EQ(Evaluate(window, {Floats({5}, {10000, 1000, 100, 10, 1})}), "{1000, 10, 1}");
}

TEST(Meaning, TuplesAndBarriers) {
  const char* text = R"(
func.func @main(%x: tensor<f32>, %y: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %2:2 = stablehlo.optimization_barrier %x, %1 : tensor<f32>, tensor<i32>
  return %2#1, %2#0 : tensor<i32>, tensor<f32>
})";
  EXPECT_EQ(Evaluate(text, {Floats({}, {1.5}), Ints32({}, {7})}),
            hlo::Literal::Tuple({Ints32({}, {7}), Floats({}, {1.5})}).ToString());
}

TEST(Meaning, Chlo) {
  const char* text = R"(
func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x4xf32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  %1 = chlo.square %x : tensor<2x4xf32> -> tensor<2x4xf32>
  return %0#0, %0#1, %1 : tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x4xf32>
})";
  EXPECT_EQ(Evaluate(text, {Floats({2, 4}, {1, 3, 3, 2, -1, -2, -4, -3})}),
            hlo::Literal::Tuple({Floats({2, 2}, {3, 3, -1, -2}), Ints32({2, 2}, {1, 2, 0, 1}),
                                 Floats({2, 4}, {1, 9, 9, 4, 1, 4, 16, 9})})
                .ToString());
}

TEST(Meaning, ConstantsOfEveryType) {
  struct Case {
    const char* value;
    const char* type;
    const char* text;
  };
  for (const Case& c : {Case{"true", "i1", "true"},
                        {"-8", "i4", "-8"},
                        {"15", "ui4", "15"},
                        {"-2", "i2", "-2"},
                        {"1.5", "f4E2M1FN", "1.5"},
                        {"7.5", "f6E2M3FN", "7.5"},
                        {"28.0", "f6E3M2FN", "28"},
                        {"15.5", "f8E3M4", "15.5"},
                        {"3.5", "f8E4M3", "3.5"},
                        {"-1.5", "f8E4M3FN", "-1.5"},
                        {"0x41", "f8E4M3FNUZ", "1.1"},
                        {"1.5", "f8E4M3B11FNUZ", "1.5"},
                        {"0.5", "f8E5M2", "0.5"},
                        {"0.5", "f8E5M2FNUZ", "0.5"},
                        {"4.0", "f8E8M0FNU", "4"},
                        {"2.5", "bf16", "2.5"},
                        {"0x3C00", "f16", "1"},
                        {"-9223372036854775808", "i64", "-9223372036854775808"},
                        {"18446744073709551615", "ui64", "18446744073709551615"},
                        {"(1.0, -2.0)", "complex<f32>", "(1, -2)"},
                        {"(0.5, 0.25)", "complex<f64>", "(0.5, 0.25)"}}) {
    std::string text =
        absl::StrCat("func.func @main() -> tensor<", c.type, "> { %0 = stablehlo.constant dense<",
                     c.value, "> : tensor<", c.type, "> return %0 : tensor<", c.type, "> }");
    EXPECT_EQ(Evaluate(text, {}), c.text) << c.type;
  }
}

TEST(Meaning, LargeSplatsAreNotWrittenOut) {
  auto module = ParseStableHlo(
      "func.func @main() -> tensor<1000000x1000000xf32> {"
      "  %0 = stablehlo.constant dense<1.0> : tensor<1000000x1000000xf32>"
      "  return %0 : tensor<1000000x1000000xf32> }",
      "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ((*module)->entry()->root()->opcode, hlo::Opcode::kBroadcast);
}

TEST(Meaning, AliasesDonorsAndPartitions) {
  auto module = ParseStableHlo(
      R"(module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 3 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<f32> {jax.buffer_donor = true}, %b: tensor<i32> {tf.aliasing_output = 1 : i32, sdy.sharding = #sdy.sharding<@mesh, []>})
      -> (tensor<f32>, tensor<i32>) {
    %0 = sdy.sharding_constraint %a <@mesh, []> : tensor<f32>
    return %0, %b : tensor<f32>, tensor<i32>
  }
})",
      "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ((*module)->num_partitions, 2);
  EXPECT_EQ((*module)->num_replicas, 3);
  EXPECT_EQ((*module)->donors, std::vector<int64_t>{0});
  ASSERT_EQ((*module)->aliases.size(), 1u);
  EXPECT_EQ((*module)->aliases[0].result_leaf, 1);
  EXPECT_EQ((*module)->aliases[0].parameter_number, 1);
}

TEST(Meaning, Provenance) {
  auto module = ParseStableHlo(R"(
#loc1 = loc("model.py":7:9)
func.func @main(%x: tensor<f32> loc("x")) -> tensor<f32> {
  %0 = stablehlo.tanh %x : tensor<f32> loc(#loc3)
  return %0 : tensor<f32>
}
#loc2 = loc(callsite("layer"(#loc1) at "main"("train.py":3:1)))
#loc3 = loc("jit(f)/tanh"(#loc2))
)",
                               "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const hlo::Provenance& tanh = (*module)->entry()->root()->provenance;
  EXPECT_EQ(tanh.Place(), "p.mlir:4:8");
  EXPECT_EQ(tanh.op_names, std::vector<std::string>{"jit(f)/tanh"});
  ASSERT_EQ(tanh.locations.size(), 3u);
  EXPECT_EQ(tanh.locations[1], (hlo::SourceLocation{"model.py", 7, 9}));
  EXPECT_EQ(tanh.locations[2], (hlo::SourceLocation{"train.py", 3, 1}));
  EXPECT_EQ((*module)->entry()->parameters()[0]->provenance.op_names,
            std::vector<std::string>{"x"});
  EXPECT_EQ((*module)->entry()->parameters()[0]->name, "x");
}

TEST(Meaning, CyclesOfLocationsEnd) {
  auto module = ParseStableHlo(R"(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
} loc(#a)
func.func private @f(%x: tensor<f32> loc(#a)) -> tensor<f32> { return %x : tensor<f32> }
#a = loc(fused[#a, #a])
)",
                               "p.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
}

TEST(Meaning, TheEntryMayBeNamed) {
  const char* text = R"(
func.func @main() -> tensor<i32> { %0 = stablehlo.constant dense<1> : tensor<i32> return %0 : tensor<i32> }
func.func @other() -> tensor<i32> { %0 = stablehlo.constant dense<2> : tensor<i32> return %0 : tensor<i32> }
)";
  auto other = ParseStableHlo(text, "p.mlir", "other");
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ((*other)->entry()->name(), "other");
  EXPECT_EQ((*other)->computations().size(), 1u);
  EXPECT_EQ(ParseStableHlo(text, "p.mlir", "none").status().message(),
            "p.mlir:1:1: error: the program has no function @none; its public functions are @main, "
            "@other");
}

}  // namespace
}  // namespace halyard::stablehlo
