// Infeed and outfeed, channels, collectives.
#include "absl/strings/str_cat.h"
#include "frontend/builder/xla_builder.h"
#include "frontend/hlo/ir/sugar.h"

namespace halyard {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Ints;
using hlo::Opcode;

namespace {

AttrMap WithConfig(Attr attr, const std::string& config) {
  AttrMap attrs;
  if (!config.empty()) attrs.Set(attr, config);
  return attrs;
}

AttrMap WithChannel(const ChannelHandle& handle) {
  AttrMap attrs;
  attrs.Set(Attr::kChannelId, handle.handle);
  if (handle.type != ChannelHandle::DEVICE_TO_DEVICE) attrs.Set(Attr::kIsHostTransfer, true);
  return attrs;
}

AttrMap WithGroups(const ReplicaGroups& groups, std::optional<int64_t> channel_id,
                   bool use_global_device_ids = false) {
  AttrMap attrs;
  if (!groups.empty()) attrs.Set(Attr::kReplicaGroups, groups);
  if (channel_id.has_value()) attrs.Set(Attr::kChannelId, *channel_id);
  if (use_global_device_ids) attrs.Set(Attr::kUseGlobalDeviceIds, true);
  return attrs;
}

// Every group has `count` members, or there are none and the count is a possible one.
absl::Status CheckCount(const char* name, int64_t count, const ReplicaGroups& groups) {
  if (count < 1) return absl::InvalidArgumentError(absl::StrCat(name, " is ", count));
  for (const auto& group : groups) {
    if (static_cast<int64_t>(group.size()) != count) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, " is ", count, ", but a replica group has ", group.size(), " members"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<XlaOp> XlaBuilder::Leaves(XlaOp operand) {
  if (!ShapeOf(operand).IsTuple()) return {operand};
  std::vector<XlaOp> leaves;
  const int64_t size = static_cast<int64_t>(ShapeOf(operand).elements().size());
  for (int64_t i = 0; i < size; ++i) leaves.push_back(GetTupleElement(operand, i));
  return leaves;
}

XlaOp XlaBuilder::Regrouped(XlaOp op, XlaOp like) {
  if (!op.valid() || !ShapeOf(like).IsTuple() || ShapeOf(op).IsTuple()) return op;
  return Tuple({op});
}

XlaOp XlaBuilder::Infeed(const Shape& shape, const std::string& config) {
  // Nothing is read for an empty tuple.
  if (shape.IsTuple() && shape.elements().empty()) return Tuple({});
  return GetTupleElement(InfeedWithToken(CreateToken(), shape, config), 0);
}

XlaOp XlaBuilder::InfeedWithToken(XlaOp token, const Shape& shape, const std::string& config) {
  if (shape.IsTuple()) {
    for (const Shape& element : shape.elements()) {
      if (element.IsTuple()) return Error(Opcode::kInfeed, "C2: nested tuples cannot be fed");
    }
  }
  return AddOp(Opcode::kInfeed, {token}, WithConfig(Attr::kInfeedConfig, config), {},
               Shape::Tuple({shape, Shape::Token()}));
}

void XlaBuilder::Outfeed(XlaOp operand, const Shape& shape_with_layout, const std::string& config) {
  OutfeedWithToken(operand, CreateToken(), shape_with_layout, config);
}

XlaOp XlaBuilder::OutfeedWithToken(XlaOp operand, XlaOp token, const Shape& shape_with_layout,
                                   const std::string& config) {
  if (!Usable(Opcode::kOutfeed, {operand, token})) return Invalid();
  if (!Shape::SameIgnoringLayout(ShapeOf(operand), shape_with_layout)) {
    return Error(Opcode::kOutfeed, absl::StrCat("the operand is ", ShapeOf(operand).ToString(),
                                                ", not ", shape_with_layout.ToString()));
  }
  std::vector<XlaOp> operands = Leaves(operand);
  operands.push_back(token);
  return AddOp(Opcode::kOutfeed, operands, WithConfig(Attr::kOutfeedConfig, config), {},
               Shape::Token());
}

XlaOp XlaBuilder::CreateRecv(const Shape& shape, XlaOp token, const ChannelHandle& handle) {
  return AddOp(Opcode::kRecv, {token}, WithChannel(handle), {},
               Shape::Tuple({shape, Shape::Scalar(U32), Shape::Token()}));
}

XlaOp XlaBuilder::CreateRecvDone(XlaOp recv, const ChannelHandle& handle) {
  return AddOp(Opcode::kRecvDone, {recv}, WithChannel(handle));
}

XlaOp XlaBuilder::CreateSend(XlaOp operand, XlaOp token, const ChannelHandle& handle) {
  if (!Usable(Opcode::kSend, {operand, token})) return Invalid();
  return AddOp(Opcode::kSend, {operand, token}, WithChannel(handle), {},
               Shape::Tuple({ShapeOf(operand), Shape::Scalar(U32), Shape::Token()}));
}

XlaOp XlaBuilder::CreateSendDone(XlaOp send, const ChannelHandle& handle) {
  return AddOp(Opcode::kSendDone, {send}, WithChannel(handle), {}, Shape::Token());
}

XlaOp XlaBuilder::RecvWithToken(XlaOp token, const Shape& shape, const ChannelHandle& handle) {
  if (handle.type == ChannelHandle::DEVICE_TO_HOST) {
    return Error(Opcode::kRecv, "C1: a channel from device to host cannot be received from");
  }
  return CreateRecvDone(CreateRecv(shape, token, handle), handle);
}

XlaOp XlaBuilder::SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle) {
  if (handle.type == ChannelHandle::HOST_TO_DEVICE) {
    return Error(Opcode::kSend, "C1: a channel from host to device cannot be sent to");
  }
  return CreateSendDone(CreateSend(operand, token, handle), handle);
}

XlaOp XlaBuilder::Recv(const Shape& shape, const ChannelHandle& handle) {
  return GetTupleElement(RecvWithToken(CreateToken(), shape, handle), 0);
}

void XlaBuilder::Send(XlaOp operand, const ChannelHandle& handle) {
  SendWithToken(operand, CreateToken(), handle);
}

XlaOp XlaBuilder::ReplicaId() { return AddOp(Opcode::kReplicaId, {}, {}, {}, Shape::Scalar(U32)); }

XlaOp XlaBuilder::PartitionId() {
  return AddOp(Opcode::kPartitionId, {}, {}, {}, Shape::Scalar(U32));
}

XlaOp XlaBuilder::AllGather(XlaOp operand, int64_t all_gather_dimension, int64_t shard_count,
                            const ReplicaGroups& replica_groups, std::optional<int64_t> channel_id,
                            bool use_global_device_ids) {
  if (!Usable(Opcode::kAllGather, {operand})) return Invalid();
  if (absl::Status status = CheckCount("shard_count", shard_count, replica_groups); !status.ok()) {
    return Error(Opcode::kAllGather, status.message());
  }
  std::vector<XlaOp> leaves = Leaves(operand);
  std::vector<Shape> shapes;
  for (XlaOp leaf : leaves) {
    Shape shape = ShapeOf(leaf);
    if (!shape.IsArray() || all_gather_dimension < 0 || all_gather_dimension >= shape.rank()) {
      return Error(Opcode::kAllGather,
                   absl::StrCat("C1: dimension ", all_gather_dimension, " of ", shape.ToString()));
    }
    std::vector<int64_t> dims = shape.dims();
    dims[all_gather_dimension] *= shard_count;
    shapes.push_back(shape.WithDims(std::move(dims)));
  }
  AttrMap attrs = WithGroups(replica_groups, channel_id, use_global_device_ids);
  attrs.Set(Attr::kDimensions, Ints{all_gather_dimension});
  Shape given = shapes.size() == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
  return Regrouped(AddOp(Opcode::kAllGather, leaves, std::move(attrs), {}, std::move(given)),
                   operand);
}

XlaOp XlaBuilder::AllReduce(XlaOp operand, const XlaComputation& computation,
                            const ReplicaGroups& replica_groups, std::optional<int64_t> channel_id,
                            bool use_global_device_ids) {
  if (!Usable(Opcode::kAllReduce, {operand})) return Invalid();
  return Regrouped(
      AddOp(Opcode::kAllReduce, Leaves(operand),
            WithGroups(replica_groups, channel_id, use_global_device_ids), {&computation}),
      operand);
}

XlaOp XlaBuilder::CrossReplicaSum(XlaOp operand, const ReplicaGroups& replica_groups) {
  if (!Usable(Opcode::kAllReduce, {operand})) return Invalid();
  size_t before = entry_->instructions().size();
  return Adopt(before, hlo::AddCrossReplicaSum(entry_, operand.instruction_, replica_groups),
               "cross-replica-sum");
}

XlaOp XlaBuilder::ReduceScatter(XlaOp operand, const XlaComputation& computation,
                                int64_t scatter_dimension, int64_t shard_count,
                                const ReplicaGroups& replica_groups,
                                std::optional<int64_t> channel_id, bool use_global_device_ids) {
  if (!Usable(Opcode::kReduceScatter, {operand})) return Invalid();
  if (absl::Status status = CheckCount("shard_count", shard_count, replica_groups); !status.ok()) {
    return Error(Opcode::kReduceScatter, status.message());
  }
  std::vector<XlaOp> leaves = Leaves(operand);
  std::vector<Shape> shapes;
  for (XlaOp leaf : leaves) {
    Shape shape = ShapeOf(leaf);
    if (!shape.IsArray() || scatter_dimension < 0 || scatter_dimension >= shape.rank() ||
        shape.dim(scatter_dimension) % shard_count != 0) {
      return Error(Opcode::kReduceScatter,
                   absl::StrCat("C1: dimension ", scatter_dimension, " of ", shape.ToString(),
                                " cannot be cut into ", shard_count, " equal parts"));
    }
    std::vector<int64_t> dims = shape.dims();
    dims[scatter_dimension] /= shard_count;
    shapes.push_back(shape.WithDims(std::move(dims)));
  }
  AttrMap attrs = WithGroups(replica_groups, channel_id, use_global_device_ids);
  attrs.Set(Attr::kDimensions, Ints{scatter_dimension});
  Shape given = shapes.size() == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
  return Regrouped(
      AddOp(Opcode::kReduceScatter, leaves, std::move(attrs), {&computation}, std::move(given)),
      operand);
}

XlaOp XlaBuilder::AllToAll(XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
                           int64_t split_count, const ReplicaGroups& replica_groups,
                           std::optional<int64_t> channel_id) {
  AttrMap attrs = WithGroups(replica_groups, channel_id);
  attrs.Set(Attr::kSplitDimension, split_dimension);
  attrs.Set(Attr::kConcatDimension, concat_dimension);
  attrs.Set(Attr::kSplitCount, split_count);
  return AddOp(Opcode::kAllToAll, {operand}, std::move(attrs));
}

XlaOp XlaBuilder::CollectivePermute(XlaOp operand, Pairs source_target_pairs,
                                    std::optional<int64_t> channel_id) {
  AttrMap attrs = WithGroups({}, channel_id);
  hlo::IntLists pairs;
  for (auto [source, target] : source_target_pairs) pairs.push_back({source, target});
  attrs.Set(Attr::kSourceTargetPairs, std::move(pairs));
  return AddOp(Opcode::kCollectivePermute, {operand}, std::move(attrs));
}

XlaOp XlaBuilder::CollectiveBroadcast(XlaOp operand, const ReplicaGroups& replica_groups,
                                      std::optional<int64_t> channel_id) {
  return AddOp(Opcode::kCollectiveBroadcast, {operand}, WithGroups(replica_groups, channel_id));
}

}  // namespace halyard
