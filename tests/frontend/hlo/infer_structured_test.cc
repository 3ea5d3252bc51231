#include "tests/frontend/hlo/graph_builder.h"
#include "tests/frontend/hlo/infer_errors.h"

namespace halyard::hlo {
namespace {

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
