// Groups of processes, collectives and channels on the reference. Expected values are those of the
// StableHLO and XLA documents.
#include "frontend/hlo/processes/communication.h"

#include "frontend/hlo/processes/process_grid.h"
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

using Literals = std::vector<Literal>;

AttrMap Groups(IntLists groups, int64_t channel = 0, bool global = false) {
  AttrMap attrs;
  if (!groups.empty()) attrs.Set(Attr::kReplicaGroups, std::move(groups));
  if (channel != 0) attrs.Set(Attr::kChannelId, channel);
  if (global) attrs.Set(Attr::kUseGlobalDeviceIds, true);
  return attrs;
}

// A graph that runs as replicas × partitions.
class GridGraph : public Graph {
 public:
  GridGraph(int64_t replicas, int64_t partitions) {
    module.num_replicas = replicas;
    module.num_partitions = partitions;
  }

  absl::StatusOr<Literals> RunAll(const std::vector<Literals>& arguments,
                                  std::vector<ProcessHost>* hosts = nullptr) {
    if (absl::Status status = VerifyModule(module); !status.ok()) return status;
    return RunGrid(module, arguments, {.hosts = hosts, .max_loop_iterations = 1000});
  }
  // The results' texts, or the error.
  std::vector<std::string> Texts(const std::vector<Literals>& arguments,
                                 std::vector<ProcessHost>* hosts = nullptr) {
    absl::StatusOr<Literals> results = RunAll(arguments, hosts);
    if (!results.ok()) return {std::string(results.status().message())};
    std::vector<std::string> texts;
    for (const Literal& result : *results) texts.push_back(result.ToString());
    return texts;
  }
};

using Strings = std::vector<std::string>;

// The op on one argument per process.
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

// With a channel each replica stands for all its partitions: 2 x 2 of them make a group of 4.
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

// The body may be wider than the operands, and need not commute: a - b in the group's order.
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

// Blocks come in the order in which the group lists its members.
TEST(CollectiveTest, AllToAllInTheGroupsOrder) {
  Literals arguments;
  for (int i = 0; i < 6; ++i) arguments.push_back(S32({3}, {10.0 * i, 10.0 * i + 1, 10.0 * i + 2}));
  EXPECT_EQ(Collective(Opcode::kAllToAll, {6, 1}, arguments,
                       Split(0, 0, 3, Groups({{1, 2, 3}, {4, 5, 0}}))),
            (Strings{"{42, 52, 2}", "{10, 20, 30}", "{11, 21, 31}", "{12, 22, 32}", "{40, 50, 0}",
                     "{41, 51, 1}"}));
}

// XLA's text has one dimension for both, or as many operands as members.
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
  // An evaluator on its own is the first of one.
  EXPECT_EQ(Text(Opcode::kReplicaId, {}), "0");
  EXPECT_EQ(Text(Opcode::kCollectivePermute, {F32({}, {3})}, PairsOf({{0, 0}})), "3");
  EXPECT_EQ(Text(Opcode::kCollectivePermute, {F32({}, {3})}, PairsOf({})), "0");
}

// while (i < replica + 1) { sum = all-reduce(sum); i += 1 }: replica 1 calls once more.
TEST(DeadlockTest, IsAnErrorThatSaysWhoWaits) {
  GridGraph g(2, 1);
  Shape u32 = Shape::Scalar(ElementType::kU32), f32 = Shape::Scalar(ElementType::kF32);
  Shape state = Shape::Tuple({u32, f32});
  auto one = [] { return Array(ElementType::kU32, {}, {1}); };
  Computation* condition = g.Body("condition", [&] {
    Instruction* s = g.Param(state);
    Instruction* limit = g.Op(Opcode::kAdd, {g.Op(Opcode::kReplicaId, {}), g.Const(one())});
    g.Op(Opcode::kCompare, {g.Element(s, 0), limit},
         Attrs({{Attr::kDirection, std::string("LT")}}));
  });
  Computation* add = g.Body2(Opcode::kAdd, ElementType::kF32);
  Computation* body = g.Body("body", [&] {
    Instruction* s = g.Param(state);
    Instruction* i = g.Op(Opcode::kAdd, {g.Element(s, 0), g.Const(one())});
    Instruction* sum = g.Op(Opcode::kAllReduce, {g.Element(s, 1)}, {}, {add});
    sum->name = "the_sum";
    g.Op(Opcode::kTuple, {i, sum});
  });
  Instruction* zero = g.Const(Array(ElementType::kU32, {}, {0}));
  g.Op(Opcode::kWhile, {g.Op(Opcode::kTuple, {zero, g.Const(F32({}, {1}))})}, {},
       {condition, body});
  absl::Status status = g.RunAll({{}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded) << status;
  EXPECT_EQ(status.message(),
            "deadlock: process (1, 0) waits at all-reduce the_sum for (0, 0); the others have "
            "ended");
}

// Loops that call equally often meet in each iteration.
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
  // 6, then three times as much each time.
  EXPECT_EQ(g.Texts({{S32({}, {1})}, {S32({}, {2})}, {S32({}, {3})}}), Strings(3, "(4, 162)"));
}

TEST(QueueTest, InfeedsInTurn) {
  GridGraph g(1, 1);
  Shape matrix = Shape::Array(ElementType::kS64, {2, 2});
  Shape result = Shape::Tuple({Shape::Tuple({matrix}), Shape::Token()});
  Instruction* first = g.Op(Opcode::kInfeed, {g.Op(Opcode::kAfterAll, {})}, {}, {}, result);
  Instruction* second = g.Op(Opcode::kInfeed, {g.Element(first, 1)}, {}, {}, result);
  Instruction* a = g.Element(g.Element(first, 0), 0);
  Instruction* b = g.Element(g.Element(second, 0), 0);
  Instruction* out = g.Op(Opcode::kOutfeed, {b, a, g.Element(second, 1)});
  g.Op(Opcode::kTuple, {a, b, out});
  std::vector<ProcessHost> hosts(1);
  hosts[0].infeed = {S64({2, 2}, {1, 2, 3, 4}), S64({2, 2}, {5, 6, 7, 8})};
  g.Texts({{}}, &hosts);
  ASSERT_EQ(hosts[0].outfeed.size(), 1u);
  EXPECT_EQ(hosts[0].outfeed[0].ToString(), "({ {5, 6}, {7, 8} }, { {1, 2}, {3, 4} })");
  EXPECT_TRUE(hosts[0].infeed.empty());
  EXPECT_NE(g.Texts({{}}, &hosts)[0].find("the infeed is empty"), std::string::npos);
  hosts[0].infeed = {S64({2}, {1, 2})};
  EXPECT_NE(g.Texts({{}}, &hosts)[0].find("the host gives s64[2], the program takes (s64[2,2])"),
            std::string::npos);
  EXPECT_FALSE(g.Run({}).ok());  // alone, there is no host
}

TEST(QueueTest, AnEmptyTupleReadsNothing) {
  GridGraph g(1, 1);
  g.Op(Opcode::kInfeed, {g.Op(Opcode::kAfterAll, {})}, {}, {},
       Shape::Tuple({Shape::Tuple({}), Shape::Token()}));
  g.Element(g.current->root(), 0);
  std::vector<ProcessHost> hosts(1);
  hosts[0].infeed = {F32({}, {1})};
  EXPECT_EQ(g.Texts({{}}, &hosts), Strings{"()"});
  EXPECT_EQ(hosts[0].infeed.size(), 1u);
}

AttrMap ChannelOf(int64_t id, bool host = false) {
  AttrMap attrs = Attrs({{Attr::kChannelId, id}});
  if (host) attrs.Set(Attr::kIsHostTransfer, true);
  return attrs;
}

Shape Received(const Shape& data) {
  return Shape::Tuple({data, Shape::Scalar(ElementType::kU32), Shape::Token()});
}

// Replica 0 sends its argument, replica 1 receives it; both give what they have.
void AddTransfer(GridGraph& g, bool send) {
  Shape f32 = Shape::Scalar(ElementType::kF32), pair = Shape::Tuple({f32, Shape::Token()});
  Computation* sender = g.Body("sender", [&] {
    Instruction* p = g.Param(pair);
    Instruction* started = g.Op(Opcode::kSend, {g.Element(p, 0), g.Element(p, 1)}, ChannelOf(5));
    g.Op(Opcode::kTuple, {g.Element(p, 0), g.Op(Opcode::kSendDone, {started}, ChannelOf(5))});
  });
  Computation* receiver = g.Body("receiver", [&] {
    Instruction* p = g.Param(pair);
    Instruction* started = g.Op(Opcode::kRecv, {g.Element(p, 1)}, ChannelOf(5), {}, Received(f32));
    g.Op(Opcode::kRecvDone, {started}, ChannelOf(5));
  });
  Instruction* x = g.Param(f32);
  Instruction* both = g.Op(Opcode::kTuple, {x, g.Op(Opcode::kAfterAll, {})});
  Instruction* id = g.Op(Opcode::kConvert, {g.Op(Opcode::kReplicaId, {})}, {}, {},
                         Shape::Scalar(ElementType::kS32));
  g.Op(Opcode::kConditional, {id, both, both}, {}, {send ? sender : receiver, receiver});
  g.Element(g.current->root(), 0);
}

TEST(ChannelTest, CarriesDataBetweenProcesses) {
  GridGraph g(2, 1);
  AddTransfer(g, true);
  EXPECT_EQ(g.Texts({{F32({}, {7})}, {F32({}, {8})}}), Strings(2, "7"));
}

TEST(ChannelTest, NobodySends) {
  GridGraph g(2, 1);
  AddTransfer(g, false);
  std::string error = g.Texts({{F32({}, {7})}, {F32({}, {8})}})[0];
  // Whichever comes first.
  EXPECT_NE(error.find(", 0) is the receiver of channel 5"), std::string::npos) << error;
  GridGraph alone(1, 1);
  AddTransfer(alone, false);
  error = alone.Texts({{F32({}, {7})}})[0];
  EXPECT_NE(error.find("deadlock: process (0, 0) waits at recv"), std::string::npos) << error;
  EXPECT_NE(error.find("for a send on channel 5"), std::string::npos) << error;
}

TEST(ChannelTest, OfTheHost) {
  GridGraph g(1, 1);
  Shape s32 = Shape::Scalar(ElementType::kS32);
  Instruction* recv =
      g.Op(Opcode::kRecv, {g.Op(Opcode::kAfterAll, {})}, ChannelOf(1, true), {}, Received(s32));
  Instruction* done = g.Op(Opcode::kRecvDone, {recv}, ChannelOf(1, true));
  Instruction* x = g.Element(done, 0);
  Instruction* sum = g.Op(Opcode::kAdd, {x, x});
  Instruction* send = g.Op(Opcode::kSend, {sum, g.Element(done, 1)}, ChannelOf(2, true));
  g.Op(Opcode::kTuple, {x, g.Op(Opcode::kSendDone, {send}, ChannelOf(2, true))});
  std::vector<ProcessHost> hosts(1);
  hosts[0].to_device[1] = {S32({}, {21})};
  g.Texts({{}}, &hosts);
  ASSERT_EQ(hosts[0].to_host[2].size(), 1u);
  EXPECT_EQ(hosts[0].to_host[2][0].ToString(), "42");
  EXPECT_NE(g.Texts({{}}, &hosts)[0].find("the host has nothing for channel 1"), std::string::npos);
}

TEST(GridTest, WrongGrids) {
  GridGraph g(2, 1);
  Instruction* x = g.Param(Shape::Scalar(ElementType::kF32));
  g.Op(Opcode::kNegate, {x});
  EXPECT_FALSE(NeedsGrid(g.module));
  EXPECT_EQ(g.Texts({{F32({}, {1})}}), Strings(2, "-1"));
  EXPECT_NE(g.Texts({{}, {}, {}})[0].find("needs arguments for 2 processes, has 3"),
            std::string::npos);
  EXPECT_NE(g.Texts({{F32({}, {1})}, {}})[0].find("process (1, 0): main takes 1 arguments"),
            std::string::npos);
  std::vector<ProcessHost> hosts(1);
  EXPECT_NE(g.Texts({{F32({}, {1})}}, &hosts)[0].find("needs 2 hosts"), std::string::npos);
  g.module.num_replicas = int64_t{1} << 40;
  g.module.num_partitions = int64_t{1} << 40;
  EXPECT_NE(g.Texts({{F32({}, {1})}})[0].find("processes are possible"), std::string::npos);
}

}  // namespace
}  // namespace halyard::hlo
