// Contractions, reductions, windows, linear algebra, random numbers.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/stablehlo/dot_algorithms.h"
#include "frontend/stablehlo/write/module.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;
using mlir::Operation;

void Writer::SetPrecision(const Instruction& inst, Operation* op) {
  if (!inst.Has(Attr::kOperandPrecision)) return;
  std::vector<const Attribute*> words;
  for (const std::string& word : inst.GetWords(Attr::kOperandPrecision)) {
    words.push_back(nodes_.Enum("precision", absl::AsciiStrToUpper(word)));
  }
  Set(op, "precision_config", nodes_.Array(std::move(words)));
}

bool Writer::WriteDot(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "dot_dimension_numbers",
      nodes_.Struct(
          "dot",
          {{"lhs_batching_dimensions", nodes_.Ints(inst.GetInts(Attr::kLhsBatchDims))},
           {"rhs_batching_dimensions", nodes_.Ints(inst.GetInts(Attr::kRhsBatchDims))},
           {"lhs_contracting_dimensions", nodes_.Ints(inst.GetInts(Attr::kLhsContractingDims))},
           {"rhs_contracting_dimensions", nodes_.Ints(inst.GetInts(Attr::kRhsContractingDims))}}));
  SetPrecision(inst, op);
  if (!inst.Has(Attr::kAlgorithm)) return true;
  const DotAlgorithm* algorithm = FindDotAlgorithm(inst.GetString(Attr::kAlgorithm));
  if (algorithm == nullptr) {
    return Fail(inst,
                absl::StrCat("StableHLO has no algorithm ", inst.GetString(Attr::kAlgorithm)));
  }
  auto type = [&](absl::string_view name) {
    mlir::Type* made = document_.NewType(mlir::TypeKind::kFloat, 0);
    made->name = std::string(name);
    return nodes_.TypeAttribute(made);
  };
  Set(op, "algorithm",
      nodes_.Struct("dot_algorithm",
                    {{"lhs_precision_type", type(algorithm->operand)},
                     {"rhs_precision_type", type(algorithm->operand)},
                     {"accumulation_type", type(algorithm->accumulator)},
                     {"lhs_component_count", nodes_.Int(1)},
                     {"rhs_component_count", nodes_.Int(1)},
                     {"num_primitive_operations", nodes_.Int(algorithm->primitive_operations)},
                     {"allow_imprecise_accumulation", nodes_.Bool(algorithm->imprecise)}}));
  return true;
}

bool Writer::WriteConvolution(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  const hlo::ConvDims& dims = inst.GetConvDims();
  Set(op, "dimension_numbers",
      nodes_.Struct("conv",
                    {{"input_batch_dimension", nodes_.Int(dims.input_batch)},
                     {"input_feature_dimension", nodes_.Int(dims.input_feature)},
                     {"input_spatial_dimensions", nodes_.Ints(dims.input_spatial)},
                     {"kernel_input_feature_dimension", nodes_.Int(dims.kernel_input_feature)},
                     {"kernel_output_feature_dimension", nodes_.Int(dims.kernel_output_feature)},
                     {"kernel_spatial_dimensions", nodes_.Ints(dims.kernel_spatial)},
                     {"output_batch_dimension", nodes_.Int(dims.output_batch)},
                     {"output_feature_dimension", nodes_.Int(dims.output_feature)},
                     {"output_spatial_dimensions", nodes_.Ints(dims.output_spatial)}}));
  Ints strides, lhs_dilation, rhs_dilation;
  hlo::IntLists padding;
  std::vector<bool> reversal;
  for (const hlo::WindowDim& dim : inst.GetWindow().dims) {
    strides.push_back(dim.stride);
    padding.push_back({dim.pad_low, dim.pad_high});
    lhs_dilation.push_back(dim.base_dilation);
    rhs_dilation.push_back(dim.window_dilation);
    reversal.push_back(dim.reversal);
  }
  if (!strides.empty()) {
    Set(op, "window_strides", nodes_.Ints(strides));
    if (inst.opcode == Opcode::kConvolution) Set(op, "padding", nodes_.Matrix(padding));
    Set(op, "lhs_dilation", nodes_.Ints(lhs_dilation));
    Set(op, "rhs_dilation", nodes_.Ints(rhs_dilation));
    Set(op, "window_reversal", nodes_.Bools(reversal));
  }
  Set(op, "feature_group_count", nodes_.Int(inst.GetInt(Attr::kFeatureGroupCount, 1)));
  Set(op, "batch_group_count", nodes_.Int(inst.GetInt(Attr::kBatchGroupCount, 1)));
  SetPrecision(inst, op);
  return true;
}

bool Writer::WriteWindowed(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Ints sizes, strides, base_dilations, window_dilations;
  hlo::IntLists padding;
  bool reversed = false, dilated = false;
  for (const hlo::WindowDim& dim : inst.GetWindow().dims) {
    sizes.push_back(dim.size);
    strides.push_back(dim.stride);
    padding.push_back({dim.pad_low, dim.pad_high});
    base_dilations.push_back(dim.base_dilation);
    window_dilations.push_back(dim.window_dilation);
    reversed = reversed || dim.reversal;
    dilated = dilated || dim.base_dilation != 1 || dim.window_dilation != 1;
  }
  if (reversed) return Fail(inst, "StableHLO has no reversed windows here");
  Set(op, "window_dimensions", nodes_.Ints(sizes));
  Set(op, "window_strides", nodes_.Ints(strides));
  if (!padding.empty()) Set(op, "padding", nodes_.Matrix(padding));
  if (inst.opcode == Opcode::kReduceWindow) {
    Set(op, "base_dilations", nodes_.Ints(base_dilations));
    Set(op, "window_dilations", nodes_.Ints(window_dilations));
  } else if (dilated) {
    return Fail(inst, "StableHLO has no dilated windows here");
  }
  for (const hlo::Computation* computation : inst.called) {
    if (!WriteRegion(*computation, op)) return false;
  }
  return true;
}

bool Writer::WriteReduction(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  if (inst.opcode == Opcode::kSort) {
    if (dims.size() != 1) return Fail(inst, "needs one dimension");
    Set(op, "dimension", nodes_.Int(dims[0]));
    Set(op, "is_stable", nodes_.Bool(inst.GetBool(Attr::kIsStable)));
  } else {
    Set(op, "dimensions", nodes_.Ints(dims));
  }
  return WriteRegion(*inst.called[0], op);
}

bool Writer::WriteFft(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "fft_type", nodes_.Enum("fft_type", inst.GetString(Attr::kFftType)));
  Set(op, "fft_length", nodes_.Ints(inst.GetInts(Attr::kFftLength)));
  return true;
}

bool Writer::WriteCholesky(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "lower", nodes_.Bool(inst.GetBool(Attr::kLower)));
  return true;
}

bool Writer::WriteTriangularSolve(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "left_side", nodes_.Bool(inst.GetBool(Attr::kLeftSide)));
  Set(op, "lower", nodes_.Bool(inst.GetBool(Attr::kLower)));
  Set(op, "unit_diagonal", nodes_.Bool(inst.GetBool(Attr::kUnitDiagonal)));
  Set(op, "transpose_a",
      nodes_.Enum("transpose", inst.Has(Attr::kTransposeA) ? inst.GetString(Attr::kTransposeA)
                                                           : "NO_TRANSPOSE"));
  return true;
}

bool Writer::WriteBatchNorm(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  Set(op, "epsilon", nodes_.F32(inst.GetFloat(Attr::kEpsilon)));
  Set(op, "feature_index", nodes_.Int(inst.GetInt(Attr::kFeatureIndex)));
  return true;
}

// The result's shape is an operand there.
bool Writer::WriteRng(const Instruction& inst, Frame& frame) {
  if (inst.operands.size() != 2) return Fail(inst, "StableHLO has no rng with a state");
  Values operands;
  if (!OperandLeaves(inst, frame, &operands)) return false;
  const hlo::Literal sizes =
      hlo::Literal::FromValues<int64_t>(ElementType::kS64, {inst.shape.rank()}, inst.shape.dims());
  Operation* shape = Op(frame, "stablehlo.constant", {}, {nodes_.TypeOf(sizes.shape())});
  Set(shape, "value", nodes_.Dense(sizes));
  operands.push_back(shape->results[0].get());
  Operation* op = Op(frame, "stablehlo.rng", std::move(operands), {nodes_.TypeOf(inst.shape)});
  absl::string_view word = inst.GetString(Attr::kDistribution);
  absl::ConsumePrefix(&word, "rng_");
  Set(op, "rng_distribution", nodes_.Enum("rng_distribution", absl::AsciiStrToUpper(word)));
  frame.values[&inst] = {.value = op->results[0].get()};
  return true;
}

bool Writer::WriteRngBitGenerator(const Instruction& inst, Frame& frame) {
  Operation* op = Leafwise(inst, frame);
  if (op == nullptr) return false;
  absl::string_view word = inst.GetString(Attr::kAlgorithm);
  absl::ConsumePrefix(&word, "rng_");
  Set(op, "rng_algorithm", nodes_.Enum("rng_algorithm", absl::AsciiStrToUpper(word)));
  return true;
}

}  // namespace halyard::stablehlo
