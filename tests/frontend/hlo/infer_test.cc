// Constraints: one wrong graph per labelled constraint of each op. The right ones are in the
// evaluation tests.
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

Shape A(ElementType type, std::vector<int64_t> dims) { return Shape::Array(type, std::move(dims)); }
Shape F(std::vector<int64_t> dims) { return A(ElementType::kF32, std::move(dims)); }
Shape S(std::vector<int64_t> dims) { return A(ElementType::kS32, std::move(dims)); }
Shape P(std::vector<int64_t> dims) { return A(ElementType::kPred, std::move(dims)); }
AttrMap Dims(Ints dims) { return Attrs({{Attr::kDimensions, dims}}); }

using MakeCalled = std::vector<Computation*> (*)(Graph&);

// The error message, or "" if there is none.
std::string Error(Opcode op, std::vector<Shape> operands, AttrMap attrs = {}, Shape given = {},
                  MakeCalled make_called = nullptr) {
  Graph g;
  std::vector<Computation*> called;
  if (make_called != nullptr) called = make_called(g);
  std::vector<Instruction*> parameters;
  for (const Shape& shape : operands) parameters.push_back(g.Param(shape));
  return std::string(g.Infer(op, parameters, std::move(attrs), called, given).status().message());
}

// The label before the colon.
std::string Label(const std::string& error) { return error.substr(0, error.find(':')); }
template <typename... T>
std::string Violated(T... arguments) {
  return Label(Error(arguments...));
}

TEST(InferTest, OperandsAndAttributes) {
  EXPECT_EQ(Error(Opcode::kAdd, {F({})}), "operands: needs 2, has 1");
  EXPECT_EQ(Error(Opcode::kReduce, {F({})}, Dims({})), "operands: needs at least 2, has 1");
  EXPECT_EQ(Error(Opcode::kTranspose, {F({2})}), "attributes: dimensions is missing");
  EXPECT_EQ(Violated(Opcode::kCall, std::vector<Shape>{}), "called computations");
  EXPECT_EQ(Violated(Opcode::kNegate, std::vector<Shape>{Shape::Tuple({F({})})}), "I1");
}

TEST(InferTest, ElementClasses) {
  Shape b = P({}), u = A(ElementType::kU8, {}), i = S({}), f = F({}), c = A(ElementType::kC64, {});
  struct Case {
    Opcode op;
    std::vector<Shape> wrong;
  };
  const Case unary[] = {
      {Opcode::kAbs, {b, u}},    {Opcode::kNegate, {b}},        {Opcode::kSign, {b, u}},
      {Opcode::kExp, {b, u, i}}, {Opcode::kCeil, {b, u, i, c}}, {Opcode::kErf, {i, c}},
      {Opcode::kNot, {f, c}},    {Opcode::kPopcnt, {b, f, c}},  {Opcode::kIsFinite, {b, i, c}},
      {Opcode::kReal, {b, i}},
  };
  for (const Case& test : unary) {
    for (const Shape& shape : test.wrong) {
      EXPECT_EQ(Violated(test.op, std::vector<Shape>{shape}), "I1")
          << RowOf(test.op).hlo_name << shape.ToString();
    }
  }
  const Case binary[] = {
      {Opcode::kSubtract, {b}},
      {Opcode::kDivide, {b}},
      {Opcode::kPower, {b}},
      {Opcode::kAnd, {f, c}},
      {Opcode::kShiftLeft, {b, f}},
      {Opcode::kAtan2, {b, i}},
      {Opcode::kComplex, {b, i, c, A(ElementType::kF16, {})}},
  };
  for (const Case& test : binary) {
    for (const Shape& shape : test.wrong) {
      EXPECT_EQ(Violated(test.op, std::vector<Shape>{shape, shape}), "I1")
          << RowOf(test.op).hlo_name << shape.ToString();
    }
  }
}

TEST(InferTest, BinaryTypesMustBeEqual) {
  EXPECT_EQ(Error(Opcode::kAdd, {F({2}), F({3})}),
            "C1: operands must have the same type: f32[2] and f32[3]");
  EXPECT_EQ(Violated(Opcode::kMaximum, std::vector<Shape>{F({2}), S({2})}), "C1");
  EXPECT_EQ(Violated(Opcode::kShiftLeft, std::vector<Shape>{S({2}), S({})}), "C1");
}

TEST(InferTest, ResultTypes) {
  Graph g;
  auto type = [&](Opcode op, std::vector<Shape> shapes, AttrMap attrs = {}) {
    std::vector<Instruction*> operands;
    for (const Shape& shape : shapes) operands.push_back(g.Param(shape));
    absl::StatusOr<Shape> shape = g.Infer(op, operands, attrs);
    return shape.ok() ? shape->ToString() : std::string(shape.status().message());
  };
  EXPECT_EQ(type(Opcode::kAbs, {A(ElementType::kC128, {2})}), "f64[2]");
  EXPECT_EQ(type(Opcode::kImag, {A(ElementType::kC64, {2})}), "f32[2]");
  EXPECT_EQ(type(Opcode::kIsFinite, {A(ElementType::kF8E4M3, {2})}), "pred[2]");
  EXPECT_EQ(type(Opcode::kComplex, {A(ElementType::kF64, {2}), A(ElementType::kF64, {2})}),
            "c128[2]");
  EXPECT_EQ(type(Opcode::kNegate, {Shape::ArrayWithLayout(ElementType::kF32, {2, 3}, {0, 1})}),
            "f32[2,3]");
}

TEST(InferTest, Conversions) {
  EXPECT_EQ(Violated(Opcode::kConvert, std::vector<Shape>{F({2})}, AttrMap(), F({3})), "C1");
  EXPECT_EQ(Violated(Opcode::kConvert, std::vector<Shape>{F({2})}, AttrMap(), Shape::Tuple({})),
            "C1");
  EXPECT_EQ(Violated(Opcode::kBitcastConvert, std::vector<Shape>{F({2})}, AttrMap(),
                     A(ElementType::kC64, {2})),
            "C2");
  EXPECT_EQ(Violated(Opcode::kBitcastConvert, std::vector<Shape>{F({2})}, AttrMap(),
                     A(ElementType::kF16, {2})),
            "C1");
  EXPECT_EQ(Violated(Opcode::kBitcastConvert, std::vector<Shape>{F({3})}, AttrMap(),
                     A(ElementType::kF64, {})),
            "C1");
  EXPECT_EQ(Error(Opcode::kBitcastConvert, {F({10})}, {}, A(ElementType::kF16, {10, 2})), "");
  auto bits = [](int64_t e, int64_t m) {
    return Attrs({{Attr::kExponentBits, e}, {Attr::kMantissaBits, m}});
  };
  EXPECT_EQ(Violated(Opcode::kReducePrecision, std::vector<Shape>{F({})}, bits(0, 1)), "C2");
  EXPECT_EQ(Violated(Opcode::kReducePrecision, std::vector<Shape>{F({})}, bits(1, -1)), "C3");
}

TEST(InferTest, CompareSelectClamp) {
  auto cmp = [](const char* direction, const char* type) {
    return Attrs({{Attr::kDirection, std::string(direction)}, {Attr::kType, std::string(type)}});
  };
  EXPECT_EQ(Violated(Opcode::kCompare, std::vector<Shape>{F({2}), S({2})}, cmp("LT", "FLOAT")),
            "C1");
  EXPECT_EQ(Violated(Opcode::kCompare, std::vector<Shape>{F({2}), F({3})}, cmp("LT", "FLOAT")),
            "C2");
  EXPECT_EQ(Violated(Opcode::kCompare, std::vector<Shape>{F({}), F({})}, cmp("LT", "SIGNED")),
            "C3");
  EXPECT_EQ(Violated(Opcode::kCompare, std::vector<Shape>{S({}), S({})}, cmp("LT", "UNSIGNED")),
            "C3");
  EXPECT_EQ(Violated(Opcode::kCompare, std::vector<Shape>{P({}), P({})}, cmp("LT", "SIGNED")),
            "C3");
  EXPECT_EQ(Violated(Opcode::kCompare,
                     std::vector<Shape>{A(ElementType::kC64, {}), A(ElementType::kC64, {})},
                     cmp("LT", "TOTALORDER")),
            "C3");
  EXPECT_EQ(Violated(Opcode::kCompare, std::vector<Shape>{F({}), F({})}, cmp("XX", "FLOAT")), "I3");
  EXPECT_EQ(Violated(Opcode::kSelect, std::vector<Shape>{S({}), F({}), F({})}), "I1");
  EXPECT_EQ(Violated(Opcode::kSelect, std::vector<Shape>{P({2}), F({3}), F({3})}), "C1");
  EXPECT_EQ(Violated(Opcode::kSelect, std::vector<Shape>{P({}), F({2}), F({3})}), "C2");
  EXPECT_EQ(Violated(Opcode::kClamp, std::vector<Shape>{F({3}), F({2}), F({})}), "C1");
  EXPECT_EQ(Violated(Opcode::kClamp, std::vector<Shape>{F({}), F({2}), F({3})}), "C2");
  EXPECT_EQ(Violated(Opcode::kClamp, std::vector<Shape>{S({}), F({2}), F({})}), "C3");
}

TEST(InferTest, ShapesAndMoves) {
  auto iota = [](int64_t dim) { return Attrs({{Attr::kIotaDimension, dim}}); };
  EXPECT_EQ(Violated(Opcode::kIota, std::vector<Shape>{}, iota(1), F({2})), "C1");
  EXPECT_EQ(Violated(Opcode::kIota, std::vector<Shape>{}, iota(0), P({2})), "I1");
  EXPECT_EQ(Violated(Opcode::kBroadcast, std::vector<Shape>{F({2})}, Dims({0}), S({2})), "C1");
  EXPECT_EQ(Violated(Opcode::kBroadcast, std::vector<Shape>{F({2})}, Dims({}), F({2})), "C2");
  EXPECT_EQ(Violated(Opcode::kBroadcast, std::vector<Shape>{F({2})}, Dims({1}), F({2})), "C3");
  EXPECT_EQ(Violated(Opcode::kBroadcast, std::vector<Shape>{F({2, 2})}, Dims({0, 0}), F({2, 2})),
            "C4");
  EXPECT_EQ(Violated(Opcode::kBroadcast, std::vector<Shape>{F({1})}, Dims({0}), F({2})), "C5");
  EXPECT_EQ(Violated(Opcode::kReshape, std::vector<Shape>{F({2})}, AttrMap(), S({2})), "C1");
  EXPECT_EQ(Violated(Opcode::kReshape, std::vector<Shape>{F({2})}, AttrMap(), F({3})), "C2");
  EXPECT_EQ(Violated(Opcode::kBitcast, std::vector<Shape>{F({2})}, AttrMap(), F({3})), "C1");
  EXPECT_EQ(Violated(Opcode::kTranspose, std::vector<Shape>{F({2, 3})}, Dims({0})), "C2");
  EXPECT_EQ(Violated(Opcode::kTranspose, std::vector<Shape>{F({2, 3})}, Dims({0, 0})), "C2");
  EXPECT_EQ(Violated(Opcode::kTranspose, std::vector<Shape>{F({2, 3})}, Dims({0, 2})), "C2");
  EXPECT_EQ(Violated(Opcode::kReverse, std::vector<Shape>{F({2})}, Dims({0, 0})), "C2");
  EXPECT_EQ(Violated(Opcode::kReverse, std::vector<Shape>{F({2})}, Dims({-1})), "C3");
  EXPECT_EQ(Violated(Opcode::kConcatenate, std::vector<Shape>{F({2}), S({2})}, Dims({0})), "C1");
  EXPECT_EQ(Violated(Opcode::kConcatenate, std::vector<Shape>{F({2, 2}), F({2, 3})}, Dims({0})),
            "C2");
  EXPECT_EQ(Violated(Opcode::kConcatenate, std::vector<Shape>{F({})}, Dims({0})), "C4");
  auto slice = [](SliceDims dims) { return Attrs({{Attr::kSlice, dims}}); };
  EXPECT_EQ(Violated(Opcode::kSlice, std::vector<Shape>{F({4})}, slice({})), "C2");
  EXPECT_EQ(Violated(Opcode::kSlice, std::vector<Shape>{F({4})}, slice({{3, 2, 1}})), "C3");
  EXPECT_EQ(Violated(Opcode::kSlice, std::vector<Shape>{F({4})}, slice({{0, 5, 1}})), "C3");
  EXPECT_EQ(Violated(Opcode::kSlice, std::vector<Shape>{F({4})}, slice({{0, 4, 0}})), "C4");
  auto pad = [](PaddingConfig dims) { return Attrs({{Attr::kPadding, dims}}); };
  EXPECT_EQ(Violated(Opcode::kPad, std::vector<Shape>{F({2}), F({1})}, pad({{0, 0, 0}})), "I2");
  EXPECT_EQ(Violated(Opcode::kPad, std::vector<Shape>{F({2}), S({})}, pad({{0, 0, 0}})), "C1");
  EXPECT_EQ(Violated(Opcode::kPad, std::vector<Shape>{F({2}), F({})}, pad({})), "C2");
  EXPECT_EQ(Violated(Opcode::kPad, std::vector<Shape>{F({2}), F({})}, pad({{0, 0, -1}})), "C3");
  EXPECT_EQ(Violated(Opcode::kPad, std::vector<Shape>{F({2}), F({})}, pad({{-2, -1, 0}})), "C4");
  EXPECT_EQ(Violated(Opcode::kPad, std::vector<Shape>{F({2}), F({})}, pad({{INT64_MAX, 1, 0}})),
            "C4");
  EXPECT_EQ(
      Violated(Opcode::kPad, std::vector<Shape>{F({2}), F({})}, pad({{int64_t{1} << 61, 0, 0}})),
      "C4");
}

TEST(InferTest, DynamicSlices) {
  auto sizes = [](Ints s) { return Attrs({{Attr::kDynamicSliceSizes, s}}); };
  EXPECT_EQ(Violated(Opcode::kDynamicSlice, std::vector<Shape>{F({2})}, sizes({1})), "C2");
  EXPECT_EQ(Violated(Opcode::kDynamicSlice, std::vector<Shape>{F({2}), F({})}, sizes({1})), "I2");
  EXPECT_EQ(Violated(Opcode::kDynamicSlice,
                     std::vector<Shape>{F({2, 2}), S({}), A(ElementType::kS64, {})}, sizes({1, 1})),
            "C3");
  EXPECT_EQ(Violated(Opcode::kDynamicSlice, std::vector<Shape>{F({2}), S({})}, sizes({3})), "C4");
  EXPECT_EQ(Violated(Opcode::kDynamicUpdateSlice, std::vector<Shape>{F({2}), S({1}), S({})}), "C2");
  EXPECT_EQ(Violated(Opcode::kDynamicUpdateSlice, std::vector<Shape>{F({2}), F({}), S({})}), "C3");
  EXPECT_EQ(Violated(Opcode::kDynamicUpdateSlice, std::vector<Shape>{F({2}), F({1})}), "C4");
  EXPECT_EQ(Violated(Opcode::kDynamicUpdateSlice,
                     std::vector<Shape>{F({2, 2}), F({1, 1}), S({}), A(ElementType::kU32, {})}),
            "C5");
  EXPECT_EQ(Violated(Opcode::kDynamicUpdateSlice, std::vector<Shape>{F({2}), F({3}), S({})}), "C6");
}

// A right gather of f32[4,5,6] by s32[4,7,2] (batching on 4), with one attribute replaced.
std::string Gather(Attr attr, AttrValue value, Shape operand = F({4, 5, 6}),
                   Shape indices = S({4, 7, 2})) {
  AttrMap attrs = Attrs({{Attr::kOffsetDims, Ints{2}},
                         {Attr::kCollapsedSliceDims, Ints{1}},
                         {Attr::kOperandBatchingDims, Ints{0}},
                         {Attr::kStartIndicesBatchingDims, Ints{0}},
                         {Attr::kStartIndexMap, Ints{1, 2}},
                         {Attr::kIndexVectorDim, int64_t{2}},
                         {Attr::kSliceSizes, Ints{1, 1, 3}}});
  attrs.Set(attr, std::move(value));
  return Violated(Opcode::kGather, std::vector<Shape>{operand, indices}, attrs);
}

TEST(InferTest, Gather) {
  EXPECT_EQ(Gather(Attr::kOffsetDims, Ints{2}), "");
  EXPECT_EQ(Gather(Attr::kOffsetDims, Ints{2}, F({4, 5, 6}), F({4, 7, 2})), "I2");
  EXPECT_EQ(Gather(Attr::kOffsetDims, Ints{}), "C1");
  EXPECT_EQ(Gather(Attr::kIndexVectorDim, int64_t{4}), "C2");
  EXPECT_EQ(Gather(Attr::kStartIndexMap, Ints{1}), "C3");
  EXPECT_EQ(Gather(Attr::kOffsetDims, Ints{3}), "C5");
  EXPECT_EQ(Gather(Attr::kCollapsedSliceDims, Ints{0}), "C6");
  EXPECT_EQ(Gather(Attr::kCollapsedSliceDims, Ints{3}), "C8");
  EXPECT_EQ(Gather(Attr::kSliceSizes, Ints{1, 2, 3}), "C9");
  EXPECT_EQ(Gather(Attr::kOperandBatchingDims, Ints{3}), "C11");
  EXPECT_EQ(Gather(Attr::kSliceSizes, Ints{2, 1, 3}), "C12");
  EXPECT_EQ(Gather(Attr::kStartIndicesBatchingDims, Ints{0, 0}), "C13");
  EXPECT_EQ(Gather(Attr::kStartIndicesBatchingDims, Ints{3}), "C14");
  EXPECT_EQ(Gather(Attr::kStartIndicesBatchingDims, Ints{2}), "C15");
  EXPECT_EQ(Gather(Attr::kStartIndicesBatchingDims, Ints{}), "C16");
  EXPECT_EQ(Gather(Attr::kStartIndicesBatchingDims, Ints{1}), "C17");
  EXPECT_EQ(Gather(Attr::kStartIndexMap, Ints{1, 1}), "C18");
  EXPECT_EQ(Gather(Attr::kStartIndexMap, Ints{0, 1}), "C18");
  EXPECT_EQ(Gather(Attr::kStartIndexMap, Ints{1, 3}), "C19");
  EXPECT_EQ(Gather(Attr::kSliceSizes, Ints{1, 1}), "C20");
  EXPECT_EQ(Gather(Attr::kSliceSizes, Ints{1, 1, 7}), "C21");
  // Unsorted lists: two offsets, two collapsed, two batching dimensions.
  auto two = [](Ints offset, Ints collapsed, Ints batching, Ints indices_batching, Shape indices) {
    return Violated(Opcode::kGather, std::vector<Shape>{F({4, 5}), indices},
                    Attrs({{Attr::kOffsetDims, offset},
                           {Attr::kCollapsedSliceDims, collapsed},
                           {Attr::kOperandBatchingDims, batching},
                           {Attr::kStartIndicesBatchingDims, indices_batching},
                           {Attr::kStartIndexMap, Ints{}},
                           {Attr::kIndexVectorDim, int64_t{0}},
                           {Attr::kSliceSizes, Ints{1, 1}}}));
  };
  EXPECT_EQ(two({1, 0}, {}, {}, {}, S({0})), "C4");
  EXPECT_EQ(two({}, {1, 0}, {}, {}, S({0})), "C7");
  EXPECT_EQ(two({}, {}, {1, 0}, {2, 1}, S({0, 4, 5})), "C10");
}

AttrMap DotAttrs(Ints lhs_contracting, Ints rhs_contracting, Ints lhs_batch = {},
                 Ints rhs_batch = {}) {
  return Attrs({{Attr::kLhsContractingDims, lhs_contracting},
                {Attr::kRhsContractingDims, rhs_contracting},
                {Attr::kLhsBatchDims, lhs_batch},
                {Attr::kRhsBatchDims, rhs_batch}});
}

TEST(InferTest, Dot) {
  auto dot = [](AttrMap attrs, Shape lhs = F({2, 3}), Shape rhs = F({2, 3})) {
    return Violated(Opcode::kDot, std::vector<Shape>{lhs, rhs}, attrs);
  };
  EXPECT_EQ(dot(DotAttrs({1}, {1}, {0}, {0})), "");
  EXPECT_EQ(dot(DotAttrs({1}, {1}, {0}, {})), "C1");
  EXPECT_EQ(dot(DotAttrs({1}, {}, {}, {})), "C2");
  EXPECT_EQ(dot(DotAttrs({1}, {1}, {1}, {0})), "C3");
  EXPECT_EQ(dot(DotAttrs({1}, {1}, {0}, {1})), "C4");
  EXPECT_EQ(dot(DotAttrs({1, 1}, {0, 1})), "C3");
  EXPECT_EQ(dot(DotAttrs({0, 1}, {1, 1})), "C4");
  EXPECT_EQ(dot(DotAttrs({1}, {1}, {2}, {0})), "C5");
  EXPECT_EQ(dot(DotAttrs({2}, {1})), "C6");
  EXPECT_EQ(dot(DotAttrs({1}, {1}, {0}, {2})), "C7");
  EXPECT_EQ(dot(DotAttrs({1}, {2})), "C8");
  EXPECT_EQ(dot(DotAttrs({1}, {1}, {0}, {0}), F({2, 3}), F({4, 3})), "C9");
  EXPECT_EQ(dot(DotAttrs({1}, {0})), "C10");
  AttrMap attrs = DotAttrs({1}, {1});
  attrs.Set(Attr::kOperandPrecision, Words{"highest"});
  EXPECT_EQ(dot(attrs), "C11");
  EXPECT_EQ(dot(DotAttrs({1}, {1}), F({2, 3}), S({2, 3})), "C13");
  attrs.Set(Attr::kOperandPrecision, Words{"highest", "default"});
  EXPECT_EQ(dot(attrs), "");
  attrs.Set(Attr::kAlgorithm, std::string("dot_bf16_bf16_f32_x6"));
  EXPECT_EQ(dot(attrs), "C21");
  attrs.Set(Attr::kAlgorithm, std::string("dot_magic"));
  EXPECT_EQ(dot(attrs), "I14");
}

struct Conv {
  Shape lhs = F({4, 8, 8, 6}), rhs = F({3, 3, 6, 8});  // b01f_01io->b01f
  ConvDims d{.input_batch = 0,
             .input_feature = 3,
             .input_spatial = {1, 2},
             .kernel_output_feature = 3,
             .kernel_input_feature = 2,
             .kernel_spatial = {0, 1},
             .output_batch = 0,
             .output_feature = 3,
             .output_spatial = {1, 2}};
  std::vector<WindowDim> window = {{.size = 3}, {.size = 3}};
  int64_t feature_groups = 1, batch_groups = 1;
  Words precision = {"default", "default"};

  template <typename Change>
  static std::string With(Change change) {
    Conv c;
    change(c);
    return Violated(Opcode::kConvolution, std::vector<Shape>{c.lhs, c.rhs},
                    Attrs({{Attr::kDimLabels, c.d},
                           {Attr::kWindow, Window{c.window}},
                           {Attr::kFeatureGroupCount, c.feature_groups},
                           {Attr::kBatchGroupCount, c.batch_groups},
                           {Attr::kOperandPrecision, c.precision}}));
  }
};

TEST(InferTest, Convolution) {
  EXPECT_EQ(Conv::With([](Conv&) {}), "");
  EXPECT_EQ(Conv::With([](Conv& c) { c.rhs = F({3, 6, 8}); }), "C1");
  EXPECT_EQ(Conv::With([](Conv& c) { c.window.pop_back(); }), "C2");
  EXPECT_EQ(Conv::With([](Conv& c) { c.window[0].stride = 0; }), "C3");
  EXPECT_EQ(Conv::With([](Conv& c) { c.window[0].base_dilation = 0; }), "C6");
  EXPECT_EQ(Conv::With([](Conv& c) { c.window[0].window_dilation = 0; }), "C8");
  EXPECT_EQ(Conv::With([](Conv& c) { c.batch_groups = 3; }), "C10");
  EXPECT_EQ(Conv::With([](Conv& c) { c.feature_groups = 4; }), "C11");
  EXPECT_EQ(Conv::With([](Conv& c) { c.d.input_spatial.pop_back(); }), "C12");
  EXPECT_EQ(Conv::With([](Conv& c) { c.d.input_batch = 1; }), "C13");
  EXPECT_EQ(Conv::With([](Conv& c) { c.d.input_batch = 4; }), "C13");
  EXPECT_EQ(Conv::With([](Conv& c) { c.feature_groups = 2; }), "C14");
  EXPECT_EQ(Conv::With([](Conv& c) {
              c.batch_groups = 4;
              c.rhs = F({3, 3, 6, 7});
            }),
            "C15");
  EXPECT_EQ(Conv::With([](Conv& c) {
              c.feature_groups = 3;
              c.rhs = F({3, 3, 2, 8});
            }),
            "C16");
  EXPECT_EQ(Conv::With([](Conv& c) { c.d.kernel_spatial.pop_back(); }), "C17");
  EXPECT_EQ(Conv::With([](Conv& c) { c.d.kernel_input_feature = 0; }), "C18");
  EXPECT_EQ(Conv::With([](Conv& c) { c.d.output_spatial.push_back(0); }), "C19");
  EXPECT_EQ(Conv::With([](Conv& c) { c.d.output_feature = 0; }), "C20");
  EXPECT_EQ(Conv::With([](Conv& c) { c.feature_groups = 0; }), "C21");
  EXPECT_EQ(Conv::With([](Conv& c) { c.batch_groups = -1; }), "C22");
  EXPECT_EQ(Conv::With([](Conv& c) {
              c.batch_groups = 2;
              c.feature_groups = 2;
            }),
            "C23");
  EXPECT_EQ(Conv::With([](Conv& c) { c.precision = {"default"}; }), "C24");
  EXPECT_EQ(Conv::With([](Conv& c) { c.window[0].size = 2; }), "C25");
  EXPECT_EQ(Conv::With([](Conv& c) { c.rhs = S({3, 3, 6, 8}); }), "C27");
}

template <ElementType kType>
std::vector<Computation*> Add(Graph& g) {
  return {g.Body2(Opcode::kAdd, kType)};
}
std::vector<Computation*> Less(Graph& g) {
  return {
      g.Body2(Opcode::kCompare, ElementType::kF32, Attrs({{Attr::kDirection, std::string("LT")}}))};
}
std::vector<Computation*> Negate(Graph& g) {
  return {g.Body("negate", [&] { g.Op(Opcode::kNegate, {g.Param(F({}))}); })};
}

TEST(InferTest, Reductions) {
  constexpr MakeCalled kAdd = Add<ElementType::kF32>;
  auto reduce = [](std::vector<Shape> operands, Ints dims, MakeCalled body) {
    return Violated(Opcode::kReduce, operands, Dims(dims), Shape(), body);
  };
  EXPECT_EQ(reduce({F({2}), F({})}, {0}, kAdd), "");
  EXPECT_EQ(reduce({F({2}), F({3}), F({}), F({})}, {0}, kAdd), "C1");
  EXPECT_EQ(reduce({F({2}), S({})}, {0}, kAdd), "C2");
  EXPECT_EQ(reduce({F({2}), F({1})}, {0}, kAdd), "I2");
  EXPECT_EQ(reduce({F({2}), F({2}), F({})}, {0}, kAdd), "C3");
  EXPECT_EQ(reduce({F({2}), F({})}, {1}, kAdd), "C4");
  EXPECT_EQ(reduce({F({2}), F({})}, {0, 0}, kAdd), "C5");
  EXPECT_EQ(reduce({F({2}), F({})}, {0}, Less), "C6");
  EXPECT_EQ(reduce({F({2}), F({})}, {0}, Negate), "C6");
  EXPECT_EQ(reduce({S({2}), S({})}, {0}, kAdd), "C6");
  EXPECT_EQ(reduce({F({2}), F({})}, {0}, Add<ElementType::kBF16>), "C6");
  EXPECT_EQ(reduce({A(ElementType::kBF16, {2}), A(ElementType::kBF16, {})}, {0}, kAdd), "");
  auto window = [](std::vector<Shape> operands, std::vector<WindowDim> dims, MakeCalled body) {
    return Violated(Opcode::kReduceWindow, operands, Attrs({{Attr::kWindow, Window{dims}}}),
                    Shape(), body);
  };
  EXPECT_EQ(window({F({2}), F({})}, {{}}, kAdd), "");
  EXPECT_EQ(window({F({2}), F({}), F({})}, {{}}, kAdd), "C1");
  EXPECT_EQ(window({F({2}), F({3}), F({}), F({})}, {{}}, kAdd), "C2");
  EXPECT_EQ(window({F({2}), S({})}, {{}}, kAdd), "C3");
  EXPECT_EQ(window({F({2}), F({})}, {}, kAdd), "C4");
  EXPECT_EQ(window({F({2}), F({})}, {{.size = 0}}, kAdd), "C5");
  EXPECT_EQ(window({F({2}), F({})}, {{.stride = 0}}, kAdd), "C7");
  EXPECT_EQ(window({F({2}), F({})}, {{.base_dilation = 0}}, kAdd), "C9");
  EXPECT_EQ(window({F({2}), F({})}, {{.window_dilation = 0}}, kAdd), "C11");
  EXPECT_EQ(window({F({2}), F({})}, {{}}, Negate), "C13");
}

TEST(InferTest, SortAndMap) {
  auto sort = [](std::vector<Shape> operands, Ints dims, MakeCalled body) {
    return Violated(Opcode::kSort, operands, Dims(dims), Shape(), body);
  };
  EXPECT_EQ(sort({F({2})}, {0}, Less), "");
  EXPECT_EQ(sort({F({2})}, {1}, Less), "C4");
  EXPECT_EQ(sort({F({2})}, {}, Less), "C4");
  EXPECT_EQ(sort({S({2})}, {0}, Less), "C5");
  EXPECT_EQ(sort({F({2})}, {0}, Add<ElementType::kF32>), "C5");
  EXPECT_EQ(sort({F({2}), F({2})}, {0}, Less), "C5");
  EXPECT_EQ(sort({F({2}), F({3})}, {0},
                 [](Graph& g) -> std::vector<Computation*> {
                   return {g.Body("four", [&] {
                     for (int i = 0; i < 4; ++i) g.Param(F({}));
                     g.current->set_root(g.Const(Pred({}, {1})));
                   })};
                 }),
            "C3");
  auto map = [](std::vector<Shape> operands, Ints dims, MakeCalled body) {
    return Violated(Opcode::kMap, operands, Dims(dims), Shape(), body);
  };
  EXPECT_EQ(map({F({2}), F({2})}, {0}, Less), "");
  EXPECT_EQ(map({F({2}), F({3})}, {0}, Less), "C1");
  EXPECT_EQ(map({F({2}), F({2})}, {}, Less), "C3");
  EXPECT_EQ(map({F({2})}, {0}, Less), "C4");
  EXPECT_EQ(map({S({2}), S({2})}, {0}, Less), "C4");
}

std::vector<Computation*> LoopParts(Graph& g, Shape state, Shape flag, Shape result) {
  Computation* condition = g.Body("condition", [&] {
    g.Param(state);
    g.current->set_root(g.Const(Literal(flag)));
  });
  Computation* body = g.Body("body", [&] {
    g.Param(state);
    g.current->set_root(g.Const(Literal(result)));
  });
  return {condition, body};
}

TEST(InferTest, ControlFlow) {
  auto loop = [](Shape operand, MakeCalled parts) {
    return Violated(Opcode::kWhile, std::vector<Shape>{operand}, AttrMap(), Shape(), parts);
  };
  EXPECT_EQ(loop(F({}), [](Graph& g) { return LoopParts(g, F({}), P({}), F({})); }), "");
  EXPECT_EQ(loop(F({}), [](Graph& g) { return LoopParts(g, F({}), S({}), F({})); }), "C1");
  EXPECT_EQ(loop(S({}), [](Graph& g) { return LoopParts(g, F({}), P({}), F({})); }), "C1");
  EXPECT_EQ(loop(F({}), [](Graph& g) { return LoopParts(g, F({}), P({}), F({2})); }), "C2");

  constexpr auto kTwo = [](Graph& g) -> std::vector<Computation*> {
    return {Negate(g)[0], Negate(g)[0]};
  };
  auto branches = [](std::vector<Shape> operands, MakeCalled called) {
    return Violated(Opcode::kConditional, operands, AttrMap(), Shape(), called);
  };
  EXPECT_EQ(branches({P({}), F({}), F({})}, kTwo), "");
  EXPECT_EQ(branches({S({})}, nullptr), "C1");
  EXPECT_EQ(branches({P({}), F({})}, Negate), "C1");
  EXPECT_EQ(branches({F({}), F({}), F({})}, kTwo), "I1");
  EXPECT_EQ(branches({S({}), F({})}, kTwo), "C2");
  EXPECT_EQ(branches({S({}), F({}), S({})}, kTwo), "C2");
  EXPECT_EQ(branches({S({}), F({}), F({})},
                     [](Graph& g) -> std::vector<Computation*> {
                       Computation* other =
                           g.Body("other", [&] { g.Op(Opcode::kIsFinite, {g.Param(F({}))}); });
                       return {Negate(g)[0], other};
                     }),
            "C3");

  auto call = [](std::vector<Shape> operands) {
    return Violated(Opcode::kCall, operands, AttrMap(), Shape(), Negate);
  };
  EXPECT_EQ(call({F({})}), "");
  EXPECT_EQ(call({}), "C3");
  EXPECT_EQ(call({S({})}), "C3");
  auto element = [](Shape operand, int64_t index) {
    return Violated(Opcode::kGetTupleElement, std::vector<Shape>{operand},
                    Attrs({{Attr::kIndex, index}}));
  };
  EXPECT_EQ(element(F({}), 0), "I1");
  EXPECT_EQ(element(Shape::Tuple({F({})}), 1), "C1");
  EXPECT_EQ(element(Shape::Tuple({F({})}), -1), "C1");
  EXPECT_EQ(Violated(Opcode::kAfterAll, std::vector<Shape>{F({})}), "I1");
  Graph g;
  Instruction constant{.opcode = Opcode::kConstant, .shape = F({2}), .literal = F32({}, {1})};
  EXPECT_EQ(Label(std::string(InferShape(constant).status().message())), "C1");
}

}  // namespace
}  // namespace halyard::hlo
