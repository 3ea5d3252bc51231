// Collectives, infeed and outfeed, send and recv.
#include "frontend/hlo/processes/communication.h"

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/write/module.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Operation;

namespace {

constexpr int64_t kDeviceToDevice = 1, kDeviceToHost = 2, kHostToDevice = 3;

}  // namespace

bool Writer::SetGroups(const Instruction& inst, Operation* op) {
  if (inst.opcode == Opcode::kCollectivePermute) {
    Set(op, "source_target_pairs", nodes_.Matrix(inst.GetIntLists(Attr::kSourceTargetPairs), 2));
    return true;
  }
  // StableHLO fills up the groups of an all_reduce only. The other ops' are of one size, except for
  // those of a broadcast.
  if (inst.opcode == Opcode::kCollectiveBroadcast && hlo::GroupSizeSaid(inst) < 0)
    return Fail(inst, "groups of different sizes cannot be said in StableHLO");
  Set(op, "replica_groups", nodes_.Matrix(inst.GetIntLists(Attr::kReplicaGroups)));
  return true;
}

void Writer::SetChannel(const Instruction& inst, Operation* op, int64_t fallback_type) {
  int64_t type = fallback_type;
  const std::string& word = inst.GetString(Attr::kChannelType);
  if (word == "DEVICE_TO_DEVICE") type = kDeviceToDevice;
  if (word == "DEVICE_TO_HOST") type = kDeviceToHost;
  if (word == "HOST_TO_DEVICE") type = kHostToDevice;
  Set(op, "channel_handle",
      nodes_.Struct("channel_handle", {{"handle", nodes_.Int(inst.GetInt(Attr::kChannelId))},
                                       {"type", nodes_.Int(type)}}));
}

bool Writer::WriteCollective(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr || !SetGroups(inst, op)) return false;
  if (inst.GetInt(Attr::kChannelId) != 0) SetChannel(inst, op, kDeviceToDevice);
  if (inst.opcode == Opcode::kAllGather || inst.opcode == Opcode::kReduceScatter) {
    const Ints& dims = inst.GetInts(Attr::kDimensions);
    if (dims.size() != 1) return Fail(inst, "needs one dimension");
    Set(op, inst.opcode == Opcode::kAllGather ? "all_gather_dim" : "scatter_dimension",
        nodes_.Int(dims[0]));
  }
  if (inst.GetBool(Attr::kUseGlobalDeviceIds)) Set(op, "use_global_device_ids", nodes_.Unit());
  return inst.called.empty() || WriteRegion(*inst.called[0], op);
}

bool Writer::WriteAllToAll(const Instruction& inst, Frame& frame) {
  int64_t split = 0, concat = 0, count = 0;
  if (inst.Has(Attr::kSplitDimension)) {
    split = inst.GetInt(Attr::kSplitDimension);
    concat = inst.GetInt(Attr::kConcatDimension);
    count = inst.GetInt(Attr::kSplitCount);
  } else if (inst.Has(Attr::kDimensions)) {
    split = concat = inst.GetInts(Attr::kDimensions)[0];
    count = hlo::GroupSizeSaid(inst);
    if (count == 0) {  // one group of all processes
      count = hlo::StrategyOf(inst) == hlo::GroupStrategy::kCrossPartition ? module_.num_partitions
                                                                           : module_.num_replicas;
    }
  } else {
    return WriteAllToAllOfOperands(inst, frame);
  }
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr || !SetGroups(inst, op)) return false;
  if (inst.GetInt(Attr::kChannelId) != 0) SetChannel(inst, op, kDeviceToDevice);
  Set(op, "split_dimension", nodes_.Int(split));
  Set(op, "concat_dimension", nodes_.Int(concat));
  Set(op, "split_count", nodes_.Int(count));
  return true;
}

// An operand for each member, whole: they become the parts of one array along a new dimension.
bool Writer::WriteAllToAllOfOperands(const Instruction& inst, Frame& frame) {
  Values operands;
  if (!OperandLeaves(inst, frame, &operands)) return false;
  const Shape& each = inst.operands[0]->shape;
  const auto count = static_cast<int64_t>(operands.size());
  Ints part_dims = each.dims();
  part_dims.insert(part_dims.begin(), 1);
  Ints all_dims = part_dims;
  all_dims[0] = count;
  const mlir::Type* part = nodes_.TypeOf(each.WithDims(part_dims));
  const mlir::Type* all = nodes_.TypeOf(each.WithDims(all_dims));
  Values parts;
  for (mlir::Value* operand : operands) {
    parts.push_back(Op(frame, "stablehlo.reshape", {operand}, {part})->results[0].get());
  }
  Operation* joined = Op(frame, "stablehlo.concatenate", std::move(parts), {all});
  Set(joined, "dimension", nodes_.Int(0));
  Operation* op = Op(frame, "stablehlo.all_to_all", {joined->results[0].get()}, {all});
  if (!SetGroups(inst, op)) return false;
  if (inst.GetInt(Attr::kChannelId) != 0) SetChannel(inst, op, kDeviceToDevice);
  Set(op, "split_dimension", nodes_.Int(0));
  Set(op, "concat_dimension", nodes_.Int(0));
  Set(op, "split_count", nodes_.Int(count));
  Tree tree;
  for (int64_t i = 0; i < count; ++i) {
    Ints start(all_dims.size(), 0), limit = all_dims;
    start[0] = i;
    limit[0] = i + 1;
    Operation* slice = Op(frame, "stablehlo.slice", {op->results[0].get()}, {part});
    Set(slice, "start_indices", nodes_.Ints(start));
    Set(slice, "limit_indices", nodes_.Ints(limit));
    Set(slice, "strides", nodes_.Ints(Ints(all_dims.size(), 1)));
    Operation* own =
        Op(frame, "stablehlo.reshape", {slice->results[0].get()}, {nodes_.TypeOf(each)});
    tree.parts.push_back({.value = own->results[0].get()});
  }
  frame.values[&inst] = std::move(tree);
  return true;
}

bool Writer::WriteInfeed(const Instruction& inst, Frame& frame) {
  Operation* op = nullptr;
  if (inst.operands.empty()) {
    Operation* token = Op(frame, "stablehlo.after_all", {}, {nodes_.TypeOf(Shape::Token())});
    op = Leafwise(inst, frame);
    if (op != nullptr) op->operands.push_back(token->results[0].get());
  } else {
    op = Leafwise(inst, frame);
  }
  if (op == nullptr) return false;
  Set(op, "infeed_config", nodes_.String(inst.GetString(Attr::kInfeedConfig)));
  return true;
}

bool Writer::WriteOutfeed(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "outfeed_config", nodes_.String(inst.GetString(Attr::kOutfeedConfig)));
  return true;
}

// StableHLO's send and recv are done when they give their token: what HLO starts is the op, what it
// ends with takes its results. Their context is no value.
bool Writer::WriteSend(const Instruction& inst, Frame& frame) {
  Values operands;
  if (!OperandLeaves(inst, frame, &operands)) return false;
  Tree data = *Find(*inst.operands[0], frame);
  Operation* op = Op(frame, "stablehlo.send", std::move(operands), {nodes_.TypeOf(Shape::Token())});
  const bool host = inst.GetBool(Attr::kIsHostTransfer);
  SetChannel(inst, op, host ? kDeviceToHost : kDeviceToDevice);
  Set(op, "is_host_transfer", nodes_.Bool(host));
  frame.values[&inst] = {.parts = {std::move(data), Tree{}, {.value = op->results[0].get()}}};
  return true;
}

bool Writer::WriteRecv(const Instruction& inst, Frame& frame) {
  Values operands;
  if (!OperandLeaves(inst, frame, &operands)) return false;
  if (operands.empty()) {
    operands.push_back(
        Op(frame, "stablehlo.after_all", {}, {nodes_.TypeOf(Shape::Token())})->results[0].get());
  }
  const Shape& data = inst.shape.elements()[0];
  Types types = LeafTypes(data);
  types.push_back(nodes_.TypeOf(Shape::Token()));
  Operation* op = Op(frame, "stablehlo.recv", std::move(operands), types);
  const bool host = inst.GetBool(Attr::kIsHostTransfer);
  SetChannel(inst, op, host ? kHostToDevice : kDeviceToDevice);
  Set(op, "is_host_transfer", nodes_.Bool(host));
  Values results;
  for (const auto& result : op->results) results.push_back(result.get());
  size_t next = 0;
  Tree received = TreeOf(data, results, &next);
  frame.values[&inst] = {.parts = {std::move(received), Tree{}, {.value = results.back()}}};
  return true;
}

bool Writer::WriteSendDone(const Instruction& inst, Frame& frame) {
  const Tree* started = Find(*inst.operands[0], frame);
  if (started == nullptr) return false;
  if (started->parts.size() != 3) return Fail(inst, "takes no send of this computation");
  frame.values[&inst] = Tree(started->parts[2]);
  return true;
}

bool Writer::WriteRecvDone(const Instruction& inst, Frame& frame) {
  const Tree* started = Find(*inst.operands[0], frame);
  if (started == nullptr) return false;
  if (started->parts.size() != 3) return Fail(inst, "takes no recv of this computation");
  frame.values[&inst] = Tree{.parts = {started->parts[0], started->parts[2]}};
  return true;
}

}  // namespace halyard::stablehlo
