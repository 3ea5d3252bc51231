// Ops with attributes and without regions.
#include <limits>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/quantized.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;

namespace {

// A larger splat becomes a broadcast scalar: no text makes us allocate more than in proportion to
// its length.
constexpr int64_t kMaxSplatBytes = 4096;

// One value for each set of values that the weak order holds for equal, so that the total order is
// the weak one: all NaNs, which come last, and both zeros.
Term WeaklyOrdered(Term x) {
  Term one_zero = hlo::FormatOf(x.type()).has_zero ? Select(x == 0, Like(x, 0), x) : x;
  return Select(x != x, Like(x, std::numeric_limits<double>::quiet_NaN()), one_zero);
}

}  // namespace

bool Converter::ConvertConstant(const Operation& op, Frame& frame) {
  const Attribute* value = op.Attr("value");
  if (value == nullptr) return Fail(op, "attribute 'value' is missing");
  if (value->data == nullptr || value->Is(mlir::AttributeKind::kDenseArray)) {
    return errors_.Fail(value->offset, "a constant's value must be dense<…> or dense_resource<…>");
  }
  if (op.results.size() != 1) return Fail(op, "must have one result");
  Shape shape, result;
  if (!ShapeOf(*value->type, &shape) || !ShapeOf(*op.results[0]->type, &result)) return false;
  // The value of a quantized constant is written as its stored integers, of either type.
  bool stored = result.IsQuantized() && shape == result.Storage();
  if (!stored && !mlir::SameType(*value->type, *op.results[0]->type)) {
    return Fail(op, absl::StrCat("C1: the value has type ", ToString(*value->type), ", the result ",
                                 ToString(*op.results[0]->type)));
  }
  if (shape.IsDynamic()) return Fail(op, "the type of a constant must have known sizes");
  // The document no longer exists when the module is used, so the literal keeps the bytes.
  std::shared_ptr<mlir::DenseData> data = value->data;
  Instruction* constant = nullptr;
  if (data->splat) {
    Shape scalar = Shape::Scalar(shape.element_type());
    if (shape.ByteSize() > kMaxSplatBytes) {
      Instruction* element =
          frame.computation->AddConstant(hlo::Literal::Borrow(scalar, data->bytes.data(), data));
      AttrMap attrs;
      attrs.Set(Attr::kDimensions, Ints{});
      constant =
          frame.computation->Add(Opcode::kBroadcast, shape.Storage(), {element}, std::move(attrs));
    } else {
      constant = frame.computation->AddConstant(
          hlo::Literal::Splat(shape, hlo::Literal::Borrow(scalar, data->bytes.data(), data)));
    }
  } else {
    constant =
        frame.computation->AddConstant(hlo::Literal::Borrow(shape, data->bytes.data(), data));
  }
  if (result.IsQuantized()) {
    // A broadcast scalar: what per-axis types stand for is not known before they are whole.
    if (constant->opcode == Opcode::kBroadcast) {
      constant = frame.computation->Add(Opcode::kBitcastConvert, result, {constant});
    }
    constant->shape = result;
  }
  frame.values[op.results[0].get()] = constant;
  return true;
}

bool Converter::ConvertIota(const Operation& op, Frame& frame) {
  int64_t dimension = 0;
  AttrMap attrs;
  if (!OpReader(op, errors_).Int("iota_dimension", &dimension)) return false;
  attrs.Set(Attr::kIotaDimension, dimension);
  return Plain(op, frame, Opcode::kIota, std::move(attrs));
}

bool Converter::ConvertCompare(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  std::string direction, type;
  if (!reader.Word("comparison_direction", "comparison_direction", &direction) ||
      !reader.WordOr("compare_type", "comparison_type", "", &type)) {
    return false;
  }
  AttrMap attrs;
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (type == "WEAKORDER") {
    for (Instruction*& operand : operands) {
      if (!operand->shape.IsArray() || !hlo::IsFloat(operand->shape.element_type())) {
        return Fail(op, absl::StrCat("C3: compare type WEAKORDER does not fit ",
                                     operand->shape.ToString()));
      }
      Graph graph(frame.computation);
      operand = WeaklyOrdered(graph.Of(operand)).inst;
      if (!graph.status().ok()) return Fail(op, graph.status().message());
    }
    type = "TOTALORDER";
  }
  attrs.Set(Attr::kDirection, direction);
  if (!type.empty() && type != "NOTYPE") attrs.Set(Attr::kType, type);
  return Emit(op, frame, Opcode::kCompare, std::move(operands), std::move(attrs));
}

// Returns what is wrong with a broadcast, as far as it shows before its dimensions are looked at,
// or "".
static std::string WrongBroadcast(const Shape& operand, const Ints& dims, const Shape& result) {
  int64_t bounded = 0;
  for (int64_t d = 0; d < result.rank(); ++d) {
    if (!result.IsDynamicDim(d)) continue;
    if (result.dim(d) == Shape::kUnbounded || ++bounded > 1) {
      return absl::StrCat("O1: the result must be of known sizes, but for one dimension ",
                          "with a bound, is ", result.ToString());
    }
  }
  if (static_cast<int64_t>(dims.size()) != operand.rank()) {
    return absl::StrCat("C2: broadcast_dimensions has ", dims.size(), " entries, the operand ",
                        operand.rank(), " dimensions");
  }
  return "";
}

// HLO's broadcast does not stretch dimensions of size 1, so they are dropped first.
bool Converter::ConvertBroadcastInDim(const Operation& op, Frame& frame) {
  Ints dims;
  Instructions operands;
  std::vector<Shape> results;
  if (!OpReader(op, errors_).Ints("broadcast_dimensions", &dims) ||
      !Operands(op, frame, &operands) || !ResultShapes(op, &results)) {
    return false;
  }
  if (operands.size() != 1 || results.size() != 1 || !operands[0]->shape.IsArray() ||
      !results[0].IsArray()) {
    return Fail(op, "needs one tensor and gives one");
  }
  const Shape operand = operands[0]->shape;
  const std::string wrong = WrongBroadcast(operand, dims, results[0]);
  if (!wrong.empty()) return Fail(op, wrong);
  // Only a run shows whether a dimension of unknown size is stretched.
  if (operand.IsDynamic() && !results[0].IsDynamic()) {
    return EmitBroadcastTo(op, frame, operands[0], results[0], std::move(dims));
  }
  std::vector<int64_t> kept_sizes;
  Ints kept;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= results[0].rank()) {
      return Fail(op, absl::StrCat("C3: the result has no dimension ", dims[i]));
    }
    for (size_t j = 0; j < i; ++j) {
      if (dims[j] == dims[i]) {
        return Fail(op, absl::StrCat("C4: dimension ", dims[i], " is given twice"));
      }
    }
    if (operand.dim(i) == 1 && !operand.IsDynamicDim(i) && results[0].dim(dims[i]) != 1) continue;
    kept.push_back(dims[i]);
    kept_sizes.push_back(operand.dim(i));
  }
  const bool quantized = operand.IsQuantized() || results[0].IsQuantized();
  if (quantized) {
    absl::Status fits = hlo::CheckQuantizedBroadcast(operand, dims, results[0]);
    if (!fits.ok()) return Fail(op, fits.message());
  }
  // The stored integers are reshaped: a quantization dimension may be among those dropped.
  const bool across = quantized && kept.size() < dims.size();
  if (across) {
    operands[0] = frame.computation->Add(Opcode::kBitcastConvert, operand.Storage(), {operands[0]});
  }
  if (kept.size() < dims.size()) {
    operands[0] = frame.computation->Add(
        Opcode::kReshape, Shape::Array(operand.element_type(), kept_sizes), {operands[0]});
  }
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(kept));
  if (across) {
    Instruction* stored = frame.computation->Add(Opcode::kBroadcast, results[0].Storage(),
                                                 std::move(operands), std::move(attrs));
    return Emit(op, frame, Opcode::kBitcastConvert, {stored});
  }
  return Emit(op, frame, Opcode::kBroadcast, std::move(operands), std::move(attrs));
}

// Deprecated: new dimensions on the left.
bool Converter::ConvertBroadcast(const Operation& op, Frame& frame) {
  Ints sizes;
  if (!OpReader(op, errors_).Ints("broadcast_sizes", &sizes)) return false;
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (operands.size() != 1 || !operands[0]->shape.IsArray()) return Fail(op, "needs one tensor");
  Ints result = sizes;
  Ints dims;
  for (int64_t i = 0; i < operands[0]->shape.rank(); ++i) {
    dims.push_back(static_cast<int64_t>(sizes.size()) + i);
    result.push_back(operands[0]->shape.dim(i));
  }
  std::vector<Shape> shapes;
  if (!ResultShapes(op, &shapes)) return false;
  if (shapes.size() != 1 || !shapes[0].IsArray() || shapes[0].dims() != result) {
    return Fail(op, "the result's shape must be the sizes, then the operand's dimensions");
  }
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, std::move(dims));
  return Emit(op, frame, Opcode::kBroadcast, std::move(operands), std::move(attrs));
}

bool Converter::ConvertTranspose(const Operation& op, Frame& frame) {
  Ints permutation;
  AttrMap attrs;
  if (!OpReader(op, errors_).Ints("permutation", &permutation)) return false;
  attrs.Set(Attr::kDimensions, std::move(permutation));
  return Plain(op, frame, Opcode::kTranspose, std::move(attrs));
}

bool Converter::ConvertReverse(const Operation& op, Frame& frame) {
  Ints dims;
  AttrMap attrs;
  if (!OpReader(op, errors_).Ints("dimensions", &dims)) return false;
  attrs.Set(Attr::kDimensions, std::move(dims));
  return Plain(op, frame, Opcode::kReverse, std::move(attrs));
}

bool Converter::ConvertSlice(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  Ints start, limit, strides;
  if (!reader.Ints("start_indices", &start) || !reader.Ints("limit_indices", &limit) ||
      !reader.Ints("strides", &strides)) {
    return false;
  }
  if (start.size() != limit.size() || start.size() != strides.size()) {
    return Fail(op, "C2: start_indices, limit_indices and strides differ in length");
  }
  hlo::SliceDims dims;
  for (size_t i = 0; i < start.size(); ++i) dims.push_back({start[i], limit[i], strides[i]});
  AttrMap attrs;
  attrs.Set(Attr::kSlice, std::move(dims));
  return Plain(op, frame, Opcode::kSlice, std::move(attrs));
}

bool Converter::ConvertConcatenate(const Operation& op, Frame& frame) {
  int64_t dimension = 0;
  AttrMap attrs;
  if (!OpReader(op, errors_).Int("dimension", &dimension)) return false;
  if (op.operands.empty()) return Fail(op, "C3: needs at least one input");
  attrs.Set(Attr::kDimensions, Ints{dimension});
  return Plain(op, frame, Opcode::kConcatenate, std::move(attrs));
}

bool Converter::ConvertPad(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  Ints low, high, interior;
  if (!reader.Ints("edge_padding_low", &low) || !reader.Ints("edge_padding_high", &high) ||
      !reader.Ints("interior_padding", &interior)) {
    return false;
  }
  if (low.size() != high.size() || low.size() != interior.size()) {
    return Fail(op,
                "C2: edge_padding_low, edge_padding_high and interior_padding differ in length");
  }
  hlo::PaddingConfig padding;
  for (size_t i = 0; i < low.size(); ++i) padding.push_back({low[i], high[i], interior[i]});
  AttrMap attrs;
  attrs.Set(Attr::kPadding, std::move(padding));
  return Plain(op, frame, Opcode::kPad, std::move(attrs));
}

bool Converter::ConvertDynamicSlice(const Operation& op, Frame& frame) {
  Ints sizes;
  AttrMap attrs;
  if (!OpReader(op, errors_).Ints("slice_sizes", &sizes)) return false;
  attrs.Set(Attr::kDynamicSliceSizes, std::move(sizes));
  return Plain(op, frame, Opcode::kDynamicSlice, std::move(attrs));
}

bool Converter::ConvertReducePrecision(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  int64_t exponent = 0;
  int64_t mantissa = 0;
  if (!reader.Int("exponent_bits", &exponent) || !reader.Int("mantissa_bits", &mantissa)) {
    return false;
  }
  AttrMap attrs;
  attrs.Set(Attr::kExponentBits, exponent);
  attrs.Set(Attr::kMantissaBits, mantissa);
  return Plain(op, frame, Opcode::kReducePrecision, std::move(attrs));
}

bool Converter::ConvertGetTupleElement(const Operation& op, Frame& frame) {
  int64_t index = 0;
  AttrMap attrs;
  if (!OpReader(op, errors_).Int("index", &index)) return false;
  attrs.Set(Attr::kIndex, index);
  return Plain(op, frame, Opcode::kGetTupleElement, std::move(attrs));
}

// Deprecated: makes a token.
bool Converter::ConvertCreateToken(const Operation& op, Frame& frame) {
  return Plain(op, frame, Opcode::kAfterAll);
}

bool Converter::ConvertIgnored(const Operation&, Frame&) { return true; }

bool Converter::ConvertIdentity(const Operation& op, Frame& frame) {
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (operands.size() != op.results.size()) return Fail(op, "needs one operand per result");
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!mlir::SameType(*op.operands[i]->type, *op.results[i]->type)) {
      return Fail(op, "the result's type must be the operand's");
    }
    frame.values[op.results[i].get()] = operands[i];
  }
  return true;
}

const absl::flat_hash_map<absl::string_view, Converter::Handler>& Converter::Handlers() {
  static const auto* handlers = [] {
    auto* made = new absl::flat_hash_map<absl::string_view, Handler>{
        {"func.call", &Converter::ConvertCall},
        {"sdy.manual_computation", &Converter::ConvertManualComputation},
        {"sdy.mesh", &Converter::ConvertIgnored},
        {"sdy.sharding_constraint", &Converter::ConvertShardingConstraint},
        {"stablehlo.all_gather", &Converter::ConvertCollective},
        {"stablehlo.all_reduce", &Converter::ConvertCollective},
        {"stablehlo.all_to_all", &Converter::ConvertCollective},
        {"stablehlo.async_done", &Converter::ConvertAsyncDone},
        {"stablehlo.async_start", &Converter::ConvertAsyncStart},
        {"stablehlo.batch_norm_grad", &Converter::ConvertBatchNorm},
        {"stablehlo.batch_norm_inference", &Converter::ConvertBatchNorm},
        {"stablehlo.batch_norm_training", &Converter::ConvertBatchNorm},
        {"stablehlo.broadcast", &Converter::ConvertBroadcast},
        {"stablehlo.broadcast_in_dim", &Converter::ConvertBroadcastInDim},
        {"stablehlo.case", &Converter::ConvertCase},
        {"stablehlo.collective_broadcast", &Converter::ConvertCollectiveBroadcast},
        {"stablehlo.collective_permute", &Converter::ConvertCollective},
        {"stablehlo.collective_reduce", &Converter::ConvertCollectiveReduce},
        {"stablehlo.cholesky", &Converter::ConvertCholesky},
        {"stablehlo.compare", &Converter::ConvertCompare},
        {"stablehlo.composite", &Converter::ConvertComposite},
        {"stablehlo.concatenate", &Converter::ConvertConcatenate},
        {"stablehlo.constant", &Converter::ConvertConstant},
        {"stablehlo.convolution", &Converter::ConvertConvolution},
        {"stablehlo.create_token", &Converter::ConvertCreateToken},
        {"stablehlo.cross-replica-sum", &Converter::ConvertCrossReplicaSum},
        {"stablehlo.custom_call", &Converter::ConvertCustomCall},
        {"stablehlo.dot", &Converter::ConvertDot},
        {"stablehlo.dot_general", &Converter::ConvertDotGeneral},
        {"stablehlo.dynamic_broadcast_in_dim", &Converter::ConvertDynamicBroadcastInDim},
        {"stablehlo.dynamic_conv", &Converter::ConvertConvolution},
        {"stablehlo.dynamic_gather", &Converter::ConvertGather},
        {"stablehlo.dynamic_iota", &Converter::ConvertDynamicIota},
        {"stablehlo.dynamic_slice", &Converter::ConvertDynamicSlice},
        {"stablehlo.einsum", &Converter::ConvertEinsum},
        {"stablehlo.fft", &Converter::ConvertFft},
        {"stablehlo.gather", &Converter::ConvertGather},
        {"stablehlo.get_dimension_size", &Converter::ConvertDimensionSize},
        {"stablehlo.get_tuple_element", &Converter::ConvertGetTupleElement},
        {"stablehlo.if", &Converter::ConvertIf},
        {"stablehlo.infeed", &Converter::ConvertInfeed},
        {"stablehlo.iota", &Converter::ConvertIota},
        {"stablehlo.map", &Converter::ConvertMap},
        {"stablehlo.outfeed", &Converter::ConvertOutfeed},
        {"stablehlo.pad", &Converter::ConvertPad},
        {"stablehlo.recv", &Converter::ConvertRecv},
        {"stablehlo.reduce", &Converter::ConvertReduce},
        {"stablehlo.reduce_precision", &Converter::ConvertReducePrecision},
        {"stablehlo.reduce_scatter", &Converter::ConvertCollective},
        {"stablehlo.reduce_window", &Converter::ConvertReduceWindow},
        {"stablehlo.reverse", &Converter::ConvertReverse},
        {"stablehlo.rng", &Converter::ConvertRng},
        {"stablehlo.rng_bit_generator", &Converter::ConvertRngBitGenerator},
        {"stablehlo.scatter", &Converter::ConvertScatter},
        {"stablehlo.select_and_scatter", &Converter::ConvertSelectAndScatter},
        {"stablehlo.send", &Converter::ConvertSend},
        {"stablehlo.set_dimension_size", &Converter::ConvertDimensionSize},
        {"stablehlo.slice", &Converter::ConvertSlice},
        {"stablehlo.sort", &Converter::ConvertSort},
        {"stablehlo.torch_index_select", &Converter::ConvertTorchIndexSelect},
        {"stablehlo.transpose", &Converter::ConvertTranspose},
        {"stablehlo.unary_einsum", &Converter::ConvertEinsum},
        {"stablehlo.triangular_solve", &Converter::ConvertTriangularSolve},
        {"stablehlo.while", &Converter::ConvertWhile},
    };
    AddChloHandlers(*made);
    return made;
  }();
  return *handlers;
}

}  // namespace halyard::stablehlo
