// Groups of processes, collectives and channels on the reference evaluator. Expected values come
// from the documentation of StableHLO and XLA.
#include "frontend/hlo/processes/communication.h"

#include "tests/frontend/hlo/graph_builder.h"
#include "tests/frontend/hlo/grid_graph.h"

namespace halyard::hlo {
namespace {

AttrMap Groups(IntLists groups, int64_t channel = 0, bool global = false) {
  AttrMap attrs;
  if (!groups.empty()) attrs.Set(Attr::kReplicaGroups, std::move(groups));
  if (channel != 0) attrs.Set(Attr::kChannelId, channel);
  if (global) attrs.Set(Attr::kUseGlobalDeviceIds, true);
  return attrs;
}

using Strings = std::vector<std::string>;

// Runs the op with one argument per process.
Strings Collective(Opcode opcode, GridShape grid, const Literals& arguments, AttrMap attrs,
                   Shape given = {}, bool adds = false) {
  GridGraph g(grid.replicas, grid.partitions);
  Instruction* x = g.Param(arguments[0].shape());
  std::vector<Computation*> called;
  if (adds) called.push_back(g.Body2(Opcode::kAdd, arguments[0].shape().element_type()));
  g.Op(opcode, {x}, std::move(attrs), called, std::move(given));
  std::vector<Literals> lists;
  for (const Literal& argument : arguments) lists.push_back({argument});
  return g.Texts(lists);
}

std::string GroupText(const Instruction& inst, GridShape grid) {
  std::string text;
  for (const ProcessGroup& group : GroupsOf(inst, grid)) {
    text += "[";
    for (ProcessId id : group) text += id.ToString();
    text += "]";
  }
  return text;
}

std::string Grouped(Opcode opcode, AttrMap attrs, GridShape grid) {
  Instruction inst{.opcode = opcode, .attrs = std::move(attrs)};
  return GroupText(inst, grid);
}

TEST(GroupsTest, AllStrategies) {
  EXPECT_EQ(Grouped(Opcode::kAllReduce, Groups({{0, 1}, {2, 3}}), {4, 2}),
            "[(0, 0)(1, 0)][(0, 1)(1, 1)][(2, 0)(3, 0)][(2, 1)(3, 1)]");
  EXPECT_EQ(Grouped(Opcode::kAllToAll, Groups({{0, 1}}, 1), {4, 2}),
            "[(0, 0)(0, 1)][(1, 0)(1, 1)][(2, 0)(2, 1)][(3, 0)(3, 1)]");
  EXPECT_EQ(Grouped(Opcode::kAllReduce, Groups({{0, 1}, {2, 3}}, 1), {4, 2}),
            "[(0, 0)(1, 0)(0, 1)(1, 1)][(2, 0)(3, 0)(2, 1)(3, 1)]");
  EXPECT_EQ(Grouped(Opcode::kAllReduce, Groups({{0, 1, 2, 3}, {4, 5, 6, 7}}, 1, true), {4, 2}),
            "[(0, 0)(0, 1)(1, 0)(1, 1)][(2, 0)(2, 1)(3, 0)(3, 1)]");
}

TEST(GroupsTest, NoneAreOneOfAll) {
  EXPECT_EQ(Grouped(Opcode::kAllGather, {}, {3, 1}), "[(0, 0)(1, 0)(2, 0)]");
  EXPECT_EQ(Grouped(Opcode::kAllGather, Groups({}, 1), {1, 2}), "[(0, 0)(0, 1)]");
  EXPECT_EQ(Grouped(Opcode::kAllGather, Groups({}, 1, true), {2, 2}), "[(0, 0)(0, 1)(1, 0)(1, 1)]");
  EXPECT_EQ(Grouped(Opcode::kCollectivePermute, {}, {3, 1}), "");
}

TEST(CollectiveTest, AllGather) {
  AttrMap attrs = Groups({{0, 1}});
  attrs.Set(Attr::kDimensions, Ints{1});
  EXPECT_EQ(Collective(Opcode::kAllGather, {2, 1},
                       {S32({2, 2}, {1, 2, 3, 4}), S32({2, 2}, {5, 6, 7, 8})}, attrs),
            Strings(2, "{ {1, 2, 5, 6}, {3, 4, 7, 8} }"));
  attrs = Groups({{0, 2}, {1, 3}});
  attrs.Set(Attr::kDimensions, Ints{0});
  EXPECT_EQ(Collective(Opcode::kAllGather, {4, 1},
                       {F32({1}, {0}), F32({1}, {1}), F32({1}, {2}), F32({1}, {3})}, attrs),
            (Strings{"{0, 2}", "{1, 3}", "{0, 2}", "{1, 3}"}));
  attrs = Attrs({{Attr::kDimensions, Ints{0}}});
  EXPECT_EQ(Collective(Opcode::kAllGather, {2, 1}, {F32({2}, {1, 2.5}), F32({2}, {3, 5.25})}, attrs,
                       Shape::Array(ElementType::kF32, {4})),
            Strings(2, "{1, 2.5, 3, 5.25}"));
}

// With a channel, each replica stands for all its partitions: 2 × 2 processes form one group of 4.
TEST(CollectiveTest, AllGatherAcrossPartitions) {
  AttrMap attrs = Groups({{0, 1}}, 1);
  attrs.Set(Attr::kDimensions, Ints{0});
  Literals arguments = {S32({1}, {0}), S32({1}, {1}), S32({1}, {2}), S32({1}, {3})};
  EXPECT_EQ(Collective(Opcode::kAllGather, {2, 2}, arguments, attrs,
                       Shape::Array(ElementType::kS32, {4})),
            Strings(4, "{0, 2, 1, 3}"));
  EXPECT_NE(Collective(Opcode::kAllGather, {2, 2}, arguments, attrs,
                       Shape::Array(ElementType::kS32, {2}))[0]
                .find("C6: dimension 0 of the result is 2, must be 4"),
            std::string::npos);
}

TEST(CollectiveTest, AllGatherOfSeveral) {
  GridGraph g(2, 1);
  Shape shape = Shape::Array(ElementType::kS32, {2, 2});
  Instruction* x = g.Param(shape);
  Instruction* y = g.Param(shape);
  AttrMap attrs = Groups({{0, 1}});
  attrs.Set(Attr::kDimensions, Ints{1});
  g.Op(Opcode::kAllGather, {x, y}, attrs);
  EXPECT_EQ(g.Texts({{S32({2, 2}, {1, 2, 3, 4}), S32({2, 2}, {11, 12, 13, 14})},
                     {S32({2, 2}, {5, 6, 7, 8}), S32({2, 2}, {15, 16, 17, 18})}}),
            Strings(2, "({ {1, 2, 5, 6}, {3, 4, 7, 8} }, { {11, 12, 15, 16}, {13, 14, 17, 18} })"));
}

TEST(CollectiveTest, AllReduce) {
  EXPECT_EQ(Collective(Opcode::kAllReduce, {2, 1}, {S64({4}, {1, 2, 3, 4}), S64({4}, {5, 6, 7, 8})},
                       Groups({{0, 1}}), {}, true),
            Strings(2, "{6, 8, 10, 12}"));
  EXPECT_EQ(Collective(Opcode::kAllReduce, {2, 1}, {F32({2}, {1, 2.5}), F32({2}, {3, 5.25})}, {},
                       {}, true),
            Strings(2, "{4, 7.75}"));
}

// The body may use a wider type than the operands and need not commute. Computes a - b in the
// group's order.
TEST(CollectiveTest, AllReducePromotesAndKeepsTheOrder) {
  GridGraph g(3, 1);
  Instruction* x = g.Param(Shape::Array(ElementType::kS8, {1}));
  g.Op(Opcode::kAllReduce, {x}, Groups({{2, 0, 1}}),
       {g.Body2(Opcode::kSubtract, ElementType::kS32)});
  EXPECT_EQ(g.current->root()->shape.ToString(), "s32[1]");
  auto s8 = [](double value) { return Array(ElementType::kS8, {1}, {value}); };
  EXPECT_EQ(g.Texts({{s8(100)}, {s8(100)}, {s8(-100)}}), Strings(3, "{-300}"));
}

TEST(CollectiveTest, AllReduceOfSeveral) {
  GridGraph g(2, 1);
  Shape shape = Shape::Array(ElementType::kS64, {4});
  Instruction* x = g.Param(shape);
  Instruction* y = g.Param(shape);
  g.Op(Opcode::kAllReduce, {x, y}, Groups({{0, 1}}), {g.Body2(Opcode::kAdd, ElementType::kS64)});
  EXPECT_EQ(g.Texts({{S64({4}, {1, 2, 3, 4}), S64({4}, {9, 10, 11, 12})},
                     {S64({4}, {5, 6, 7, 8}), S64({4}, {13, 14, 15, 16})}}),
            Strings(2, "({6, 8, 10, 12}, {22, 24, 26, 28})"));
}

AttrMap Split(int64_t split, int64_t concat, int64_t count, AttrMap attrs) {
  attrs.Set(Attr::kSplitDimension, split);
  attrs.Set(Attr::kConcatDimension, concat);
  attrs.Set(Attr::kSplitCount, count);
  return attrs;
}

TEST(CollectiveTest, AllToAll) {
  GridGraph g(2, 1);
  Shape shape = Shape::Array(ElementType::kS32, {2, 4});
  Instruction* x = g.Param(shape);
  Instruction* y = g.Param(shape);
  g.Op(Opcode::kAllToAll, {x, y}, Split(1, 0, 2, Groups({{0, 1}})));
  EXPECT_EQ(
      g.Texts({{Counting(ElementType::kS32, {2, 4}, 1), Counting(ElementType::kS32, {2, 4}, 17)},
               {Counting(ElementType::kS32, {2, 4}, 9), Counting(ElementType::kS32, {2, 4}, 25)}}),
      (Strings{"({ {1, 2}, {5, 6}, {9, 10}, {13, 14} }, "
               "{ {17, 18}, {21, 22}, {25, 26}, {29, 30} })",
               "({ {3, 4}, {7, 8}, {11, 12}, {15, 16} }, "
               "{ {19, 20}, {23, 24}, {27, 28}, {31, 32} })"}));
}

// Blocks are in the order in which the group lists its members.
TEST(CollectiveTest, AllToAllInTheGroupsOrder) {
  Literals arguments;
  for (int i = 0; i < 6; ++i) arguments.push_back(S32({3}, {10.0 * i, 10.0 * i + 1, 10.0 * i + 2}));
  EXPECT_EQ(Collective(Opcode::kAllToAll, {6, 1}, arguments,
                       Split(0, 0, 3, Groups({{1, 2, 3}, {4, 5, 0}}))),
            (Strings{"{42, 52, 2}", "{10, 20, 30}", "{11, 21, 31}", "{12, 22, 32}", "{40, 50, 0}",
                     "{41, 51, 1}"}));
}

// XLA's text has one dimension for both, or as many operands as there are members.
TEST(CollectiveTest, AllToAllInXlasForms) {
  AttrMap attrs = Groups({{0, 1}}, 1);
  attrs.Set(Attr::kDimensions, Ints{0});
  EXPECT_EQ(Collective(Opcode::kAllToAll, {1, 2}, {S32({2}, {0, 1}), S32({2}, {2, 3})}, attrs),
            (Strings{"{0, 2}", "{1, 3}"}));
  GridGraph g(2, 1);
  Instruction* x = g.Param(Shape::Scalar(ElementType::kS32));
  Instruction* y = g.Param(Shape::Scalar(ElementType::kS32));
  g.Op(Opcode::kAllToAll, {x, y});
  EXPECT_EQ(g.Texts({{S32({}, {1}), S32({}, {2})}, {S32({}, {3}), S32({}, {4})}}),
            (Strings{"(1, 3)", "(2, 4)"}));
}

TEST(CollectiveTest, ReduceScatter) {
  AttrMap attrs = Groups({{0, 1}});
  attrs.Set(Attr::kDimensions, Ints{1});
  EXPECT_EQ(
      Collective(Opcode::kReduceScatter, {2, 1},
                 {Counting(ElementType::kS64, {2, 4}, 1), Counting(ElementType::kS64, {2, 4}, 9)},
                 attrs, {}, true),
      (Strings{"{ {10, 12}, {18, 20} }", "{ {14, 16}, {22, 24} }"}));
  attrs = Attrs({{Attr::kDimensions, Ints{0}}});
  EXPECT_EQ(Collective(Opcode::kReduceScatter, {2, 1}, {F32({2}, {1, 2.25}), F32({2}, {3, 5.25})},
                       attrs, Shape::Array(ElementType::kF32, {1}), true),
            (Strings{"{4}", "{7.5}"}));
}

AttrMap PairsOf(IntLists pairs, int64_t channel = 0) {
  AttrMap attrs = Groups({}, channel);
  attrs.Set(Attr::kSourceTargetPairs, std::move(pairs));
  return attrs;
}

TEST(CollectiveTest, CollectivePermute) {
  Literals arguments = {S32({2, 2}, {1, 2, 3, 4}), S32({2, 2}, {5, 6, 7, 8}),
                        S32({2, 2}, {9, 10, 11, 12})};
  Strings moved = {"{ {0, 0}, {0, 0} }", "{ {1, 2}, {3, 4} }", "{ {5, 6}, {7, 8} }"};
  EXPECT_EQ(Collective(Opcode::kCollectivePermute, {3, 1}, arguments, PairsOf({{0, 1}, {1, 2}})),
            moved);
  EXPECT_EQ(Collective(Opcode::kCollectivePermute, {1, 3}, arguments, PairsOf({{0, 1}, {1, 2}}, 1)),
            moved);
  EXPECT_EQ(Collective(Opcode::kCollectivePermute, {2, 1}, {F32({}, {1}), F32({}, {2})},
                       PairsOf({{0, 1}, {1, 0}})),
            (Strings{"2", "1"}));
}

TEST(CollectiveTest, CollectiveBroadcast) {
  EXPECT_EQ(Collective(Opcode::kCollectiveBroadcast, {4, 1},
                       {S64({1, 2}, {1, 2}), S64({1, 2}, {3, 4}), S64({1, 2}, {5, 6}),
                        S64({1, 2}, {7, 8})},
                       Groups({{2, 1}})),
            (Strings{"{ {0, 0} }", "{ {5, 6} }", "{ {5, 6} }", "{ {0, 0} }"}));
}

TEST(CollectiveTest, Ids) {
  GridGraph g(2, 3);
  g.Op(Opcode::kTuple, {g.Op(Opcode::kReplicaId, {}), g.Op(Opcode::kPartitionId, {})});
  EXPECT_EQ(g.Texts({{}}), (Strings{"(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)", "(1, 1)", "(1, 2)"}));
  // A single evaluator is process 0 of 1.
  EXPECT_EQ(Text(Opcode::kReplicaId, {}), "0");
  EXPECT_EQ(Text(Opcode::kCollectivePermute, {F32({}, {3})}, PairsOf({{0, 0}})), "3");
  EXPECT_EQ(Text(Opcode::kCollectivePermute, {F32({}, {3})}, PairsOf({})), "0");
}

// In loops with equally many iterations, processes communicate in each iteration.
TEST(CollectiveTest, InLoops) {
  GridGraph g(3, 1);
  Shape s32 = Shape::Scalar(ElementType::kS32);
  Shape state = Shape::Tuple({s32, s32});
  Computation* condition = g.Body("condition", [&] {
    g.Op(Opcode::kCompare, {g.Element(g.Param(state), 0), g.Const(S32({}, {4}))},
         Attrs({{Attr::kDirection, std::string("LT")}}));
  });
  Computation* add = g.Body2(Opcode::kAdd, ElementType::kS32);
  Computation* body = g.Body("body", [&] {
    Instruction* s = g.Param(state);
    Instruction* i = g.Op(Opcode::kAdd, {g.Element(s, 0), g.Const(S32({}, {1}))});
    g.Op(Opcode::kTuple, {i, g.Op(Opcode::kAllReduce, {g.Element(s, 1)}, {}, {add})});
  });
  Instruction* x = g.Param(s32);
  g.Op(Opcode::kWhile, {g.Op(Opcode::kTuple, {g.Const(S32({}, {0})), x})}, {}, {condition, body});
  // The sum is 6 after the first iteration, and each of the other three multiplies it by 3.
  EXPECT_EQ(g.Texts({{S32({}, {1})}, {S32({}, {2})}, {S32({}, {3})}}), Strings(3, "(4, 162)"));
}

}  // namespace
}  // namespace halyard::hlo
