// Scatter windows that are partly out of bounds: StableHLO drops the elements outside, XLA the
// whole window.
#include "frontend/stablehlo/whole_scatter_windows.h"

#include "frontend/hlo/ir/op_table.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

std::string Scatter(const std::string& index_type) {
  return R"(func.func @main(%x: tensor<4x4xf32>, %i: tensor<2x2x)" + index_type +
         R"(>, %u: tensor<2x2x2xf32>)
    -> tensor<4x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
        scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}
    : (tensor<4x4xf32>, tensor<2x2x)" +
         index_type + R"(>, tensor<2x2x2xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
})";
}

std::string RunScatter(const std::string& text, const std::vector<hlo::Literal>& arguments,
                       bool whole) {
  auto module = ParseStableHlo(text, "p.mlir");
  if (!module.ok()) return std::string(module.status().message());
  if (whole) {
    EXPECT_TRUE(DropPartialScatterWindows(module->get()).ok());
    EXPECT_TRUE(hlo::VerifyModule(**module).ok()) << hlo::VerifyModule(**module);
  }
  auto result = hlo::Evaluator().Run(**module, arguments);
  return result.ok() ? result->ToString() : std::string(result.status().message());
}

const hlo::Literal kZeros = Floats({4, 4}, std::vector<double>(16, 0));
const hlo::Literal kUpdates = Floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});

TEST(WholeScatterWindows, AreLeftOutPartly) {
  const hlo::Literal indices = Ints32({2, 2}, {3, 1, 1, 2});
  EXPECT_EQ(RunScatter(Scatter("i32"), {kZeros, indices, kUpdates}, false),
            "{ {0, 0, 0, 0}, {0, 0, 5, 6}, {0, 0, 7, 8}, {0, 1, 2, 0} }");
  EXPECT_EQ(RunScatter(Scatter("i32"), {kZeros, indices, kUpdates}, true),
            "{ {0, 0, 0, 0}, {0, 0, 5, 6}, {0, 0, 7, 8}, {0, 0, 0, 0} }");
}

TEST(WholeScatterWindows, BelowZeroToo) {
  const hlo::Literal indices = Ints32({2, 2}, {0, -1, 2, 2});
  EXPECT_EQ(RunScatter(Scatter("i32"), {kZeros, indices, kUpdates}, false),
            "{ {2, 0, 0, 0}, {4, 0, 0, 0}, {0, 0, 5, 6}, {0, 0, 7, 8} }");
  EXPECT_EQ(RunScatter(Scatter("i32"), {kZeros, indices, kUpdates}, true),
            "{ {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 5, 6}, {0, 0, 7, 8} }");
}

TEST(WholeScatterWindows, WithIndicesOfAByte) {
  const hlo::Literal indices = hlo::Literal::FromValues<int64_t>(
      hlo::ElementType::kU8, {2, 2}, std::vector<int64_t>{255, 3, 0, 1});
  EXPECT_EQ(RunScatter(Scatter("ui8"), {kZeros, indices, kUpdates}, true),
            "{ {0, 5, 6, 0}, {0, 7, 8, 0}, {0, 0, 0, 0}, {0, 0, 0, 0} }");
}

}  // namespace
}  // namespace halyard::stablehlo
