#include "frontend/hlo/ir/module.h"

#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

const Shape kVector = Shape::Array(ElementType::kF32, {4});

TEST(ModuleTest, NamesAreUnique) {
  Module module("m");
  EXPECT_EQ(module.UniqueName("x"), "x");
  EXPECT_EQ(module.UniqueName("x"), "x.1");
  EXPECT_EQ(module.UniqueName("x.1"), "x.2");
  EXPECT_EQ(module.UniqueName("x.7"), "x.7");
  EXPECT_EQ(module.AddComputation("x")->name(), "x");  // computations get unique names
  EXPECT_EQ(module.AddComputation("x")->name(), "x.1");
}

TEST(ModuleTest, UsersAndReplace) {
  Graph g;
  Instruction* p = g.Param(kVector);
  Instruction* a = g.Op(Opcode::kNegate, {p});
  Instruction* b = g.Op(Opcode::kAdd, {a, a});
  EXPECT_EQ(g.current->Users().at(a), std::vector<Instruction*>{b});
  EXPECT_TRUE(g.current->Users().at(b).empty());
  g.current->ReplaceAllUses(a, p);
  EXPECT_EQ(b->operands, (std::vector<Instruction*>{p, p}));
  g.current->ReplaceAllUses(b, a);
  EXPECT_EQ(g.current->root(), a);
}

TEST(ModuleTest, RemoveDeadKeepsParametersAndSideEffects) {
  Graph g;
  Instruction* p = g.Param(kVector);
  g.Param(kVector);
  Instruction* used = g.Op(Opcode::kNegate, {p});
  Instruction* dead = g.Op(Opcode::kAbs, {p});
  g.Op(Opcode::kAbs, {dead});
  Instruction* input = g.Op(Opcode::kExp, {p});
  g.current->Add(
      Opcode::kCustomCall, kVector, {input},
      Attrs({{Attr::kCustomCallTarget, std::string("print")}, {Attr::kHasSideEffect, true}}));
  g.current->set_root(used);
  EXPECT_EQ(g.current->RemoveDead(), 2);
  EXPECT_EQ(g.current->instructions().size(), 5u);
  EXPECT_EQ(g.current->RemoveDead(), 0);
}

TEST(ModuleTest, SortTopologically) {
  Graph g;
  Instruction* p = g.Param(kVector);
  Instruction* a = g.Op(Opcode::kNegate, {p});
  Instruction* b = g.Op(Opcode::kAbs, {a});
  Instruction* late = g.Op(Opcode::kExp, {p});
  a->operands[0] = late;
  EXPECT_FALSE(VerifyModule(g.module).ok());
  ASSERT_TRUE(g.current->SortTopologically());
  EXPECT_TRUE(VerifyModule(g.module).ok());
  EXPECT_EQ(g.current->instructions()[1].get(), late);
  late->operands[0] = b;
  EXPECT_FALSE(g.current->SortTopologically());
  EXPECT_EQ(g.current->instructions().size(), 4u);
}

TEST(ModuleTest, RemoveParameterRenumbers) {
  Graph g;
  g.Param(kVector);
  Instruction* second = g.Param(kVector);
  g.Op(Opcode::kAbs, {second});
  g.current->RemoveParameter(0);
  EXPECT_EQ(second->parameter_number, 0);
  EXPECT_EQ(g.current->num_parameters(), 1);
  EXPECT_TRUE(VerifyModule(g.module).ok());
}

// Builds a while loop whose body calls a computation that the entry also calls.
std::unique_ptr<Graph> Nested() {
  auto g = std::make_unique<Graph>();
  Shape state = Shape::Scalar(ElementType::kS32);
  Computation* add = g->Body2(Opcode::kAdd, ElementType::kS32);
  Computation* condition = g->Body("condition", [&] {
    Instruction* i = g->Param(state);
    g->Op(Opcode::kCompare, {i, g->Const(S32({}, {10}))},
          Attrs({{Attr::kDirection, std::string("LT")}}));
  });
  Computation* body = g->Body("body", [&] {
    Instruction* i = g->Param(state);
    g->Op(Opcode::kCall, {i, g->Const(S32({}, {3}))}, {}, {add});
  });
  Instruction* p = g->Param(state);
  Instruction* loop = g->Op(Opcode::kWhile, {p}, {}, {condition, body});
  g->Op(Opcode::kCall, {loop, loop}, {}, {add});
  return g;
}

TEST(ModuleTest, PostOrderHasCalleesFirstAndTheEntryLast) {
  std::unique_ptr<Graph> g = Nested();
  std::vector<Computation*> order = g->module.PostOrder();
  ASSERT_EQ(order.size(), 4u);
  EXPECT_EQ(order.back(), g->module.entry());
  auto position = [&](absl::string_view name) {
    return std::find(order.begin(), order.end(), g->module.FindComputation(name)) - order.begin();
  };
  EXPECT_LT(position("add_body"), position("body"));
}

TEST(ModuleTest, CloneIsDeepAndIndependent) {
  std::unique_ptr<Graph> g = Nested();
  g->module.donors = {0};
  std::unique_ptr<Module> copy = g->module.Clone();
  EXPECT_EQ(copy->computations().size(), 4u);
  EXPECT_EQ(copy->entry()->name(), "main");
  EXPECT_EQ(copy->donors, g->module.donors);
  EXPECT_EQ(copy->entry()->root()->name, g->module.entry()->root()->name);
  g.reset();
  ASSERT_TRUE(VerifyModule(*copy).ok()) << VerifyModule(*copy);
  Evaluator evaluator;
  EXPECT_EQ(evaluator.Run(*copy, {S32({}, {0})})->ToString(), "24");
}

// Each computation calls the previous one twice, which makes the call graph deep, with very many
// paths.
TEST(ModuleTest, DeepCallGraphs) {
  Graph g;
  Computation* callee = g.Body("negate", [&] { g.Op(Opcode::kNegate, {g.Param(kVector)}); });
  for (int i = 0; i < 5000; ++i) {
    callee = g.Body("level", [&] {
      Instruction* once = g.Op(Opcode::kCall, {g.Param(kVector)}, {}, {callee});
      g.Op(Opcode::kCall, {once}, {}, {callee});
    });
  }
  Instruction* call = g.Op(Opcode::kCall, {g.Param(kVector)}, {}, {callee});
  EXPECT_TRUE(VerifyModule(g.module).ok());
  EXPECT_FALSE(HasSideEffect(*call));
  EXPECT_EQ(g.module.PostOrder().size(), 5002u);
  EXPECT_EQ(g.module.Clone()->computations().size(), 5002u);
  Evaluator evaluator;
  EXPECT_EQ(evaluator.Run(g.module, {F32({4}, {1, 2, 3, 4})}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(ModuleTest, CloneComputationBringsItsCallees) {
  std::unique_ptr<Graph> g = Nested();
  Module other("other");
  other.AddComputation("body");
  std::unordered_map<const Instruction*, Instruction*> map;
  Computation* copy = CloneComputation(*g->module.entry(), &other, &map);
  other.set_entry(copy);
  EXPECT_EQ(other.computations().size(), 5u);
  other.RemoveUnreachableComputations();
  EXPECT_EQ(other.computations().size(), 4u);
  EXPECT_EQ(map.at(g->module.entry()->root()), copy->root());
  EXPECT_TRUE(VerifyModule(other).ok()) << VerifyModule(other);
}

TEST(ModuleTest, ProvenanceUnites) {
  Provenance a{{{"f.py", 3, 4}}, {"jit(f)/add"}};
  a.Unite({{{"g.py", 1, 1}, {"f.py", 3, 4}}, {"jit(f)/add", "jit(f)/mul"}});
  EXPECT_EQ(a.locations.size(), 2u);
  EXPECT_EQ(a.op_names, (std::vector<std::string>{"jit(f)/add", "jit(f)/mul"}));
  EXPECT_EQ(a.Place(), "f.py:3:4");
  EXPECT_EQ(Provenance().Place(), "");
}

TEST(AttrMapTest, EqualHoweverFilled) {
  AttrMap a, b;
  a.Set(Attr::kIndex, int64_t{1});
  a.Set(Attr::kDimensions, Ints{2});
  b.Set(Attr::kDimensions, Ints{1});
  b.Set(Attr::kIndex, int64_t{1});
  EXPECT_FALSE(a == b);
  b.Set(Attr::kDimensions, Ints{2});
  EXPECT_TRUE(a == b);
  b.Erase(Attr::kIndex);
  EXPECT_EQ(b.Find(Attr::kIndex), nullptr);
}

TEST(AttrMapTest, AbsentAttributesHaveDefaults) {
  Instruction inst{.opcode = Opcode::kDot};
  EXPECT_EQ(inst.GetInt(Attr::kFeatureGroupCount, 1), 1);
  EXPECT_TRUE(inst.GetInts(Attr::kLhsBatchDims).empty());
  EXPECT_EQ(inst.GetString(Attr::kAlgorithm), "");
  EXPECT_FALSE(inst.GetBool(Attr::kIsStable));
  EXPECT_TRUE(inst.GetWindow().dims.empty());
}

}  // namespace
}  // namespace halyard::hlo
