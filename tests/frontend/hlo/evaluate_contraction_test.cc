#include <random>
#include <utility>

#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

AttrMap DotAttrs(Ints lhs_contracting, Ints rhs_contracting, Ints lhs_batch = {},
                 Ints rhs_batch = {}) {
  return Attrs({{Attr::kLhsContractingDims, lhs_contracting},
                {Attr::kRhsContractingDims, rhs_contracting},
                {Attr::kLhsBatchDims, lhs_batch},
                {Attr::kRhsBatchDims, rhs_batch}});
}

TEST(DotTest, Examples) {
  Literal lhs = Counting(ElementType::kS64, {2, 2, 2}, 1);
  Literal identity = Array(ElementType::kS64, {2, 2, 2}, {1, 0, 0, 1, 1, 0, 0, 1});
  EXPECT_EQ(Text(Opcode::kDot, {lhs, identity}, DotAttrs({2}, {1}, {0}, {0})),
            "{ { {1, 2}, {3, 4} }, { {5, 6}, {7, 8} } }");
  EXPECT_EQ(Text(Opcode::kDot, {F32({2, 3}, {1, 2, 3, 4, 5, 6}), F32({2, 3}, {1, 1, 1, 2, 2, 2})},
                 DotAttrs({1}, {1})),
            "{ {6, 12}, {15, 30} }");
  EXPECT_EQ(Text(Opcode::kDot, {F32({3}, {1, 2, 3}), F32({3}, {4, 5, 6})}, DotAttrs({0}, {0})),
            "32");
  // Without a contracting dimension, the result is the outer product. With one of size 0, it is
  // zeros.
  EXPECT_EQ(Text(Opcode::kDot, {F32({2}, {1, 2}), F32({2}, {3, 4})}, DotAttrs({}, {})),
            "{ {3, 4}, {6, 8} }");
  EXPECT_EQ(Text(Opcode::kDot, {F32({2, 0}, {}), F32({0, 1}, {})}, DotAttrs({1}, {0})),
            "{ {0}, {0} }");
}

TEST(DotTest, ResultOrderIsBatchLhsRhs) {
  Literal lhs = Counting(ElementType::kF64, {3, 2, 5, 4}, 0);  // free 1 and 2, contract 3, batch 0
  Literal rhs = Counting(ElementType::kF64, {4, 6, 3}, 0);     // contract 0, free 1, batch 2
  Literal got = Eval(Opcode::kDot, {lhs, rhs}, DotAttrs({3}, {0}, {0}, {2}));
  ASSERT_EQ(got.shape().dims(), (std::vector<int64_t>{3, 2, 5, 6}));
  double want = 0;
  for (int k = 0; k < 4; ++k) {
    want += lhs.GetFloat(((2 * 2 + 1) * 5 + 3) * 4 + k) * rhs.GetFloat((k * 6 + 5) * 3 + 2);
  }
  EXPECT_EQ(got.GetFloat(((2 * 2 + 1) * 5 + 3) * 6 + 5), want);
}

TEST(DotTest, TypesAndAccumulation) {
  EXPECT_EQ(Text(Opcode::kDot, {Pred({2}, {1, 1}), Pred({2}, {1, 1})}, DotAttrs({0}, {0})), "true");
  EXPECT_EQ(Text(Opcode::kDot, {Pred({2}, {1, 0}), Pred({2}, {0, 1})}, DotAttrs({0}, {0})),
            "false");
  Literal bytes = Array(ElementType::kS8, {2}, {100, 100});
  EXPECT_EQ(
      Text(Opcode::kDot, {bytes, bytes}, DotAttrs({0}, {0}), Shape::Scalar(ElementType::kS32)),
      "20000");
  EXPECT_EQ(Text(Opcode::kDot, {bytes, bytes}, DotAttrs({0}, {0})), "32");  // s8 wraps
  Literal half = Array(ElementType::kF16, {2}, {256, 256});
  EXPECT_EQ(Text(Opcode::kDot, {half, half}, DotAttrs({0}, {0}), Shape::Scalar(ElementType::kF32)),
            "131072");
  EXPECT_EQ(Text(Opcode::kDot,
                 {Complex(ElementType::kC64, {{0, 1}, {1, 1}}),
                  Complex(ElementType::kC64, {{0, 1}, {2, 0}})},
                 DotAttrs({0}, {0})),
            "(1, 2)");
  // 1e8 + 1 - 1e8: summed in f32, the 1 would be lost.
  EXPECT_EQ(Text(Opcode::kDot, {F32({3}, {1e8, 1, -1e8}), F32({3}, {1, 1, 1})}, DotAttrs({0}, {0})),
            "1");
}

ConvDims Labels2D() {  // b01f_01io->b01f
  return {.input_batch = 0,
          .input_feature = 3,
          .input_spatial = {1, 2},
          .kernel_output_feature = 3,
          .kernel_input_feature = 2,
          .kernel_spatial = {0, 1},
          .output_batch = 0,
          .output_feature = 3,
          .output_spatial = {1, 2}};
}

AttrMap ConvAttrs(ConvDims labels, std::vector<WindowDim> window, int64_t feature_groups = 1,
                  int64_t batch_groups = 1) {
  return Attrs({{Attr::kDimLabels, labels},
                {Attr::kWindow, Window{window}},
                {Attr::kFeatureGroupCount, feature_groups},
                {Attr::kBatchGroupCount, batch_groups}});
}

TEST(ConvolutionTest, Examples) {
  Literal lhs = S64({1, 4, 4, 1}, {1, 2, 5, 6, 3, 4, 7, 8, 10, 11, 14, 15, 12, 13, 16, 17});
  Literal ones = Literal::Splat(Shape::Array(ElementType::kS64, {3, 3, 1, 1}), S64({}, {1}));
  WindowDim dim{.size = 3, .stride = 4, .base_dilation = 2};
  EXPECT_EQ(Text(Opcode::kConvolution, {lhs, ones}, ConvAttrs(Labels2D(), {dim, dim})),
            "{ { { {10}, {26} }, { {46}, {62} } } }");
  dim.pad_low = dim.pad_high = 1;
  EXPECT_EQ(Text(Opcode::kConvolution, {lhs, ones}, ConvAttrs(Labels2D(), {dim, dim})),
            "{ { { {1}, {5} }, { {10}, {14} } } }");
}

// Labels for one spatial dimension, b0f_0io->b0f.
ConvDims Labels1D() {
  return {.input_batch = 0,
          .input_feature = 2,
          .input_spatial = {1},
          .kernel_output_feature = 2,
          .kernel_input_feature = 1,
          .kernel_spatial = {0},
          .output_batch = 0,
          .output_feature = 2,
          .output_spatial = {1}};
}

std::string Conv1D(std::vector<double> x, std::vector<double> kernel, WindowDim dim) {
  dim.size = kernel.size();
  Literal a = F32({1, static_cast<int64_t>(x.size()), 1}, x);
  Literal b = F32({dim.size, 1, 1}, kernel);
  Literal y = Eval(Opcode::kConvolution, {a, b}, ConvAttrs(Labels1D(), {dim}));
  return Text(Opcode::kReshape, {y}, {},
              Shape::Array(ElementType::kF32, {y.shape().NumElements()}));
}

TEST(ConvolutionTest, WindowForms) {
  EXPECT_EQ(Conv1D({1, 2, 3, 4}, {1, 10}, {}), "{21, 32, 43}");
  EXPECT_EQ(Conv1D({1, 2, 3, 4}, {1, 10}, {.reversal = true}), "{12, 23, 34}");
  EXPECT_EQ(Conv1D({1, 2, 3, 4}, {1, 10}, {.stride = 2}), "{21, 43}");
  EXPECT_EQ(Conv1D({1, 2, 3, 4}, {1, 10}, {.window_dilation = 2}), "{31, 42}");
  EXPECT_EQ(Conv1D({1, 2}, {1, 10}, {.pad_low = 1, .pad_high = 1, .base_dilation = 2}),
            "{10, 1, 20, 2}");
  EXPECT_EQ(Conv1D({1, 2, 3, 4}, {1, 10}, {.pad_low = -1, .pad_high = -1}), "{32}");
  EXPECT_EQ(Conv1D({1, 2}, {1, 1, 1}, {}), "{}");
}

TEST(ConvolutionTest, FeatureGroups) {
  // Two groups, each with one input feature and two output features.
  Literal x = F32({1, 1, 2}, {3, 5});
  Literal kernel = F32({1, 1, 4}, {1, 10, 100, 1000});
  EXPECT_EQ(Text(Opcode::kConvolution, {x, kernel}, ConvAttrs(Labels1D(), {WindowDim{}}, 2)),
            "{ { {3, 30, 500, 5000} } }");
}

TEST(ConvolutionTest, BatchGroups) {
  // The first half of the batch yields the first half of the output features.
  Literal x = F32({2, 1, 1}, {3, 5});
  Literal kernel = F32({1, 1, 4}, {1, 10, 100, 1000});
  EXPECT_EQ(Text(Opcode::kConvolution, {x, kernel}, ConvAttrs(Labels1D(), {WindowDim{}}, 1, 2)),
            "{ { {3, 30, 500, 5000} } }");
}

// bf01_oi01->fb01: compares other dimension orders with the same convolution after transposes.
TEST(ConvolutionTest, DimensionOrders) {
  Literal x = Counting(ElementType::kF64, {2, 5, 6, 3}, -20),
          k = Counting(ElementType::kF64, {3, 2, 3, 4}, -7);
  WindowDim dim0{.size = 3, .stride = 2, .pad_low = 1}, dim1{.size = 2, .pad_high = 1};
  Literal want = Eval(Opcode::kConvolution, {x, k}, ConvAttrs(Labels2D(), {dim0, dim1}));
  Literal x2 = Eval(Opcode::kTranspose, {x}, Attrs({{Attr::kDimensions, Ints{0, 3, 1, 2}}}));
  Literal k2 = Eval(Opcode::kTranspose, {k}, Attrs({{Attr::kDimensions, Ints{3, 2, 0, 1}}}));
  ConvDims labels{.input_batch = 0,
                  .input_feature = 1,
                  .input_spatial = {2, 3},
                  .kernel_output_feature = 0,
                  .kernel_input_feature = 1,
                  .kernel_spatial = {2, 3},
                  .output_batch = 1,
                  .output_feature = 0,
                  .output_spatial = {2, 3}};
  Literal got = Eval(Opcode::kConvolution, {x2, k2}, ConvAttrs(labels, {dim0, dim1}));
  EXPECT_TRUE(Eval(Opcode::kTranspose, {got}, Attrs({{Attr::kDimensions, Ints{1, 2, 3, 0}}}))
                  .BitwiseEqual(want));
}

TEST(ConvolutionTest, TypesAndEmptySizes) {
  WindowDim dim{.size = 2};
  Literal a = Array(ElementType::kPred, {1, 3, 1}, {0, 0, 1});
  Literal b = Array(ElementType::kPred, {2, 1, 1}, {1, 1});
  EXPECT_EQ(Text(Opcode::kConvolution, {a, b}, ConvAttrs(Labels1D(), {dim})),
            "{ { {false}, {true} } }");
  // Without input features, the sums are empty.
  EXPECT_EQ(Text(Opcode::kConvolution, {F32({1, 3, 0}, {}), F32({2, 0, 1}, {})},
                 ConvAttrs(Labels1D(), {dim})),
            "{ { {0}, {0} } }");
  Literal bytes = Array(ElementType::kS8, {1, 2, 1}, {100, 100});
  Literal kernel = Array(ElementType::kS8, {2, 1, 1}, {100, 100});
  EXPECT_EQ(Text(Opcode::kConvolution, {bytes, kernel}, ConvAttrs(Labels1D(), {dim}),
                 Shape::Array(ElementType::kS32, {1, 1, 1})),
            "{ { {20000} } }");
}

// A product of a transformer block (d = 256, 128 positions), and a layer of a digit classifier on
// 360 images. All sums are integers that double represents exactly, so their order does not matter.
TEST(ContractionTest, SizesOfModels) {
  const Literal product = Eval(
      Opcode::kDot,
      {Counting(ElementType::kF32, {128, 256}, 0), Counting(ElementType::kF32, {256, 1024}, 0)},
      DotAttrs({1}, {0}));
  for (const auto& [row, column] : {std::pair{0, 0}, {5, 1000}, {127, 1023}}) {
    double sum = 0;
    for (int k = 0; k < 256; ++k) sum += (row * 256.0 + k) * (k * 1024.0 + column);
    EXPECT_EQ(product.GetFloat(row * 1024 + column), static_cast<float>(sum));
  }
  const WindowDim dim{.size = 3, .pad_low = 1, .pad_high = 1};
  const Literal image = Eval(Opcode::kConvolution,
                             {Counting(ElementType::kF32, {360, 8, 8, 16}, 0),
                              Counting(ElementType::kF32, {3, 3, 16, 32}, 0)},
                             ConvAttrs(Labels2D(), {dim, dim}));
  double sum = 0;  // the result for image 359 at (3, 4), feature 31
  for (int tap = 0; tap < 9; ++tap) {
    const int place = (359 * 8 + 3 + tap / 3 - 1) * 8 + 4 + tap % 3 - 1;
    for (int c = 0; c < 16; ++c) sum += (place * 16.0 + c) * ((tap * 16.0 + c) * 32 + 31);
  }
  EXPECT_EQ(image.GetFloat((((359 * 8) + 3) * 8 + 4) * 32 + 31), static_cast<float>(sum));
}

}  // namespace
}  // namespace halyard::hlo
