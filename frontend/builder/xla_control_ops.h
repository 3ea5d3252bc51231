// Free functions with the names of XlaBuilder's methods: structure, control flow and communication.
// xla_ops.h includes this header and has all others.
#ifndef HALYARD_FRONTEND_BUILDER_XLA_CONTROL_OPS_H_
#define HALYARD_FRONTEND_BUILDER_XLA_CONTROL_OPS_H_

#include "frontend/builder/xla_builder.h"

namespace halyard {

using Int64Span = absl::Span<const int64_t>;
using XlaOpSpan = absl::Span<const XlaOp>;

// Structure and control flow.
inline XlaOp Tuple(XlaBuilder* builder, XlaOpSpan elements) { return builder->Tuple(elements); }
inline XlaOp GetTupleElement(XlaOp x, int64_t index) {
  return XlaBuilder::BuilderOf({x})->GetTupleElement(x, index);
}
inline XlaOp Call(XlaBuilder* builder, const XlaComputation& computation, XlaOpSpan operands) {
  return builder->Call(computation, operands);
}
inline XlaOp CompositeCall(XlaBuilder* builder, const XlaComputation& computation,
                           XlaOpSpan operands, const std::string& name,
                           const std::optional<std::string>& attributes = {},
                           std::optional<int64_t> version = {}) {
  return builder->CompositeCall(computation, operands, name, attributes, version);
}
inline XlaOp While(const XlaComputation& condition, const XlaComputation& body, XlaOp init) {
  return XlaBuilder::BuilderOf({init})->While(condition, body, init);
}
inline XlaOp Conditional(XlaOp pred, XlaOp true_operand, const XlaComputation& true_computation,
                         XlaOp false_operand, const XlaComputation& false_computation) {
  return XlaBuilder::BuilderOf({pred, true_operand, false_operand})
      ->Conditional(pred, true_operand, true_computation, false_operand, false_computation);
}
inline XlaOp Conditional(XlaOp branch_index, absl::Span<const XlaComputation* const> branches,
                         XlaOpSpan branch_operands) {
  return XlaBuilder::BuilderOf({branch_index})
      ->Conditional(branch_index, branches, branch_operands);
}
inline XlaOp CustomCall(XlaBuilder* builder, const std::string& target, XlaOpSpan operands,
                        const Shape& shape, const std::string& backend_config = "",
                        bool has_side_effect = false) {
  return builder->CustomCall(target, operands, shape, backend_config, has_side_effect);
}
inline void Trace(const std::string& tag, XlaOp x) { XlaBuilder::BuilderOf({x})->Trace(tag, x); }
inline XlaOp OptimizationBarrier(XlaOp x) {
  return XlaBuilder::BuilderOf({x})->OptimizationBarrier(x);
}
inline XlaOp CreateToken(XlaBuilder* builder) { return builder->CreateToken(); }
inline XlaOp AfterAll(XlaBuilder* builder, XlaOpSpan tokens) { return builder->AfterAll(tokens); }

// Communication.
inline XlaOp Infeed(XlaBuilder* builder, const Shape& shape, const std::string& config = "") {
  return builder->Infeed(shape, config);
}
inline XlaOp InfeedWithToken(XlaOp token, const Shape& shape, const std::string& config = "") {
  return XlaBuilder::BuilderOf({token})->InfeedWithToken(token, shape, config);
}
inline void Outfeed(XlaOp x, const Shape& shape_with_layout, const std::string& config = "") {
  XlaBuilder::BuilderOf({x})->Outfeed(x, shape_with_layout, config);
}
inline XlaOp OutfeedWithToken(XlaOp x, XlaOp token, const Shape& shape_with_layout,
                              const std::string& config = "") {
  return XlaBuilder::BuilderOf({x, token})->OutfeedWithToken(x, token, shape_with_layout, config);
}
inline void Send(XlaOp x, const ChannelHandle& handle) {
  XlaBuilder::BuilderOf({x})->Send(x, handle);
}
inline XlaOp SendWithToken(XlaOp x, XlaOp token, const ChannelHandle& handle) {
  return XlaBuilder::BuilderOf({x, token})->SendWithToken(x, token, handle);
}
inline XlaOp Recv(XlaBuilder* builder, const Shape& shape, const ChannelHandle& handle) {
  return builder->Recv(shape, handle);
}
inline XlaOp RecvWithToken(XlaOp token, const Shape& shape, const ChannelHandle& handle) {
  return XlaBuilder::BuilderOf({token})->RecvWithToken(token, shape, handle);
}
inline XlaOp ReplicaId(XlaBuilder* builder) { return builder->ReplicaId(); }
inline XlaOp PartitionId(XlaBuilder* builder) { return builder->PartitionId(); }
inline XlaOp AllGather(XlaOp x, int64_t all_gather_dimension, int64_t shard_count,
                       const ReplicaGroups& replica_groups = {},
                       std::optional<int64_t> channel_id = {}, bool use_global_device_ids = false) {
  return XlaBuilder::BuilderOf({x})->AllGather(x, all_gather_dimension, shard_count, replica_groups,
                                               channel_id, use_global_device_ids);
}
inline XlaOp AllReduce(XlaOp x, const XlaComputation& computation,
                       const ReplicaGroups& replica_groups = {},
                       std::optional<int64_t> channel_id = {}, bool use_global_device_ids = false) {
  return XlaBuilder::BuilderOf({x})->AllReduce(x, computation, replica_groups, channel_id,
                                               use_global_device_ids);
}
inline XlaOp CrossReplicaSum(XlaOp x, const ReplicaGroups& replica_groups = {}) {
  return XlaBuilder::BuilderOf({x})->CrossReplicaSum(x, replica_groups);
}
inline XlaOp ReduceScatter(XlaOp x, const XlaComputation& computation, int64_t scatter_dimension,
                           int64_t shard_count, const ReplicaGroups& replica_groups = {},
                           std::optional<int64_t> channel_id = {},
                           bool use_global_device_ids = false) {
  return XlaBuilder::BuilderOf({x})->ReduceScatter(x, computation, scatter_dimension, shard_count,
                                                   replica_groups, channel_id,
                                                   use_global_device_ids);
}
inline XlaOp AllToAll(XlaOp x, int64_t split_dimension, int64_t concat_dimension,
                      int64_t split_count, const ReplicaGroups& replica_groups = {},
                      std::optional<int64_t> channel_id = {}) {
  return XlaBuilder::BuilderOf({x})->AllToAll(x, split_dimension, concat_dimension, split_count,
                                              replica_groups, channel_id);
}
inline XlaOp CollectivePermute(XlaOp x, XlaBuilder::Pairs source_target_pairs,
                               std::optional<int64_t> channel_id = {}) {
  return XlaBuilder::BuilderOf({x})->CollectivePermute(x, source_target_pairs, channel_id);
}
inline XlaOp CollectiveBroadcast(XlaOp x, const ReplicaGroups& replica_groups,
                                 std::optional<int64_t> channel_id = {}) {
  return XlaBuilder::BuilderOf({x})->CollectiveBroadcast(x, replica_groups, channel_id);
}

}  // namespace halyard

#endif  // HALYARD_FRONTEND_BUILDER_XLA_CONTROL_OPS_H_
