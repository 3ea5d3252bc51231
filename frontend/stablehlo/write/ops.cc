// Elementwise ops, and those that move data.
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

// HLO's names of lists and numbers, and StableHLO's.
struct FieldName {
  Attr attr;
  absl::string_view name;
};
constexpr FieldName kGatherFields[] = {
    {Attr::kOffsetDims, "offset_dims"},
    {Attr::kCollapsedSliceDims, "collapsed_slice_dims"},
    {Attr::kOperandBatchingDims, "operand_batching_dims"},
    {Attr::kStartIndicesBatchingDims, "start_indices_batching_dims"},
    {Attr::kStartIndexMap, "start_index_map"},
};
constexpr FieldName kScatterFields[] = {
    {Attr::kUpdateWindowDims, "update_window_dims"},
    {Attr::kInsertedWindowDims, "inserted_window_dims"},
    {Attr::kInputBatchingDims, "input_batching_dims"},
    {Attr::kScatterIndicesBatchingDims, "scatter_indices_batching_dims"},
    {Attr::kScatterDimsToOperandDims, "scatter_dims_to_operand_dims"},
};

}  // namespace

// Ops that are nothing but their operands.
bool Writer::WritePlain(const Instruction& inst, Frame& frame) {
  const hlo::OpRow& row = hlo::RowOf(inst.opcode);
  if (row.stablehlo_name.empty() || !row.required.empty() || !row.called.empty()) {
    return Fail(inst, "StableHLO has no such operation");
  }
  return Leafwise(inst, frame) != nullptr;
}

// The same value.
bool Writer::WriteAlias(const Instruction& inst, Frame& frame) {
  const Tree* tree = Find(*inst.operands[0], frame);
  if (tree == nullptr) return false;
  frame.values[&inst] = Tree(*tree);
  return true;
}

bool Writer::WriteTuple(const Instruction& inst, Frame& frame) {
  Tree tuple;
  for (const Instruction* operand : inst.operands) {
    const Tree* tree = Find(*operand, frame);
    if (tree == nullptr) return false;
    tuple.parts.push_back(*tree);
  }
  frame.values[&inst] = std::move(tuple);
  return true;
}

bool Writer::WriteGetTupleElement(const Instruction& inst, Frame& frame) {
  const Tree* tree = Find(*inst.operands[0], frame);
  Tree element;
  if (tree == nullptr ||
      !Element(inst, *tree, inst.operands[0]->shape, inst.GetInt(Attr::kIndex), frame, &element)) {
    return false;
  }
  frame.values[&inst] = std::move(element);
  return true;
}

bool Writer::WriteLiteral(const Instruction& inst, const hlo::Literal& literal, Frame& frame,
                          Tree* tree) {
  const Shape& shape = literal.shape();
  if (shape.IsTuple()) {
    for (const hlo::Literal& element : literal.elements()) {
      if (!WriteLiteral(inst, element, frame, &tree->parts.emplace_back())) return false;
    }
    return true;
  }
  if (!shape.IsArray()) return Fail(inst, "StableHLO has no constant tokens");
  Operation* op = Op(frame, "stablehlo.constant", {},
                     {nodes_.TypeOf(inst.shape.IsArray() ? inst.shape : shape)});
  Set(op, "value", nodes_.Dense(literal));
  tree->value = op->results[0].get();
  return true;
}

bool Writer::WriteConstant(const Instruction& inst, Frame& frame) {
  Tree tree;
  if (!WriteLiteral(inst, inst.literal, frame, &tree)) return false;
  frame.values[&inst] = std::move(tree);
  return true;
}

bool Writer::WriteCompare(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "comparison_direction",
      nodes_.Enum("comparison_direction", inst.GetString(Attr::kDirection)));
  if (inst.Has(Attr::kType)) {
    Set(op, "compare_type", nodes_.Enum("comparison_type", inst.GetString(Attr::kType)));
  }
  return true;
}

bool Writer::WriteReducePrecision(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "exponent_bits", nodes_.Int(inst.GetInt(Attr::kExponentBits), 32));
  Set(op, "mantissa_bits", nodes_.Int(inst.GetInt(Attr::kMantissaBits), 32));
  return true;
}

// Ops whose attribute is `dimensions`, as a list.
bool Writer::WriteDimensions(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  absl::string_view name = "dimensions";
  if (inst.opcode == Opcode::kTranspose) name = "permutation";
  if (inst.opcode == Opcode::kBroadcast || inst.opcode == Opcode::kDynamicBroadcastInDim) {
    name = "broadcast_dimensions";
  }
  Set(op, name, nodes_.Ints(inst.GetInts(Attr::kDimensions)));
  for (auto [hint, attr] :
       {std::pair("known_expanding_dimensions", Attr::kKnownExpandingDimensions),
        {"known_nonexpanding_dimensions", Attr::kKnownNonexpandingDimensions}}) {
    if (inst.Has(attr)) Set(op, hint, nodes_.Ints(inst.GetInts(attr)));
  }
  return true;
}

// Ops whose attribute is one dimension.
bool Writer::WriteDimension(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  if (inst.Has(Attr::kIotaDimension)) {
    Set(op, "iota_dimension", nodes_.Int(inst.GetInt(Attr::kIotaDimension)));
    return true;
  }
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  if (dims.size() != 1) return Fail(inst, "needs one dimension");
  Set(op, "dimension", nodes_.Int(dims[0]));
  return true;
}

bool Writer::WriteSlice(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Ints start, limit, stride;
  for (const hlo::SliceDim& dim : inst.GetSlice()) {
    start.push_back(dim.start);
    limit.push_back(dim.limit);
    stride.push_back(dim.stride);
  }
  Set(op, "start_indices", nodes_.Ints(start));
  Set(op, "limit_indices", nodes_.Ints(limit));
  Set(op, "strides", nodes_.Ints(stride));
  return true;
}

bool Writer::WritePad(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Ints low, high, interior;
  for (const hlo::PaddingDim& dim : inst.GetPadding()) {
    low.push_back(dim.low);
    high.push_back(dim.high);
    interior.push_back(dim.interior);
  }
  Set(op, "edge_padding_low", nodes_.Ints(low));
  Set(op, "edge_padding_high", nodes_.Ints(high));
  Set(op, "interior_padding", nodes_.Ints(interior));
  return true;
}

// Of row-major arrays: a reshape, or a bitcast_convert.
bool Writer::WriteBitcast(const Instruction& inst, Frame& frame) {
  const Shape& from = inst.operands[0]->shape;
  const Shape& to = inst.shape;
  const bool plain = from.IsArray() && to.IsArray() && from.HasDefaultLayout() &&
                     to.HasDefaultLayout() && !from.IsDynamic() && !to.IsDynamic();
  if (plain && from.element_type() == to.element_type()) {
    return Leafwise(inst, frame, "reshape") != nullptr;
  }
  if (plain && from.dims() == to.dims()) {
    return Leafwise(inst, frame, "bitcast_convert") != nullptr;
  }
  return Fail(inst, "StableHLO has no bitcast that changes layout, or type and shape at once");
}

bool Writer::WriteIndexed(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  if (inst.opcode == Opcode::kDynamicSlice) {
    Set(op, "slice_sizes", nodes_.Ints(inst.GetInts(Attr::kDynamicSliceSizes)));
    return true;
  }
  const bool scatter = inst.opcode == Opcode::kScatter;
  Fields fields;
  for (const FieldName& field : scatter ? absl::Span<const FieldName>(kScatterFields)
                                        : absl::Span<const FieldName>(kGatherFields)) {
    fields.emplace_back(field.name, nodes_.Ints(inst.GetInts(field.attr)));
  }
  fields.emplace_back("index_vector_dim", nodes_.Int(inst.GetInt(Attr::kIndexVectorDim)));
  Set(op, scatter ? "scatter_dimension_numbers" : "dimension_numbers",
      nodes_.Struct(scatter ? "scatter" : "gather", fields));
  if (inst.opcode == Opcode::kGather) {
    Set(op, "slice_sizes", nodes_.Ints(inst.GetInts(Attr::kSliceSizes)));
  }
  Set(op, "indices_are_sorted", nodes_.Bool(inst.GetBool(Attr::kIndicesAreSorted)));
  if (!scatter) return true;
  Set(op, "unique_indices", nodes_.Bool(inst.GetBool(Attr::kUniqueIndices)));
  return WriteRegion(*inst.called[0], op);
}

bool Writer::WriteErf(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame, "erf");
  if (op == nullptr) return false;
  op->name = "chlo.erf";
  return true;
}

bool Writer::WriteTopK(const Instruction& inst, Frame& frame) {
  if (inst.Has(Attr::kLargest) && !inst.GetBool(Attr::kLargest)) {
    return Fail(inst, "chlo.top_k gives the largest elements only");
  }
  Operation* op = Leafwise(inst, frame, "top_k");
  if (op == nullptr) return false;
  op->name = "chlo.top_k";
  Set(op, "k", nodes_.Int(inst.GetInt(Attr::kK)));
  return true;
}

// HLO may have a scalar for each size.
bool Writer::WriteDynamicReshape(const Instruction& inst, Frame& frame) {
  if (inst.operands.size() == 2 && inst.operands[1]->shape.rank() == 1) {
    return Leafwise(inst, frame) != nullptr;
  }
  Values values;
  if (!OperandLeaves(inst, frame, &values)) return false;
  const hlo::ElementType type =
      inst.operands.size() > 1 ? inst.operands[1]->shape.element_type() : hlo::ElementType::kS32;
  Values sizes;
  for (size_t i = 1; i < values.size(); ++i) {
    if (inst.operands[i]->shape.element_type() != type) {
      return Fail(inst, "the sizes must be of one type");
    }
    const mlir::Type* single = nodes_.TypeOf(Shape::Array(type, {1}));
    sizes.push_back(Op(frame, "stablehlo.reshape", {values[i]}, {single})->results[0].get());
  }
  const Shape vector = Shape::Array(type, {static_cast<int64_t>(sizes.size())});
  mlir::Value* shape = nullptr;
  if (sizes.empty()) {
    Operation* none = Op(frame, "stablehlo.constant", {}, {nodes_.TypeOf(vector)});
    Set(none, "value", nodes_.Dense(hlo::Literal(vector)));
    shape = none->results[0].get();
  } else {
    Operation* joined = Op(frame, "stablehlo.concatenate", sizes, {nodes_.TypeOf(vector)});
    Set(joined, "dimension", nodes_.Int(0));
    shape = joined->results[0].get();
  }
  Operation* op =
      Op(frame, "stablehlo.dynamic_reshape", {values[0], shape}, {nodes_.TypeOf(inst.shape)});
  frame.values[&inst] = {.value = op->results[0].get()};
  return true;
}

const absl::flat_hash_map<Opcode, Writer::Handler>& Writer::Handlers() {
  static const auto* handlers = new absl::flat_hash_map<Opcode, Handler>{
      {Opcode::kAllGather, &Writer::WriteCollective},
      {Opcode::kAllReduce, &Writer::WriteCollective},
      {Opcode::kAllToAll, &Writer::WriteAllToAll},
      {Opcode::kBatchNormGrad, &Writer::WriteBatchNorm},
      {Opcode::kBatchNormInference, &Writer::WriteBatchNorm},
      {Opcode::kBatchNormTraining, &Writer::WriteBatchNorm},
      {Opcode::kBitcast, &Writer::WriteBitcast},
      {Opcode::kBroadcast, &Writer::WriteDimensions},
      {Opcode::kCall, &Writer::WriteCall},
      {Opcode::kCholesky, &Writer::WriteCholesky},
      {Opcode::kCollectiveBroadcast, &Writer::WriteCollective},
      {Opcode::kCollectivePermute, &Writer::WriteCollective},
      {Opcode::kCompare, &Writer::WriteCompare},
      {Opcode::kConcatenate, &Writer::WriteDimension},
      {Opcode::kConditional, &Writer::WriteConditional},
      {Opcode::kConstant, &Writer::WriteConstant},
      {Opcode::kConvolution, &Writer::WriteConvolution},
      {Opcode::kCopy, &Writer::WriteAlias},
      {Opcode::kCustomCall, &Writer::WriteCustomCall},
      {Opcode::kDot, &Writer::WriteDot},
      {Opcode::kDynamicBroadcastInDim, &Writer::WriteDimensions},
      {Opcode::kDynamicConvolution, &Writer::WriteConvolution},
      {Opcode::kDynamicGather, &Writer::WriteIndexed},
      {Opcode::kDynamicIota, &Writer::WriteDimension},
      {Opcode::kDynamicReshape, &Writer::WriteDynamicReshape},
      {Opcode::kDynamicSlice, &Writer::WriteIndexed},
      {Opcode::kErf, &Writer::WriteErf},
      {Opcode::kFft, &Writer::WriteFft},
      {Opcode::kFusion, &Writer::WriteCall},
      {Opcode::kGather, &Writer::WriteIndexed},
      {Opcode::kGetDimensionSize, &Writer::WriteDimension},
      {Opcode::kGetTupleElement, &Writer::WriteGetTupleElement},
      {Opcode::kInfeed, &Writer::WriteInfeed},
      {Opcode::kIota, &Writer::WriteDimension},
      {Opcode::kMap, &Writer::WriteReduction},
      {Opcode::kOutfeed, &Writer::WriteOutfeed},
      {Opcode::kPad, &Writer::WritePad},
      {Opcode::kRecv, &Writer::WriteRecv},
      {Opcode::kRecvDone, &Writer::WriteRecvDone},
      {Opcode::kReduce, &Writer::WriteReduction},
      {Opcode::kReducePrecision, &Writer::WriteReducePrecision},
      {Opcode::kReduceScatter, &Writer::WriteCollective},
      {Opcode::kReduceWindow, &Writer::WriteWindowed},
      {Opcode::kReverse, &Writer::WriteDimensions},
      {Opcode::kRng, &Writer::WriteRng},
      {Opcode::kRngBitGenerator, &Writer::WriteRngBitGenerator},
      {Opcode::kScatter, &Writer::WriteIndexed},
      {Opcode::kSelectAndScatter, &Writer::WriteWindowed},
      {Opcode::kSend, &Writer::WriteSend},
      {Opcode::kSendDone, &Writer::WriteSendDone},
      {Opcode::kSetDimensionSize, &Writer::WriteDimension},
      {Opcode::kSlice, &Writer::WriteSlice},
      {Opcode::kSort, &Writer::WriteReduction},
      {Opcode::kTopK, &Writer::WriteTopK},
      {Opcode::kTranspose, &Writer::WriteDimensions},
      {Opcode::kTriangularSolve, &Writer::WriteTriangularSolve},
      {Opcode::kTuple, &Writer::WriteTuple},
      {Opcode::kWhile, &Writer::WriteWhile},
  };
  return *handlers;
}

}  // namespace halyard::stablehlo
