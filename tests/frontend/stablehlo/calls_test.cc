// Tests what custom calls and composites become when a program is read.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

TEST(Calls, ShardingIsTheValueItself) {
  const char* text = R"(
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
})";
  EXPECT_EQ(Evaluate(text, {Ints32({2}, {1, 2})}), "{1, 2}");
}

TEST(Calls, CustomCallsAndComposites) {
  auto module = ParseStableHlo(R"(
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<i32>) {
  %0 = stablehlo.composite "ns.twice" %x {composite_attributes = {n = 1 : i32}, decomposition = @twice, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  %1:2 = stablehlo.custom_call @foo(%0) {backend_config = {bar = 42 : i32}, api_version = 4 : i32, called_computations = [@twice]} : (tensor<f32>) -> (tensor<f32>, tensor<i32>)
  return %0, %1#0, %1#1 : tensor<f32>, tensor<f32>, tensor<i32>
}
func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
})",
                               "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  int found = 0;
  for (const auto& inst : (*module)->entry()->instructions()) {
    if (inst->opcode == hlo::Opcode::kCall) {
      ++found;
      EXPECT_TRUE(inst->GetBool(hlo::Attr::kIsComposite));
      EXPECT_EQ(inst->GetString(hlo::Attr::kFrontendAttributes),
                "{composite.name=\"ns.twice\",composite.attributes={n = 1 : "
                "i32},composite.version=\"2\"}");
    }
    if (inst->opcode == hlo::Opcode::kCustomCall) {
      ++found;
      EXPECT_EQ(inst->GetString(hlo::Attr::kCustomCallTarget), "foo");
      EXPECT_EQ(inst->GetString(hlo::Attr::kBackendConfig), "{bar = 42 : i32}");
      EXPECT_EQ(inst->GetString(hlo::Attr::kApiVersion), "API_VERSION_TYPED_FFI");
      EXPECT_EQ(inst->called.size(), 1u);
    }
  }
  EXPECT_EQ(found, 2);
}

// Composites that jaxlib makes from CHLO ops are read as those ops. Here the decomposition returns
// its operand, so that the difference shows.
TEST(Calls, CompositesOfChlo) {
  const auto text = [](const std::string& name, int version, const std::string& type) {
    return absl::StrCat(
        "func.func @main(%x: ", type, ") -> ", type, " {\n  %0 = stablehlo.composite \"", name,
        "\" %x {decomposition = @impl, version = ", version, " : i32} : (", type, ") -> ", type,
        "\n  return %0 : ", type, "\n}\nfunc.func private @impl(%x: ", type, ") -> ", type,
        " {\n  return %x : ", type, "\n}");
  };
  const std::string f32 = "tensor<2xf32>";
  const std::vector<hlo::Literal> infinity = {Floats({2}, {-HUGE_VAL, HUGE_VAL})};
  EXPECT_EQ(Evaluate(text("chlo.erf", 1, f32), infinity), "{-1, 1}");
  EXPECT_EQ(Evaluate(text("chlo.erf", 2, f32), infinity), "{-inf, inf}");
  EXPECT_EQ(Evaluate(text("chlo.other", 1, f32), infinity), "{-inf, inf}");
  EXPECT_EQ(Evaluate(text("my.erf", 1, f32), infinity), "{-inf, inf}");
  EXPECT_EQ(Evaluate(text("chlo.sinh", 1, "tensor<2xi32>"), {Ints32({2}, {1, 2})}), "{1, 2}");
  constexpr char kTopK[] = R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 2 : i64$0}, decomposition = @impl, version = 1 : i32} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}
func.func private @impl(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.constant dense<0> : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
})";
  const std::vector<hlo::Literal> four = {Floats({4}, {1, 4, 2, 3})};
  EXPECT_EQ(Evaluate(absl::Substitute(kTopK, ""), four), "({4, 3}, {1, 3})");
  EXPECT_EQ(Evaluate(absl::Substitute(kTopK, ", largest = false"), four), "({1, 4}, {0, 0})");
  constexpr char kMulHigh[] = R"(
func.func @main(%x: tensor<ui32>) -> tensor<ui32> {
  %0 = stablehlo.composite "chlo.mulhi" %x, %x {decomposition = @impl, version = 1 : i32} : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  return %0 : tensor<ui32>
}
func.func private @impl(%x: tensor<ui32>, %y: tensor<ui32>) -> tensor<ui32> {
  return %x : tensor<ui32>
})";
  EXPECT_EQ(Evaluate(kMulHigh, {hlo::Literal::FromValues<int64_t>(hlo::ElementType::kU32, {},
                                                                  std::vector<int64_t>{1 << 20})}),
            "256");
}

}  // namespace
}  // namespace halyard::stablehlo
