// Data movement and indexing: the examples in the documentation of StableHLO and XLA.
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

Shape S32Shape(std::vector<int64_t> dims) { return Shape::Array(ElementType::kS32, dims); }
AttrMap Dims(Ints dims) { return Attrs({{Attr::kDimensions, dims}}); }

TEST(IotaTest, Examples) {
  auto iota = [](Shape shape, int64_t dim) {
    return Text(Opcode::kIota, {}, Attrs({{Attr::kIotaDimension, dim}}), shape);
  };
  EXPECT_EQ(iota(S32Shape({4, 5}), 0),
            "{ {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}, {3, 3, 3, 3, 3} }");
  EXPECT_EQ(iota(S32Shape({2, 4}), 1), "{ {0, 1, 2, 3}, {0, 1, 2, 3} }");
  EXPECT_EQ(iota(Shape::Array(ElementType::kC64, {2}), 0), "{(0, 0), (1, 0)}");
  EXPECT_EQ(iota(Shape::Array(ElementType::kF8E4M3, {3}), 0), "{0, 1, 2}");
  EXPECT_EQ(iota(Shape::Array(ElementType::kU2, {6}), 0), "{0, 1, 2, 3, 0, 1}");
  EXPECT_EQ(iota(S32Shape({0}), 0), "{}");
}

TEST(BroadcastTest, Examples) {
  EXPECT_EQ(Text(Opcode::kBroadcast, {S32({3}, {1, 2, 3})}, Dims({1}), S32Shape({2, 3, 2})),
            "{ { {1, 1}, {2, 2}, {3, 3} }, { {1, 1}, {2, 2}, {3, 3} } }");
  EXPECT_EQ(Text(Opcode::kBroadcast, {S32({2, 2}, {1, 2, 3, 4})}, Dims({1, 0}), S32Shape({2, 2})),
            "{ {1, 3}, {2, 4} }");
  EXPECT_EQ(
      Text(Opcode::kBroadcast, {F32({}, {2})}, Dims({}), Shape::Array(ElementType::kF32, {2, 3})),
      "{ {2, 2, 2}, {2, 2, 2} }");
}

TEST(ReshapeTest, Examples) {
  EXPECT_EQ(Text(Opcode::kReshape, {S32({2, 3}, {1, 2, 3, 4, 5, 6})}, {}, S32Shape({3, 2})),
            "{ {1, 2}, {3, 4}, {5, 6} }");
  EXPECT_EQ(Text(Opcode::kReshape, {S32({1, 1}, {5})}, {}, S32Shape({})), "5");
  EXPECT_EQ(Text(Opcode::kReshape, {S32({}, {5})}, {}, S32Shape({1, 1})), "{ {5} }");
}

TEST(TransposeTest, Examples) {
  EXPECT_EQ(Text(Opcode::kTranspose, {Counting(ElementType::kS32, {2, 3, 2}, 1)}, Dims({2, 1, 0})),
            "{ { {1, 7}, {3, 9}, {5, 11} }, { {2, 8}, {4, 10}, {6, 12} } }");
  // The permutation is not its own inverse: result[d] = operand[permutation[d]].
  Literal x = Counting(ElementType::kS32, {2, 3, 4}, 0);
  Literal y = Eval(Opcode::kTranspose, {x}, Dims({2, 0, 1}));
  EXPECT_EQ(y.shape().dims(), (std::vector<int64_t>{4, 2, 3}));
  EXPECT_EQ(y.GetInt(3 * 6 + 1 * 3 + 2), x.GetInt(1 * 12 + 2 * 4 + 3));
}

TEST(BitcastTest, FollowsLayouts) {
  Graph g;
  Shape column = Shape::ArrayWithLayout(ElementType::kS32, {2, 3}, {0, 1});
  Instruction* p = g.Param(column);
  Instruction* bits = g.Op(Opcode::kBitcast, {p}, {}, {}, S32Shape({3, 2}));
  (void)bits;
  EXPECT_EQ(g.Run({S32({2, 3}, {1, 2, 3, 4, 5, 6})})->ToString(), "{ {1, 4}, {2, 5}, {3, 6} }");
}

TEST(BitcastTest, ToAColumnMajorResult) {
  Graph g;
  Instruction* p = g.Param(S32Shape({3, 2}));
  Shape column = Shape::ArrayWithLayout(ElementType::kS32, {2, 3}, {0, 1});
  g.current->set_root(g.current->Add(Opcode::kBitcast, column, {p}));
  EXPECT_EQ(g.Run({S32({3, 2}, {1, 4, 2, 5, 3, 6})})->ToString(), "{ {1, 2, 3}, {4, 5, 6} }");
}

TEST(ReverseTest, Examples) {
  EXPECT_EQ(Text(Opcode::kReverse, {S32({3, 2}, {1, 2, 3, 4, 5, 6})}, Dims({1})),
            "{ {2, 1}, {4, 3}, {6, 5} }");
  EXPECT_EQ(Text(Opcode::kReverse, {S32({3, 2}, {1, 2, 3, 4, 5, 6})}, Dims({0, 1})),
            "{ {6, 5}, {4, 3}, {2, 1} }");
  EXPECT_EQ(Text(Opcode::kReverse, {S32({0, 2}, {})}, Dims({0})), "{}");
}

std::string Slice(Literal x, SliceDims slice) {
  return Text(Opcode::kSlice, {x}, Attrs({{Attr::kSlice, slice}}));
}

TEST(SliceTest, Examples) {
  EXPECT_EQ(Slice(S32({3, 4}, {0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1}), {{1, 3, 1}, {2, 4, 1}}),
            "{ {1, 1}, {1, 1} }");
  EXPECT_EQ(Slice(Counting(ElementType::kS32, {3, 4}, 0), {{1, 2, 1}, {1, 3, 1}}), "{ {5, 6} }");
  EXPECT_EQ(Slice(Counting(ElementType::kF32, {5}, 0), {{2, 4, 1}}), "{2, 3}");
  EXPECT_EQ(Slice(Counting(ElementType::kF32, {4, 3}, 0), {{2, 4, 1}, {1, 3, 1}}),
            "{ {7, 8}, {10, 11} }");
  EXPECT_EQ(Slice(Counting(ElementType::kS32, {8}, 0), {{1, 8, 3}}), "{1, 4, 7}");
  EXPECT_EQ(Slice(Counting(ElementType::kS32, {8}, 0), {{3, 3, 1}}), "{}");
}

TEST(ConcatenateTest, Examples) {
  EXPECT_EQ(
      Text(Opcode::kConcatenate, {S32({3, 2}, {1, 2, 3, 4, 5, 6}), S32({1, 2}, {7, 8})}, Dims({0})),
      "{ {1, 2}, {3, 4}, {5, 6}, {7, 8} }");
  EXPECT_EQ(
      Text(Opcode::kConcatenate, {S32({2}, {2, 3}), S32({2}, {4, 5}), S32({2}, {6, 7})}, Dims({0})),
      "{2, 3, 4, 5, 6, 7}");
  EXPECT_EQ(Text(Opcode::kConcatenate,
                 {S32({2, 1}, {1, 2}), S32({2, 0}, {}), S32({2, 2}, {3, 4, 5, 6})}, Dims({1})),
            "{ {1, 3, 4}, {2, 5, 6} }");
}

std::string Pad(PaddingConfig padding) {
  return Text(Opcode::kPad, {S32({2, 3}, {1, 2, 3, 4, 5, 6}), S32({}, {0})},
              Attrs({{Attr::kPadding, padding}}));
}

TEST(PadTest, Examples) {
  EXPECT_EQ(Pad({{0, 2, 1}, {1, 1, 2}}),
            "{ {0, 1, 0, 0, 2, 0, 0, 3, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, "
            "{0, 4, 0, 0, 5, 0, 0, 6, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, "
            "{0, 0, 0, 0, 0, 0, 0, 0, 0} }");
  EXPECT_EQ(Pad({{0, 1, 0}, {1, 2, 0}}),
            "{ {0, 1, 2, 3, 0, 0}, {0, 4, 5, 6, 0, 0}, {0, 0, 0, 0, 0, 0} }");
  EXPECT_EQ(Pad({{0, 0, 1}, {0, 0, 1}}), "{ {1, 0, 2, 0, 3}, {0, 0, 0, 0, 0}, {4, 0, 5, 0, 6} }");
  EXPECT_EQ(Pad({{0, 1, 1}, {1, 2, 1}}),
            "{ {0, 1, 0, 2, 0, 3, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 4, 0, 5, 0, 6, 0, 0}, "
            "{0, 0, 0, 0, 0, 0, 0, 0} }");
}

TEST(PadTest, NegativeEdgesCropWhatInteriorPaddingMade) {
  EXPECT_EQ(Pad({{0, 0, 0}, {-1, 0, 0}}), "{ {2, 3}, {5, 6} }");
  EXPECT_EQ(Pad({{0, 0, 0}, {-1, -1, 1}}), "{ {0, 2, 0}, {0, 5, 0} }");
  EXPECT_EQ(Pad({{-1, 1, 0}, {0, -2, 0}}), "{ {4}, {0} }");
  EXPECT_EQ(Pad({{0, 0, 0}, {-4, 5, 0}}), "{ {0, 0, 0, 0}, {0, 0, 0, 0} }");
  EXPECT_EQ(Pad({{0, 0, 0}, {-2, -1, 0}}), "{}");
}

TEST(PadTest, NumbersBeyond32Bits) {
  constexpr int64_t kFar = int64_t{1} << 58;
  EXPECT_EQ(Pad({{0, 0, 0}, {kFar, -kFar, 0}}), "{ {0, 0, 0}, {0, 0, 0} }");
  EXPECT_EQ(Pad({{-kFar, kFar, 0}, {0, 0, 0}}), "{ {0, 0, 0}, {0, 0, 0} }");
  EXPECT_EQ(Pad({{0, -kFar, kFar}, {0, 0, 0}}), "{ {1, 2, 3}, {0, 0, 0} }");
  EXPECT_EQ(Slice(S32({2, 3}, {1, 2, 3, 4, 5, 6}), {{0, 2, INT64_MAX}, {1, 3, kFar}}), "{ {2} }");
}

std::string DynamicSlice(Literal x, std::vector<Literal> starts, Ints sizes) {
  starts.insert(starts.begin(), x);
  return Text(Opcode::kDynamicSlice, starts, Attrs({{Attr::kDynamicSliceSizes, sizes}}));
}

TEST(DynamicSliceTest, StartsAreClamped) {
  Literal x = S32({4, 4}, {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(DynamicSlice(x, {S32({}, {-1}), S32({}, {3})}, {2, 2}), "{ {1, 1}, {1, 1} }");
  EXPECT_EQ(DynamicSlice(Counting(ElementType::kS32, {5}, 0), {S32({}, {2})}, {2}), "{2, 3}");
  EXPECT_EQ(
      DynamicSlice(Counting(ElementType::kS32, {4, 3}, 0), {S64({}, {2}), S64({}, {1})}, {2, 2}),
      "{ {7, 8}, {10, 11} }");
  // A u8 index of 255 is large, not -1.
  EXPECT_EQ(
      DynamicSlice(Counting(ElementType::kS32, {5}, 0), {Array(ElementType::kU8, {}, {255})}, {2}),
      "{3, 4}");
  EXPECT_EQ(
      DynamicSlice(Counting(ElementType::kS32, {5}, 0), {Array(ElementType::kS8, {}, {-1})}, {2}),
      "{0, 1}");
}

TEST(DynamicUpdateSliceTest, Examples) {
  Literal base = S32({4, 4}, {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(Text(Opcode::kDynamicUpdateSlice,
                 {base, S32({2, 2}, {1, 1, 1, 1}), S32({}, {-1}), S32({}, {3})}),
            "{ {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1} }");
  EXPECT_EQ(Text(Opcode::kDynamicUpdateSlice,
                 {Counting(ElementType::kS32, {5}, 0), S32({2}, {5, 6}), S32({}, {2})}),
            "{0, 1, 5, 6, 4}");
  EXPECT_EQ(Text(Opcode::kDynamicUpdateSlice,
                 {Counting(ElementType::kS32, {4, 3}, 0), Counting(ElementType::kS32, {3, 2}, 12),
                  S32({}, {1}), S32({}, {1})}),
            "{ {0, 1, 2}, {3, 12, 13}, {6, 14, 15}, {9, 16, 17} }");
}

AttrMap GatherAttrs(Ints offset, Ints collapsed, Ints batching, Ints indices_batching, Ints map,
                    int64_t ivd, Ints sizes) {
  return Attrs({{Attr::kOffsetDims, offset},
                {Attr::kCollapsedSliceDims, collapsed},
                {Attr::kOperandBatchingDims, batching},
                {Attr::kStartIndicesBatchingDims, indices_batching},
                {Attr::kStartIndexMap, map},
                {Attr::kIndexVectorDim, ivd},
                {Attr::kSliceSizes, sizes}});
}

TEST(GatherTest, BatchingDimensions) {
  Literal indices =
      S64({2, 2, 3, 2}, {0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0});
  EXPECT_EQ(Text(Opcode::kGather, {Counting(ElementType::kS32, {2, 3, 4, 2}, 1), indices},
                 GatherAttrs({3, 4}, {1}, {0}, {1}, {2, 1}, 3, {1, 1, 2, 2})),
            "{ { { { {1, 2}, {3, 4} }, { {3, 4}, {5, 6} }, { {13, 14}, {15, 16} } }, "
            "{ { {33, 34}, {35, 36} }, { {35, 36}, {37, 38} }, { {41, 42}, {43, 44} } } }, "
            "{ { { {1, 2}, {3, 4} }, { {13, 14}, {15, 16} }, { {21, 22}, {23, 24} } }, "
            "{ { {43, 44}, {45, 46} }, { {33, 34}, {35, 36} }, { {27, 28}, {29, 30} } } } }");
}

TEST(GatherTest, NoBatchingDimensions) {
  Literal indices = S64({2, 3, 2}, {0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 2});
  EXPECT_EQ(Text(Opcode::kGather, {Counting(ElementType::kS32, {3, 4, 2}, 1), indices},
                 GatherAttrs({2, 3}, {0}, {}, {}, {1, 0}, 2, {1, 2, 2})),
            "{ { { {1, 2}, {3, 4} }, { {3, 4}, {5, 6} }, { {13, 14}, {15, 16} } }, "
            "{ { {9, 10}, {11, 12} }, { {11, 12}, {13, 14} }, { {17, 18}, {19, 20} } } }");
}

TEST(GatherTest, ScalarIndicesPickRowsAndClamp) {
  EXPECT_EQ(Text(Opcode::kGather, {Counting(ElementType::kF32, {4, 2}, 0), S32({3}, {2, -5, 99})},
                 GatherAttrs({1}, {0}, {}, {}, {0}, 1, {1, 2})),
            "{ {4, 5}, {0, 1}, {6, 7} }");
}

TEST(GatherTest, OffsetDimensionsBeforeBatchDimensions) {
  EXPECT_EQ(Text(Opcode::kGather, {Counting(ElementType::kF32, {4, 2}, 0), S32({3}, {2, 0, 1})},
                 GatherAttrs({0}, {0}, {}, {}, {0}, 1, {1, 2})),
            "{ {4, 0, 2}, {5, 1, 3} }");
}

}  // namespace
}  // namespace halyard::hlo
