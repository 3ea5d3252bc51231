// reduce, reduce-window, map and sort.
#include <cmath>

#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

AttrMap Dims(Ints dims) { return Attrs({{Attr::kDimensions, dims}}); }

template <Opcode kOp, ElementType kType>
std::vector<Computation*> Body(Graph& g) {
  return {g.Body2(kOp, kType)};
}

template <Opcode kOp, ElementType kType>
std::string Reduce(Literal x, double init, Ints dims) {
  return Text(Opcode::kReduce, {x, Array(x.shape().element_type(), {}, {init})}, Dims(dims), {},
              Body<kOp, kType>);
}

TEST(ReduceTest, Examples) {
  EXPECT_EQ((Reduce<Opcode::kAdd, ElementType::kS32>(S32({1, 6}, {0, 1, 2, 3, 4, 5}), 0, {1})),
            "{15}");
  std::vector<double> values;
  for (int i = 0; i < 4; ++i) values.insert(values.end(), {1, 2, 3, 4, 5, 6});
  Literal x = F32({4, 2, 3}, values);
  constexpr auto kAdd = Reduce<Opcode::kAdd, ElementType::kF32>;
  EXPECT_EQ(kAdd(x, 0, {0}), "{ {4, 8, 12}, {16, 20, 24} }");
  EXPECT_EQ(kAdd(x, 0, {2}), "{ {6, 15}, {6, 15}, {6, 15}, {6, 15} }");
  EXPECT_EQ(kAdd(x, 0, {1, 0}), "{20, 28, 36}");
  EXPECT_EQ(kAdd(x, 0, {0, 1, 2}), "84");
  EXPECT_EQ(kAdd(F32({2}, {1, 2}), 5, {}), "{6, 7}");
  EXPECT_EQ(kAdd(F32({0, 2}, {}), 7, {0}), "{7, 7}");
  EXPECT_EQ(kAdd(F32({0, 2}, {}), 7, {1}), "{}");
}

TEST(ReduceTest, OneOpBodies) {
  EXPECT_EQ((Reduce<Opcode::kMaximum, ElementType::kF32>(F32({3}, {1, NAN, 2}), -1e9, {0})), "nan");
  EXPECT_EQ((Reduce<Opcode::kMinimum, ElementType::kS8>(Array(ElementType::kS8, {3}, {4, -7, 2}),
                                                        127, {0})),
            "-7");
  EXPECT_EQ(
      (Reduce<Opcode::kMaximum, ElementType::kU8>(Array(ElementType::kU8, {2}, {4, 200}), 0, {0})),
      "200");
  EXPECT_EQ((Reduce<Opcode::kMultiply, ElementType::kS8>(Array(ElementType::kS8, {3}, {100, 3, 2}),
                                                         1, {0})),
            "88");
  EXPECT_EQ((Reduce<Opcode::kAnd, ElementType::kPred>(Pred({2, 2}, {1, 1, 1, 0}), 1, {1})),
            "{true, false}");
  EXPECT_EQ((Reduce<Opcode::kAdd, ElementType::kPred>(Pred({2, 2}, {0, 0, 1, 1}), 0, {1})),
            "{false, true}");
  EXPECT_EQ((Reduce<Opcode::kXor, ElementType::kS32>(S32({3}, {1, 2, 7}), 0, {0})), "4");
  // Accumulation in f64 keeps the 1.
  EXPECT_EQ((Reduce<Opcode::kAdd, ElementType::kF32>(F32({3}, {1e8, 1, -1e8}), 0, {0})), "1");
  EXPECT_EQ(Text(Opcode::kReduce,
                 {Complex(ElementType::kC64, {{1, 2}, {3, 4}}),
                  Eval(Opcode::kComplex, {F32({}, {0}), F32({}, {1})})},
                 Dims({0}), {}, Body<Opcode::kAdd, ElementType::kC64>),
            "(4, 7)");
}

// In f64, the 4,096 roundings would all be in the same direction.
TEST(ReduceTest, SumsOfEqualTermsAreRoundedOnce) {
  const double term = -1941.8129644120772;
  const Literal x = Array(ElementType::kF64, {4096}, std::vector<double>(4096, term));
  const Literal sum = Array(ElementType::kF64, {}, {4096 * term});
  EXPECT_EQ((Reduce<Opcode::kAdd, ElementType::kF64>(x, 0, {0})), sum.ToString());
}

TEST(ReduceTest, SubtractShowsOrderAndInitOnTheLeft) {
  EXPECT_EQ(
      (Reduce<Opcode::kSubtract, ElementType::kS32>(S32({2, 3}, {1, 2, 3, 10, 20, 30}), 100, {1})),
      "{94, 40}");
}

TEST(ReduceTest, PromotesToTheBodysType) {
  EXPECT_EQ((Reduce<Opcode::kAdd, ElementType::kS32>(Array(ElementType::kS8, {3}, {100, 100, 100}),
                                                     0, {0})),
            "300");
  EXPECT_EQ((Reduce<Opcode::kSubtract, ElementType::kF32>(Array(ElementType::kBF16, {2}, {1, 2}), 0,
                                                          {0})),
            "-3");
}

std::vector<Computation*> ArgMax(Graph& g) {
  return {g.Body("argmax", [&] {
    Shape value = Shape::Scalar(ElementType::kF32), index = Shape::Scalar(ElementType::kS32);
    Instruction* max = g.Param(value);
    Instruction* at = g.Param(index);
    Instruction* next = g.Param(value);
    Instruction* next_at = g.Param(index);
    Instruction* greater =
        g.Op(Opcode::kCompare, {next, max}, Attrs({{Attr::kDirection, std::string("GT")}}));
    Instruction* new_max = g.Op(Opcode::kSelect, {greater, next, max});
    Instruction* new_at = g.Op(Opcode::kSelect, {greater, next_at, at});
    g.Op(Opcode::kTuple, {new_max, new_at});
  })};
}

TEST(ReduceTest, SeveralInputs) {
  Literal values = F32({2, 3}, {1, 5, 3, 9, 2, 9}), at = S32({2, 3}, {0, 1, 2, 0, 1, 2});
  std::vector<Literal> operands = {values, at, F32({}, {-HUGE_VAL}), S32({}, {0})};
  EXPECT_EQ(Text(Opcode::kReduce, operands, Dims({1}), {}, ArgMax), "({5, 9}, {1, 0})");
  EXPECT_EQ(Text(Opcode::kReduce, operands, Dims({0, 1}), {}, ArgMax), "(9, 0)");
}

// Builds a reduction body that adds y to x in a while loop, one at a time. It is not elementwise,
// so it runs element by element.
std::vector<Computation*> LoopingAdd(Graph& g) {
  Shape scalar = Shape::Scalar(ElementType::kS32), state = Shape::Tuple({scalar, scalar});
  Computation* condition = g.Body("more", [&] {
    Instruction* s = g.Param(state);
    g.Op(Opcode::kCompare, {g.Element(s, 1), g.Const(S32({}, {0}))},
         Attrs({{Attr::kDirection, std::string("GT")}}));
  });
  Computation* step = g.Body("step", [&] {
    Instruction* s = g.Param(state);
    Instruction* one = g.Const(S32({}, {1}));
    Instruction* up = g.Op(Opcode::kAdd, {g.Element(s, 0), one});
    Instruction* down = g.Op(Opcode::kSubtract, {g.Element(s, 1), one});
    g.Op(Opcode::kTuple, {up, down});
  });
  return {g.Body("looping_add", [&] {
    Instruction* x = g.Param(scalar);
    Instruction* y = g.Param(scalar);
    Instruction* loop = g.Op(Opcode::kWhile, {g.Op(Opcode::kTuple, {x, y})}, {}, {condition, step});
    g.Element(loop, 0);
  })};
}

TEST(ReduceTest, AnyBody) {
  EXPECT_EQ(Text(Opcode::kReduce, {S32({2, 3}, {1, 2, 3, 4, 5, 6}), S32({}, {0})}, Dims({1}), {},
                 LoopingAdd),
            "{6, 15}");
  EXPECT_EQ(Text(Opcode::kMap, {S32({2}, {1, 2}), S32({2}, {10, 20})}, Dims({0}), {}, LoopingAdd),
            "{11, 22}");
}

AttrMap Windows(std::vector<WindowDim> dims) { return Attrs({{Attr::kWindow, Window{dims}}}); }

TEST(ReduceWindowTest, Examples) {
  Literal x = F32({5}, {10000, 1000, 100, 10, 1}), inf = F32({}, {HUGE_VAL});
  constexpr auto kMin = Body<Opcode::kMinimum, ElementType::kF32>;
  EXPECT_EQ(Text(Opcode::kReduceWindow, {x, inf}, Windows({{.size = 3, .stride = 2}}), {}, kMin),
            "{100, 1}");
  EXPECT_EQ(Text(Opcode::kReduceWindow, {x, inf},
                 Windows({{.size = 3, .stride = 2, .pad_low = 1, .pad_high = 1}}), {}, kMin),
            "{1000, 10, 1}");
  Literal m = S32({3, 2}, {1, 2, 3, 4, 5, 6}), zero = S32({}, {0});
  EXPECT_EQ(Text(Opcode::kReduceWindow, {m, zero},
                 Windows({{.size = 2,
                           .stride = 4,
                           .pad_low = 2,
                           .pad_high = 1,
                           .base_dilation = 2,
                           .window_dilation = 3},
                          {}}),
                 {}, Body<Opcode::kAdd, ElementType::kS32>),
            "{ {0, 0}, {3, 4} }");
  EXPECT_EQ(
      Text(Opcode::kReduceWindow, {Counting(ElementType::kF32, {4, 6}, 0), F32({}, {-HUGE_VAL})},
           Windows({{.size = 2, .stride = 2}, {.size = 3, .stride = 3}}), {},
           Body<Opcode::kMaximum, ElementType::kF32>),
      "{ {8, 11}, {20, 23} }");
}

TEST(ReduceWindowTest, PaddingTakesPartAsTheInitialValue) {
  EXPECT_EQ(Text(Opcode::kReduceWindow, {S32({2}, {1, 2}), S32({}, {10})},
                 Windows({{.size = 2, .pad_low = 1}}), {}, Body<Opcode::kAdd, ElementType::kS32>),
            "{21, 13}");
}

TEST(ReduceWindowTest, PrefixesAreFoldedOnce) {
  // Sums of all elements so far, along each dimension, and behind more padding than is needed.
  const Literal x = S32({2, 3}, {1, 2, 3, 4, 5, 6}), zero = S32({}, {0});
  constexpr auto kAdd = Body<Opcode::kAdd, ElementType::kS32>;
  EXPECT_EQ(
      Text(Opcode::kReduceWindow, {x, zero}, Windows({{}, {.size = 3, .pad_low = 2}}), {}, kAdd),
      "{ {1, 3, 6}, {4, 9, 15} }");
  EXPECT_EQ(
      Text(Opcode::kReduceWindow, {x, zero}, Windows({{.size = 4, .pad_low = 3}, {}}), {}, kAdd),
      "{ {1, 2, 3}, {5, 7, 9} }");
  // A window that does not reach the first element, and a padding that counts.
  EXPECT_EQ(
      Text(Opcode::kReduceWindow, {x, zero}, Windows({{}, {.size = 2, .pad_low = 1}}), {}, kAdd),
      "{ {1, 3, 5}, {4, 9, 11} }");
  EXPECT_EQ(Text(Opcode::kReduceWindow, {S32({3}, {1, 2, 3}), S32({}, {1})},
                 Windows({{.size = 3, .pad_low = 2}}), {}, kAdd),
            "{4, 5, 7}");
  // Window by window, this would take a table of 10^10 entries.
  constexpr int64_t kMany = 100000;
  const Literal sums =
      Eval(Opcode::kReduceWindow,
           {Literal::Splat(Shape::Array(ElementType::kS32, {kMany}), S32({}, {3})), zero},
           Windows({{.size = kMany, .pad_low = kMany - 1}}), {}, kAdd);
  ASSERT_EQ(sums.shape().NumElements(), kMany);
  for (int64_t i = 0; i < kMany; ++i) ASSERT_EQ(sums.GetInt(i), 3 * (i + 1));
}

TEST(ReduceWindowTest, NegativePaddingAndNoWindows) {
  constexpr auto kAdd = Body<Opcode::kAdd, ElementType::kS32>;
  Literal x = S32({4}, {1, 2, 3, 4}), zero = S32({}, {0});
  EXPECT_EQ(Text(Opcode::kReduceWindow, {x, zero},
                 Windows({{.size = 2, .pad_low = -1, .pad_high = -1}}), {}, kAdd),
            "{5}");
  EXPECT_EQ(Text(Opcode::kReduceWindow, {x, zero}, Windows({{.size = 5}}), {}, kAdd), "{}");
}

TEST(ReduceWindowTest, NumbersBeyond32Bits) {
  const Literal x = F32({3}, {1, 2, 3}), zero = F32({}, {0});
  auto windows = [&](WindowDim dim) {
    return Text(Opcode::kReduceWindow, {x, zero}, Windows({dim}), {},
                Body<Opcode::kAdd, ElementType::kF32>);
  };
  constexpr int64_t kLarge = int64_t{1} << 32;
  EXPECT_EQ(windows({.stride = kLarge}), "{1}");
  EXPECT_EQ(windows({.size = 2, .pad_low = kLarge, .window_dilation = kLarge}), "{1, 2, 3}");
  EXPECT_EQ(windows({.stride = kLarge, .pad_high = -2 * kLarge, .base_dilation = kLarge}), "{1}");
  EXPECT_EQ(windows({.size = 3, .stride = kLarge, .pad_high = 2, .base_dilation = kLarge}),
            "{1, 2, 3}");
}

TEST(ReduceWindowTest, SeveralInputs) {
  std::vector<Literal> operands = {F32({4}, {1, 5, 3, 9}), S32({4}, {0, 1, 2, 3}),
                                   F32({}, {-HUGE_VAL}), S32({}, {-1})};
  EXPECT_EQ(Text(Opcode::kReduceWindow, operands, Windows({{.size = 2}}), {}, ArgMax),
            "({5, 5, 9}, {1, 1, 3})");
}

TEST(MapTest, Example) {
  EXPECT_EQ(Text(Opcode::kMap, {S32({2, 2}, {0, 1, 2, 3}), S32({2, 2}, {4, 5, 6, 7})}, Dims({0, 1}),
                 {}, Body<Opcode::kMultiply, ElementType::kS32>),
            "{ {0, 5}, {12, 21} }");
}

template <ElementType kFirst, ElementType... kOthers>
std::vector<Computation*> CompareFirst(Graph& g, const char* direction) {
  return {g.Body("comparator", [&] {
    Instruction* a = g.Param(Shape::Scalar(kFirst));
    Instruction* b = g.Param(Shape::Scalar(kFirst));
    for (ElementType type : std::vector<ElementType>{kOthers...}) {
      g.Param(Shape::Scalar(type));
      g.Param(Shape::Scalar(type));
    }
    g.Op(Opcode::kCompare, {a, b}, Attrs({{Attr::kDirection, std::string(direction)}}));
  })};
}

TEST(SortTest, Examples) {
  EXPECT_EQ(
      Text(Opcode::kSort, {S32({2, 3}, {1, 2, 3, 3, 2, 1}), S32({2, 3}, {3, 2, 1, 1, 2, 3})},
           Dims({0}), {},
           [](Graph& g) { return CompareFirst<ElementType::kS32, ElementType::kS32>(g, "GT"); }),
      "({ {3, 2, 3}, {1, 2, 1} }, { {1, 2, 1}, {3, 2, 3} })");
  EXPECT_EQ(Text(Opcode::kSort, {S32({2}, {3, 1}), S32({2}, {42, 50}), F32({2}, {-3, 1.1})},
                 Dims({0}), {},
                 [](Graph& g) {
                   return CompareFirst<ElementType::kS32, ElementType::kS32, ElementType::kF32>(
                       g, "LT");
                 }),
            "({1, 3}, {50, 42}, {1.1, -3})");
  EXPECT_EQ(Text(Opcode::kSort, {F32({2, 0}, {})}, Dims({1}), {},
                 [](Graph& g) { return CompareFirst<ElementType::kF32>(g, "LT"); }),
            "{}");
}

TEST(SortTest, MiddleDimensionAndUnsigned) {
  Literal x = Array(ElementType::kU8, {2, 3, 2}, {200, 1, 100, 2, 150, 0, 9, 8, 7, 6, 5, 4});
  EXPECT_EQ(Text(Opcode::kSort, {x}, Dims({1}), {},
                 [](Graph& g) { return CompareFirst<ElementType::kU8>(g, "LT"); }),
            "{ { {100, 0}, {150, 1}, {200, 2} }, { {5, 4}, {7, 6}, {9, 8} } }");
}

TEST(SortTest, IsStable) {
  Literal keys = S32({6}, {1, 0, 1, 0, 1, 0}), at = S32({6}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(
      Text(Opcode::kSort, {keys, at}, Dims({0}), {},
           [](Graph& g) { return CompareFirst<ElementType::kS32, ElementType::kS32>(g, "LT"); }),
      "({0, 0, 0, 1, 1, 1}, {1, 3, 5, 0, 2, 4})");
}

TEST(SortTest, AnyComparator) {
  // Sorts by absolute value.
  auto by_abs = [](Graph& g) -> std::vector<Computation*> {
    return {g.Body("comparator", [&] {
      Instruction* a = g.Param(Shape::Scalar(ElementType::kS32));
      Instruction* b = g.Param(Shape::Scalar(ElementType::kS32));
      Instruction* x = g.Op(Opcode::kAbs, {a});
      Instruction* y = g.Op(Opcode::kAbs, {b});
      g.Op(Opcode::kCompare, {x, y}, Attrs({{Attr::kDirection, std::string("LT")}}));
    })};
  };
  EXPECT_EQ(Text(Opcode::kSort, {S32({5}, {-3, 2, -1, 3, 0})}, Dims({0}), {}, by_abs),
            "{0, -1, 2, -3, 3}");
  // Sorts NaNs by total order. With a comparator that is not an order, the result is still a
  // permutation.
  auto total = [](Graph& g) -> std::vector<Computation*> {
    return {g.Body2(
        Opcode::kCompare, ElementType::kF32,
        Attrs({{Attr::kDirection, std::string("LT")}, {Attr::kType, std::string("TOTALORDER")}}))};
  };
  EXPECT_EQ(Text(Opcode::kSort, {F32({4}, {NAN, 0.0, -0.0, -1})}, Dims({0}), {}, total),
            "{-1, -0, 0, nan}");
  auto always = [](Graph& g) { return CompareFirst<ElementType::kS32>(g, "LE"); };
  EXPECT_EQ(Text(Opcode::kSort, {S32({4}, {2, 2, 2, 2})}, Dims({0}), {}, always), "{2, 2, 2, 2}");
}

}  // namespace
}  // namespace halyard::hlo
