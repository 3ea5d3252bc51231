#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

AttrMap Norm(double epsilon, int64_t feature) {
  return Attrs({{Attr::kEpsilon, epsilon}, {Attr::kFeatureIndex, feature}});
}

TEST(BatchNormTest, Examples) {
  Literal x = F64({2, 2, 2}, {1, 2, 3, 4, 3, 4, 1, 2});
  Literal ones = F64({2}, {1, 1}), mean = F64({2}, {2, 3});
  Literal training = Eval(Opcode::kBatchNormTraining, {x, ones, ones}, Norm(0, 2));
  EXPECT_EQ(training.elements()[0].ToString(), "{ { {0, 0}, {2, 2} }, { {2, 2}, {0, 0} } }");
  EXPECT_EQ(training.elements()[1].ToString(), "{2, 3}");
  EXPECT_EQ(training.elements()[2].ToString(), "{1, 1}");
  EXPECT_EQ(Text(Opcode::kBatchNormInference, {x, ones, ones, mean, ones}, Norm(0, 2)),
            "{ { {0, 0}, {2, 2} }, { {2, 2}, {0, 0} } }");
  Literal dy = F64({2, 2, 2}, std::vector<double>(8, 0.1));
  Literal grad = Eval(Opcode::kBatchNormGrad, {x, ones, mean, ones, dy}, Norm(0, 2));
  for (int64_t i = 0; i < 8; ++i) EXPECT_NEAR(grad.elements()[0].GetFloat(i), 0, 1e-16);
  EXPECT_EQ(grad.elements()[1].ToString(), "{0, 0}");
  EXPECT_EQ(grad.elements()[2].ToString(), "{0.4, 0.4}");
}

// Compares with the gradient of Σ dy·y, computed by finite differences.
TEST(BatchNormTest, GradIsTheDerivative) {
  std::vector<double> values = {0.3, -1.2, 2.0, 0.7, 1.1, -0.4, 0.9, -2.1, 0.2, 1.7, -0.6, 0.5};
  std::vector<double> weights = {1, -2, 0.5, 0.25, -1, 3, 0.7, 0.1, -0.3, 2, -1.5, 0.4};
  Literal scale = F64({3}, {0.5, 2, -1}), offset = F64({3}, {1, 0, 2});
  auto loss = [&](const std::vector<double>& x) {
    Literal y = Eval(Opcode::kBatchNormTraining, {F64({2, 3, 2}, x), scale, offset}, Norm(0.25, 1));
    double sum = 0;
    for (int64_t i = 0; i < 12; ++i) sum += weights[i] * y.elements()[0].GetFloat(i);
    return sum;
  };
  Literal x = F64({2, 3, 2}, values);
  Literal forward = Eval(Opcode::kBatchNormTraining, {x, scale, offset}, Norm(0.25, 1));
  Literal grad =
      Eval(Opcode::kBatchNormGrad,
           {x, scale, forward.elements()[1], forward.elements()[2], F64({2, 3, 2}, weights)},
           Norm(0.25, 1));
  for (int64_t i = 0; i < 12; ++i) {
    std::vector<double> up = values, down = values;
    up[i] += 1e-5;
    down[i] -= 1e-5;
    EXPECT_NEAR(grad.elements()[0].GetFloat(i), (loss(up) - loss(down)) / 2e-5, 1e-7);
  }
}

TEST(DimensionSizeTest, GetAndSet) {
  Literal x = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Text(Opcode::kGetDimensionSize, {x}, Attrs({{Attr::kDimensions, Ints{1}}})), "3");
  EXPECT_EQ(
      Text(Opcode::kSetDimensionSize, {x, S32({}, {3})}, Attrs({{Attr::kDimensions, Ints{1}}})),
      "{ {1, 2, 3}, {4, 5, 6} }");
  EXPECT_EQ(
      Text(Opcode::kSetDimensionSize, {x, S32({}, {2})}, Attrs({{Attr::kDimensions, Ints{1}}})),
      "{ {1, 2}, {4, 5} }");
  for (auto [size, message] : {std::pair(4, "size 4 of dimension 1 is not in [0, 3]"),
                               {-1, "size -1 of dimension 1 is not in [0, 3]"}}) {
    Graph graph;
    graph.Op(Opcode::kSetDimensionSize, {graph.Const(x), graph.Const(S32({}, {double(size)}))},
             Attrs({{Attr::kDimensions, Ints{1}}}));
    absl::StatusOr<Literal> result = graph.Run({});
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.status().message().find(message), std::string::npos) << result.status();
  }
}

}  // namespace
}  // namespace halyard::hlo
