// Control flow, tuples, constants and calls, and the evaluator itself.
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

const Shape kS32 = Shape::Scalar(ElementType::kS32);

// Builds while (i < limit) { i += 1; sum += 1 }.
std::unique_ptr<Graph> Counter(int limit) {
  auto g = std::make_unique<Graph>();
  Shape state = Shape::Tuple({kS32, kS32});
  Computation* condition = g->Body("condition", [&] {
    Instruction* s = g->Param(state);
    g->Op(Opcode::kCompare, {g->Element(s, 0), g->Const(S32({}, {static_cast<double>(limit)}))},
          Attrs({{Attr::kDirection, std::string("LT")}}));
  });
  Computation* body = g->Body("body", [&] {
    Instruction* s = g->Param(state);
    Instruction* one = g->Const(S32({}, {1}));
    Instruction* i = g->Op(Opcode::kAdd, {g->Element(s, 0), one});
    Instruction* sum = g->Op(Opcode::kAdd, {g->Element(s, 1), one});
    g->Op(Opcode::kTuple, {i, sum});
  });
  Instruction* i = g->Param(kS32);
  Instruction* sum = g->Param(kS32);
  g->Op(Opcode::kWhile, {g->Op(Opcode::kTuple, {i, sum})}, {}, {condition, body});
  return g;
}

TEST(WhileTest, Examples) {
  EXPECT_EQ(Counter(10)->Run({S32({}, {1}), S32({}, {0})})->ToString(), "(10, 9)");
  EXPECT_EQ(Counter(10)->Run({S32({}, {10}), S32({}, {5})})->ToString(), "(10, 5)");
}

TEST(WhileTest, LoopLimitIsAnErrorThatNamesTheLoop) {
  std::unique_ptr<Graph> g = Counter(1000);
  Evaluator evaluator;
  evaluator.max_loop_iterations = 100;
  absl::StatusOr<Literal> result = evaluator.Run(g->module, {S32({}, {0}), S32({}, {0})});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(result.status().message().find("while"), absl::string_view::npos);
  // Exactly the allowed number of iterations is fine, and the evaluator still works after an error.
  evaluator.max_loop_iterations = 1000;
  EXPECT_TRUE(evaluator.Run(g->module, {S32({}, {0}), S32({}, {0})}).ok());
}

// Branches return 10, 11 and 12, each plus its operand.
std::string Conditional(Literal index, int branches) {
  Graph g;
  std::vector<Computation*> called;
  for (int i = 0; i < branches; ++i) {
    called.push_back(g.Body("branch", [&] {
      Instruction* x = g.Param(kS32);
      g.Op(Opcode::kAdd, {x, g.Const(S32({}, {10.0 + i}))});
    }));
  }
  std::vector<Instruction*> operands = {g.Param(index.shape())};
  for (int i = 0; i < branches; ++i) operands.push_back(g.Const(S32({}, {100.0 * i})));
  g.Op(Opcode::kConditional, operands, {}, called);
  absl::StatusOr<Literal> result = g.Run({index});
  return result.ok() ? result->ToString() : std::string(result.status().message());
}

TEST(ConditionalTest, PredTakesTheTrueBranchFirst) {
  EXPECT_EQ(Conditional(Pred({}, {1}), 2), "10");
  EXPECT_EQ(Conditional(Pred({}, {0}), 2), "111");
}

TEST(ConditionalTest, IndexOutOfRangeTakesTheLastBranch) {
  EXPECT_EQ(Conditional(S32({}, {0}), 3), "10");
  EXPECT_EQ(Conditional(S32({}, {1}), 3), "111");
  EXPECT_EQ(Conditional(S32({}, {-1}), 3), "212");
  EXPECT_EQ(Conditional(S32({}, {3}), 3), "212");
}

TEST(TupleTest, Examples) {
  Literal pair = Literal::Tuple({Counting(ElementType::kF32, {10}, 0), S32({}, {5})});
  EXPECT_EQ(Text(Opcode::kGetTupleElement, {pair}, Attrs({{Attr::kIndex, int64_t{1}}})), "5");
  EXPECT_EQ(Text(Opcode::kTuple, {F32({}, {1}), pair.elements()[1]}), "(1, 5)");
  EXPECT_EQ(Text(Opcode::kOptimizationBarrier, {pair.elements()[1]}), "5");
  EXPECT_EQ(Text(Opcode::kCopy, {F32({2}, {1, 2})}), "{1, 2}");
  EXPECT_TRUE(Eval(Opcode::kAfterAll, {}).shape().IsToken());
}

TEST(ConstantTest, IsItself) {
  Graph g;
  g.current->set_root(g.Const(F32({2, 2}, {0, 1, 2, 3})));
  EXPECT_EQ(g.Run({})->ToString(), "{ {0, 1}, {2, 3} }");
}

TEST(CallTest, NestsAndSharesTheCallee) {
  Graph g;
  Computation* twice = g.Body("twice", [&] {
    Instruction* x = g.Param(kS32);
    g.Op(Opcode::kAdd, {x, x});
  });
  Computation* four = g.Body("four", [&] {
    Instruction* x = g.Param(kS32);
    g.Op(Opcode::kCall, {g.Op(Opcode::kCall, {x}, {}, {twice})}, {}, {twice});
  });
  Instruction* p = g.Param(kS32);
  g.Op(Opcode::kFusion, {g.Op(Opcode::kCall, {p}, {}, {four})},
       Attrs({{Attr::kKind, std::string("kLoop")}}), {twice});
  EXPECT_EQ(g.Run({S32({}, {3})})->ToString(), "24");
}

TEST(CustomCallTest, NeedsAnImplementation) {
  Graph g;
  Instruction* p = g.Param(kS32);
  g.Op(Opcode::kCustomCall, {p}, Attrs({{Attr::kCustomCallTarget, std::string("plus_one")}}), {},
       kS32);
  Evaluator evaluator;
  absl::Status status = evaluator.Run(g.module, {S32({}, {1})}).status();
  EXPECT_NE(status.message().find("plus_one"), absl::string_view::npos) << status;
  evaluator.custom_call = [](const Instruction&,
                             absl::Span<const Literal> operands) -> absl::StatusOr<Literal> {
    return S32({}, {operands[0].GetInt(0) + 1.0});
  };
  EXPECT_EQ(evaluator.Run(g.module, {S32({}, {1})})->ToString(), "2");
  evaluator.custom_call = [](const Instruction&,
                             absl::Span<const Literal>) -> absl::StatusOr<Literal> {
    return F32({}, {1});
  };
  EXPECT_FALSE(evaluator.Run(g.module, {S32({}, {1})}).ok());
}

// An annotation only if it leaves the shape as it is.
TEST(CustomCallTest, LayoutConstraintsAreTheOperand) {
  for (const Shape& result : {Shape::ArrayWithLayout(ElementType::kS32, {2, 3}, {0, 1}), kS32}) {
    Graph g;
    Instruction* p = g.Param(Shape::Array(ElementType::kS32, {2, 3}));
    g.Op(Opcode::kCustomCall, {p},
         Attrs({{Attr::kCustomCallTarget, std::string("LayoutConstraint")}}), {}, result);
    const absl::StatusOr<Literal> value = g.Run({S32({2, 3}, {1, 2, 3, 4, 5, 6})});
    EXPECT_EQ(value.ok(), !result.IsScalar()) << value.status();
    if (value.ok()) EXPECT_EQ(value->ToString(), "{ {1, 2, 3}, {4, 5, 6} }");
  }
}

TEST(EvaluatorTest, ArgumentsAreChecked) {
  std::unique_ptr<Graph> g = Counter(3);
  EXPECT_FALSE(g->Run({S32({}, {0})}).ok());
  absl::Status status = g->Run({S32({}, {0}), F32({}, {0})}).status();
  EXPECT_NE(status.message().find("argument 1 of main must be s32[], is f32[]"),
            absl::string_view::npos)
      << status;
}

TEST(EvaluatorTest, OutOfMemoryIsAnError) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer ends the process at so large an allocation";
#endif
  Graph g;
  g.Op(Opcode::kBroadcast, {g.Param(kS32)}, Attrs({{Attr::kDimensions, Ints{}}}), {},
       Shape::Array(ElementType::kS32, {int64_t{1} << 60}));
  EXPECT_EQ(g.Run({S32({}, {1})}).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(EvaluatorTest, ObserverSeesTheEntryOnly) {
  std::unique_ptr<Graph> g = Counter(3);
  Evaluator evaluator;
  std::vector<std::string> seen;
  evaluator.observer = [&](const Instruction& inst, const Literal& value) {
    seen.push_back(std::string(RowOf(inst.opcode).hlo_name) + "=" + value.ToString());
  };
  ASSERT_TRUE(evaluator.Run(g->module, {S32({}, {0}), S32({}, {0})}).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"parameter=0", "parameter=0", "tuple=(0, 0)",
                                            "while=(3, 3)"}));
}

TEST(EvaluatorTest, OneEvaluatorRunsManyModules) {
  Evaluator evaluator;
  for (int limit = 1; limit < 20; ++limit) {
    std::unique_ptr<Graph> g = Counter(limit);
    Literal result = *evaluator.Run(g->module, {S32({}, {0}), S32({}, {0})});
    EXPECT_EQ(result.elements()[0].GetInt(0), limit);
  }
}

}  // namespace
}  // namespace halyard::hlo
