// Checks one wrong op for each labelled constraint of the communication ops.
#include "absl/strings/match.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo/processes/transfer_pairs.h"
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

const Shape kToken = Shape::Token(), kU32 = Shape::Scalar(ElementType::kU32);
Shape F(std::vector<int64_t> dims) { return Shape::Array(ElementType::kF32, std::move(dims)); }

struct Wrong {
  std::string label;
  Opcode opcode;
  std::vector<Shape> operands;
  Shape result;
  AttrMap attrs;
  GridShape grid = {2, 1};
  Opcode body = Opcode::kAdd;
  ElementType body_type = ElementType::kF32;
};

AttrMap Groups(IntLists groups, AttrMap attrs = {}) {
  attrs.Set(Attr::kReplicaGroups, std::move(groups));
  return attrs;
}
AttrMap Dim(int64_t dim, AttrMap attrs = {}) {
  attrs.Set(Attr::kDimensions, Ints{dim});
  return attrs;
}
AttrMap Global(AttrMap attrs, int64_t channel = 0) {
  attrs.Set(Attr::kUseGlobalDeviceIds, true);
  if (channel != 0) attrs.Set(Attr::kChannelId, channel);
  return attrs;
}
AttrMap Split(int64_t split, int64_t concat, int64_t count, AttrMap attrs = {}) {
  attrs.Set(Attr::kSplitDimension, split);
  attrs.Set(Attr::kConcatDimension, concat);
  attrs.Set(Attr::kSplitCount, count);
  return attrs;
}
AttrMap PairsOf(IntLists pairs) { return Attrs({{Attr::kSourceTargetPairs, std::move(pairs)}}); }
AttrMap Channel(const char* type, bool host) {
  return Attrs({{Attr::kChannelType, std::string(type)}, {Attr::kIsHostTransfer, host}});
}

// Returns the message of the verifier.
std::string Verified(const Wrong& test) {
  Graph g;
  g.module.num_replicas = test.grid.replicas;
  g.module.num_partitions = test.grid.partitions;
  std::vector<Instruction*> operands;
  for (const Shape& shape : test.operands) operands.push_back(g.Param(shape));
  std::vector<Computation*> called;
  if (!RowOf(test.opcode).called.empty()) called.push_back(g.Body2(test.body, test.body_type));
  g.current->set_root(
      g.current->Add(test.opcode, test.result, operands, test.attrs, called, "the_op"));
  return std::string(VerifyModule(g.module).message());
}

void ExpectLabel(const Wrong& test) {
  std::string error = Verified(test);
  std::string begin =
      absl::StrCat("error: ", RowOf(test.opcode).hlo_name, " the_op: ", test.label, ":");
  EXPECT_TRUE(absl::StartsWith(error, begin)) << begin << "\n" << error;
}

TEST(CommunicationConstraints, TheRightOnes) {
  const Wrong right[] = {
      {"", Opcode::kAllGather, {F({2})}, F({4}), Dim(0, Groups({{0, 1}}))},
      {"", Opcode::kAllGather, {F({0})}, F({0}), Dim(0)},
      {"", Opcode::kAllReduce, {F({2})}, F({2}), Groups({{0}, {1}})},
      {"", Opcode::kReduceScatter, {F({4})}, F({2}), Dim(0)},
      {"", Opcode::kAllToAll, {F({4, 16})}, F({16, 4}), Split(1, 0, 4), {4, 1}},
      {"", Opcode::kCollectivePermute, {F({})}, F({}), PairsOf({{1, 0}})},
      {"", Opcode::kCollectiveBroadcast, {F({})}, F({}), Groups({{1}})},
      {"",
       Opcode::kSend,
       {F({}), kToken},
       Shape::Tuple({F({}), kU32, kToken}),
       Channel("DEVICE_TO_HOST", true)},
      {"",
       Opcode::kRecv,
       {kToken},
       Shape::Tuple({F({}), kU32, kToken}),
       Channel("DEVICE_TO_DEVICE", false)},
  };
  for (const Wrong& test : right) EXPECT_EQ(Verified(test), "");
}

// A module may state any grid. 274177 · 67280421310721 is 2^64 + 1, 2^32 · 2^32 is 2^64.
TEST(CommunicationConstraints, GridsBeyond64Bits) {
  const Opcode reduce = Opcode::kAllReduce, gather = Opcode::kAllGather;
  const int64_t large = int64_t{1} << 32, channel = 1;
  const GridShape wraps = {274177, 67280421310721};
  ExpectLabel({"C3", reduce, {F({2})}, F({2}), Groups({{0, 274177}}), wraps});
  ExpectLabel({"C2", reduce, {F({2})}, F({2}), Global(Groups({{0}}), channel), wraps});
  ExpectLabel({"C2", reduce, {F({2})}, F({2}), Global(Groups({{0}}), channel), {large, large}});
  Wrong all = {"C6", gather, {F({2})}, F({4}), Dim(0, Groups({{0, 1, 2, 3}})), {4, large << 30}};
  all.attrs.Set(Attr::kChannelId, channel);
  ExpectLabel(all);
}

TEST(CommunicationConstraints, AllGather) {
  const Opcode op = Opcode::kAllGather;
  ExpectLabel({"C1", op, {F({2})}, F({4}), Dim(1)});
  ExpectLabel({"C1", op, {F({2})}, F({4}), Dim(-1)});
  ExpectLabel({"C2", op, {F({2})}, F({4}), Dim(0, Groups({{0, 0}}))});
  ExpectLabel({"C3", op, {F({2})}, F({2}), Dim(0, Groups({{0}}))});
  ExpectLabel({"C4", op, {F({2})}, F({4}), Dim(0, Groups({{0, 2}}))});
  ExpectLabel({"C4", op, {F({2})}, F({4}), Dim(0, Groups({{0, -1}}))});
  ExpectLabel({"C5", op, {F({2})}, F({4}), Global(Dim(0))});
  ExpectLabel({"C6", op, {F({2})}, F({6}), Dim(0)});
  ExpectLabel({"C6", op, {F({2})}, F({5}), Dim(0)});
  ExpectLabel({"C6", op, {F({2, 3})}, F({4, 4}), Dim(0)});
  ExpectLabel({"C6", op, {F({2})}, Shape::Array(ElementType::kF64, {4}), Dim(0)});
  ExpectLabel({"C6", op, {F({2})}, F({4}), Dim(0, Groups({{0, 1}, {2}})), {3, 1}});
  // With flattened_ids, the ids are those of processes. With only a channel, they are replica ids.
  ExpectLabel({"C3", op, {F({2})}, F({4}), Global(Dim(0, Groups({{0, 1}})), 1), {2, 2}});
  Wrong replicas = {"C6", op, {F({2})}, F({4}), Dim(0, Groups({{0, 1}})), {2, 2}};
  replicas.attrs.Set(Attr::kChannelId, int64_t{1});
  ExpectLabel(replicas);
}

TEST(CommunicationConstraints, AllReduce) {
  const Opcode op = Opcode::kAllReduce;
  ExpectLabel({"C1", op, {F({2})}, F({2}), Groups({{0, 1}, {1}})});
  ExpectLabel({"C2", op, {F({2})}, F({2}), Groups({{0}})});
  ExpectLabel({"C3", op, {F({2})}, F({2}), Groups({{0, 2}})});
  ExpectLabel({"C3", op, {F({2})}, F({2}), Groups({{0, -1, -1}})});
  ExpectLabel({"replica_groups", op, {F({2})}, F({2}), Groups({{0, 1}, {}})});
  ExpectLabel({"C4", op, {F({2})}, F({2}), Global({})});
  ExpectLabel({"C5", op, {F({2})}, F({2}), {}, {2, 1}, Opcode::kAdd, ElementType::kS32});
  ExpectLabel({"C5", op, {F({2})}, F({2}), {}, {2, 1}, Opcode::kAdd, ElementType::kF16});
  ExpectLabel({"C6", op, {F({2})}, F({3}), {}});
  ExpectLabel({"C7", op, {F({2})}, F({2}), {}, {2, 1}, Opcode::kAdd, ElementType::kF64});
}

TEST(CommunicationConstraints, ReduceScatter) {
  const Opcode op = Opcode::kReduceScatter;
  ExpectLabel({"C1", op, {F({3})}, F({1}), Dim(0)});
  ExpectLabel({"C1", op, {F({3})}, F({1}), Dim(0, Groups({{0, 1}}))});
  ExpectLabel({"C2", op, {F({4})}, F({2}), Dim(1)});
  ExpectLabel({"C3", op, {F({4})}, F({2}), Dim(0, Groups({{0, 0}}))});
  ExpectLabel({"C4", op, {F({4})}, F({4}), Dim(0, Groups({{0}}))});
  ExpectLabel({"C5", op, {F({4})}, F({2}), Dim(0, Groups({{0, 2}}))});
  ExpectLabel({"C6", op, {F({4})}, F({2}), Global(Dim(0))});
  ExpectLabel({"C7", op, {F({4})}, F({2}), Dim(0), {2, 1}, Opcode::kAdd, ElementType::kF16});
  ExpectLabel({"C8", op, {F({4})}, F({1}), Dim(0)});
  ExpectLabel({"C8", op, {F({4})}, F({3}), Dim(0)});
  ExpectLabel({"C9", op, {F({4})}, F({2}), Dim(0), {2, 1}, Opcode::kAdd, ElementType::kF64});
}

TEST(CommunicationConstraints, AllToAll) {
  const Opcode op = Opcode::kAllToAll;
  ExpectLabel({"C1", op, {F({4})}, F({4}), Split(1, 0, 2)});
  ExpectLabel({"C2", op, {F({3})}, F({3}), Split(0, 0, 2)});
  ExpectLabel({"C3", op, {F({4})}, F({4}), Split(0, 1, 2)});
  ExpectLabel({"C4", op, {F({4})}, F({4}), Split(0, 0, 0)});
  ExpectLabel({"C5", op, {F({4})}, F({4}), Split(0, 0, 2, Groups({{0, 0}}))});
  ExpectLabel({"C6", op, {F({4})}, F({4}), Split(0, 0, 2, Groups({{0, 1}})), {3, 1}});
  ExpectLabel({"C7", op, {F({4})}, F({4}), Split(0, 0, 2, Groups({{0, 2}}))});
  ExpectLabel({"C8", op, {F({4})}, F({4}), Split(0, 0, 4, Groups({{0, 1}}))});
  ExpectLabel({"C8", op, {F({4})}, F({4}), Split(0, 0, 4)});
  ExpectLabel({"C8", op, {F({}), F({}), F({})}, Shape::Tuple({F({}), F({}), F({})}), {}});
  ExpectLabel({"C9", op, {F({4, 4})}, F({4, 4}), Split(0, 1, 2)});
  ExpectLabel({"C9", op, {F({}), F({1})}, Shape::Tuple({F({}), F({1})}), {}});
  ExpectLabel({"C2", op, {F({3})}, F({3}), Dim(0)});
}

TEST(CommunicationConstraints, CollectivePermuteAndBroadcast) {
  const Opcode permute = Opcode::kCollectivePermute, broadcast = Opcode::kCollectiveBroadcast;
  ExpectLabel({"C1", permute, {F({})}, F({}), PairsOf({{0, 1, 0}})});
  ExpectLabel({"C2", permute, {F({})}, F({}), PairsOf({{0, 1}, {0, 0}})});
  ExpectLabel({"C3", permute, {F({})}, F({}), PairsOf({{0, 1}, {1, 1}})});
  ExpectLabel({"C4", permute, {F({})}, F({}), PairsOf({{0, 2}})});
  ExpectLabel({"C4", permute, {F({})}, F({}), PairsOf({{-1, 0}})});
  ExpectLabel({"C5", permute, {F({})}, F({1}), PairsOf({{0, 1}})});
  ExpectLabel({"C1", broadcast, {F({})}, F({}), Groups({{0, 0}})});
  ExpectLabel({"C2", broadcast, {F({})}, F({}), Groups({{2}})});
  ExpectLabel({"C3", broadcast, {F({})}, F({1}), {}});
}

TEST(CommunicationConstraints, HostAndChannels) {
  auto fed = [](Shape data) { return Shape::Tuple({std::move(data), kToken}); };
  ExpectLabel({"I1", Opcode::kInfeed, {F({})}, fed(F({})), {}});
  ExpectLabel({"C1", Opcode::kInfeed, {kToken}, Shape::Tuple({}), {}});
  ExpectLabel({"C2", Opcode::kInfeed, {kToken}, fed(Shape::Tuple({kToken})), {}});
  ExpectLabel({"C3", Opcode::kInfeed, {kToken}, Shape::Tuple({F({}), F({})}), {}});
  ExpectLabel({"I1", Opcode::kOutfeed, {kToken, kToken}, kToken, {}});
  ExpectLabel({"I2", Opcode::kOutfeed, {F({}), F({})}, kToken, {}});
  Shape started = Shape::Tuple({F({}), kU32, kToken});
  ExpectLabel({"I1", Opcode::kSend, {kToken, kToken}, started, {}});
  ExpectLabel({"I2", Opcode::kSend, {F({}), F({})}, started, {}});
  ExpectLabel({"C1", Opcode::kSend, {F({}), kToken}, started, Channel("DEVICE_TO_HOST", false)});
  ExpectLabel({"C1", Opcode::kSend, {F({}), kToken}, started, Channel("HOST_TO_DEVICE", true)});
  ExpectLabel({"I1", Opcode::kRecv, {F({})}, started, {}});
  ExpectLabel({"C1", Opcode::kRecv, {kToken}, started, Channel("DEVICE_TO_DEVICE", true)});
  ExpectLabel({"C2", Opcode::kRecv, {kToken}, Shape::Tuple({}), {}});
  ExpectLabel({"C3", Opcode::kRecv, {kToken}, Shape::Tuple({kToken, kU32, kToken}), {}});
  ExpectLabel({"C4", Opcode::kRecv, {kToken}, Shape::Tuple({F({}), kU32, F({})}), {}});
  ExpectLabel({"I1", Opcode::kSendDone, {started}, kToken, {}});
  ExpectLabel({"I1", Opcode::kRecvDone, {started}, Shape::Tuple({F({}), kToken}), {}});
}

// A module may state any grid, of more processes than there are numbers.
TEST(CommunicationConstraints, HugeGrids) {
  Wrong test = {"",
                Opcode::kAllGather,
                {F({2})},
                F({4}),
                Global(Dim(0, Groups({{0, 1}})), 1),
                {4000000000, 4000000000}};
  EXPECT_EQ(Verified(test),
            "error: all-gather the_op: C3: replica_groups has 2 ids, the program has 4000000000 x "
            "4000000000 processes");
  test.attrs = Global(Dim(0), 1);
  EXPECT_EQ(Verified(test),
            "error: all-gather the_op: C6: dimension 0 of the result is 4, must be too many "
            "for groups of too many processes");
}

// The grid has two replicas and one partition, and a channel above 0 means partitions.
TEST(CommunicationConstraints, PairsOfTransfers) {
  const Shape started = Shape::Tuple({F({}), kU32, kToken});
  const auto paired = [](const char* pairs, int64_t channel = 0) {
    return Attrs({{Attr::kChannelId, channel},
                  {Attr::kFrontendAttributes, absl::StrCat("{", kTransferPairs, "=", pairs, "}")}});
  };
  for (const char* pairs : {"{{0,1},{0,0}}", "{{0,1},{1,1}}", "{{0,2}}", "{{-1,0}}", "{{0,1,2}}",
                            "{{0},{1}}", "{0,1}", "{{0,x}}", "\"text\""}) {
    ExpectLabel({"source_target_pairs", Opcode::kSend, {F({}), kToken}, started, paired(pairs)});
    ExpectLabel({"source_target_pairs", Opcode::kRecv, {kToken}, started, paired(pairs)});
  }
  ExpectLabel({"source_target_pairs", Opcode::kRecv, {kToken}, started, paired("{{0,1}}", 1)});
  EXPECT_EQ(Verified({"", Opcode::kRecv, {kToken}, started, paired("{{0,1}}")}), "");
  // The host is the other end.
  AttrMap host = paired("{{0,7}}", 1);
  host.Set(Attr::kIsHostTransfer, true);
  EXPECT_EQ(Verified({"", Opcode::kRecv, {kToken}, started, host}), "");
}

TEST(CommunicationConstraints, DoneIsOfTheSameChannel) {
  Graph g;
  Instruction* send = g.Op(Opcode::kSend, {g.Param(F({})), g.Param(kToken)},
                           Attrs({{Attr::kChannelId, int64_t{3}}}));
  absl::StatusOr<Shape> other =
      g.Infer(Opcode::kSendDone, {send}, Attrs({{Attr::kChannelId, int64_t{4}}}));
  EXPECT_TRUE(absl::StartsWith(other.status().message(), "channel: ")) << other.status();
  EXPECT_TRUE(g.Infer(Opcode::kSendDone, {send}).ok());
}

}  // namespace
}  // namespace halyard::hlo
