#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo/processes/process_grid.h"
#include "frontend/hlo/processes/transfer_pairs.h"
#include "tests/frontend/hlo/graph_builder.h"
#include "tests/frontend/hlo/grid_graph.h"

namespace halyard::hlo {
namespace {

using Strings = std::vector<std::string>;

// Runs while (i < replica + 1) { sum = all-reduce(sum); i += 1 }: replica 1 calls all-reduce once
// more than replica 0.
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
  EXPECT_FALSE(g.Run({}).ok());  // a single evaluator has no host
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

// Replica 0 sends its argument, and replica 1 receives it. Both return the value that they have.
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
  // Either process may be the first to fail.
  EXPECT_NE(error.find(", 0) is the receiver of channel 5"), std::string::npos) << error;
  GridGraph alone(1, 1);
  AddTransfer(alone, false);
  error = alone.Texts({{F32({}, {7})}})[0];
  EXPECT_NE(error.find("deadlock: process (0, 0) waits at recv"), std::string::npos) << error;
  EXPECT_NE(error.find("for a send on channel 5"), std::string::npos) << error;
}

// Each process receives, and sends its argument, which comes later in the text.
void AddPairs(GridGraph& g, int64_t channel, const std::string& pairs) {
  AttrMap attrs = ChannelOf(channel);
  attrs.Set(Attr::kFrontendAttributes,
            absl::StrCat("{_xla_send_recv_pipeline=\"0\", ", kTransferPairs, "=", pairs, "}"));
  const Shape f32 = Shape::Scalar(ElementType::kF32);
  Instruction* x = g.Param(f32);
  Instruction* token = g.Op(Opcode::kAfterAll, {});
  Instruction* recv = g.Op(Opcode::kRecv, {token}, attrs, {}, Received(f32));
  Instruction* done = g.Op(Opcode::kRecvDone, {recv}, ChannelOf(channel));
  Instruction* send = g.Op(Opcode::kSend, {x, token}, attrs);
  g.Op(Opcode::kSendDone, {send}, ChannelOf(channel));
  g.Element(done, 0);
}

struct Paired {
  int64_t replicas, partitions, channel;
  std::string pairs;
  Strings results;  // of the arguments 7, 8, …
};

// Without a channel above 0, ids are replicas, and with one, partitions.
TEST(ChannelTest, PairsSayWhoSendsToWhom) {
  const Paired cases[] = {{3, 1, 0, "{{0,1},{1,2}}", {"0", "7", "8"}},
                          {1, 3, 4, "\"{{0, 1}, {1, 2}, {2, 0}}\"", {"9", "7", "8"}},
                          {2, 2, 0, "{{1,0}}", {"9", "10", "0", "0"}},
                          {2, 2, 5, "{{1,0}}", {"8", "0", "10", "0"}},
                          {1, 1, 1, "{{0,0}}", {"7"}},
                          {2, 1, 0, "{}", {"0", "0"}}};
  for (const Paired& test : cases) {
    GridGraph g(test.replicas, test.partitions);
    AddPairs(g, test.channel, test.pairs);
    std::vector<Literals> arguments;
    for (size_t i = 0; i < test.results.size(); ++i)
      arguments.push_back({F32({}, {7.0 + static_cast<double>(i)})});
    EXPECT_EQ(g.Texts(arguments), test.results) << test.pairs;
    // Conditionals of sends and receives without pairs do the same.
    ASSERT_TRUE(ExpandTransferPairs(&g.module).ok());
    for (const auto& computation : g.module.computations()) {
      for (const auto& inst : computation->instructions())
        EXPECT_FALSE(inst->Has(Attr::kFrontendAttributes)) << inst->name;
    }
    EXPECT_EQ(g.Texts(arguments), test.results) << test.pairs << " as conditionals";
  }
}

TEST(ChannelTest, PairsOfDataWithoutADone) {
  GridGraph g(2, 1);
  AttrMap attrs = ChannelOf(1);
  attrs.Set(Attr::kFrontendAttributes, absl::StrCat("{", kTransferPairs, "={{0,1}}}"));
  Instruction* x = g.Param(Shape::Scalar(ElementType::kF32));
  g.Op(Opcode::kSend, {x, g.Op(Opcode::kAfterAll, {})}, attrs);
  EXPECT_NE(ExpandTransferPairs(&g.module).message().find("it can be used by one done only"),
            absl::string_view::npos);
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
