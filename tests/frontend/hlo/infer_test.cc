// Checks one wrong graph for each labelled constraint of each op. The evaluation tests have the
// correct graphs.
#include "tests/frontend/hlo/graph_builder.h"
#include "tests/frontend/hlo/infer_errors.h"

namespace halyard::hlo {
namespace {

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

// Starts from a correct gather of f32[4,5,6] by s32[4,7,2] (batching on 4), with one attribute
// replaced.
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
  // Lists that are not sorted: two offset, two collapsed or two batching dimensions.
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

}  // namespace
}  // namespace halyard::hlo
