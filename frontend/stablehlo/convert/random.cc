// Random numbers, batch normalisations and sizes of dimensions.
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/constant_value.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

// The shape is an operand here, and part of the result's type in HLO.
bool Converter::ConvertRng(const Operation& op, Frame& frame) {
  std::string distribution;
  Instructions operands;
  if (!OpReader(op, errors_).Word("rng_distribution", "rng_distribution", &distribution) ||
      !Operands(op, frame, &operands)) {
    return false;
  }
  if (operands.size() != 3) return Fail(op, "needs bounds and a shape");
  const Shape& sizes = operands[2]->shape;
  if (!sizes.IsArray() || sizes.rank() != 1 || sizes.IsDynamic() ||
      !hlo::IsInteger(sizes.element_type())) {
    return Fail(op,
                absl::StrCat("I3: the shape must be a vector of integers, is ", sizes.ToString()));
  }
  std::vector<Shape> results;
  if (!ResultShapes(op, &results)) return false;
  absl::StatusOr<hlo::Literal> dims = hlo::ConstantValue(*operands[2]);
  bool fits = results.size() == 1 && results[0].IsArray() && results[0].rank() == sizes.dim(0);
  for (int64_t i = 0; fits && dims.ok() && i < sizes.dim(0); ++i) {
    fits = hlo::SizesAgree({dims->GetInt(i)}, hlo::SizeOf(results[0], i));
    if (dims->GetInt(i) < 0) fits = false;
  }
  if (!fits) {
    return Fail(op, absl::StrCat("C3: the result's type does not have ",
                                 dims.ok() ? absl::StrCat("the dimensions ", dims->ToString())
                                           : absl::StrCat(sizes.dim(0), " dimensions")));
  }
  if (results[0].IsDynamic()) {
    CannotRun(op.offset, absl::StrCat("'", op.name,
                                      "': random numbers of sizes that the type does "
                                      "not say cannot be run"));
  }
  AttrMap attrs;
  attrs.Set(Attr::kDistribution, absl::StrCat("rng_", absl::AsciiStrToLower(distribution)));
  operands.pop_back();
  return Emit(op, frame, Opcode::kRng, std::move(operands), std::move(attrs));
}

bool Converter::ConvertRngBitGenerator(const Operation& op, Frame& frame) {
  std::string algorithm;
  if (!OpReader(op, errors_).Word("rng_algorithm", "rng_algorithm", &algorithm)) return false;
  AttrMap attrs;
  attrs.Set(Attr::kAlgorithm, absl::StrCat("rng_", absl::AsciiStrToLower(algorithm)));
  return Plain(op, frame, Opcode::kRngBitGenerator, std::move(attrs));
}

bool Converter::ConvertBatchNorm(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  double epsilon = 0;
  int64_t feature = 0;
  Opcode opcode;
  if (!reader.Float("epsilon", &epsilon) || !reader.Int("feature_index", &feature) ||
      !OpcodeOf(op, &opcode)) {
    return false;
  }
  AttrMap attrs;
  attrs.Set(Attr::kEpsilon, epsilon);
  attrs.Set(Attr::kFeatureIndex, feature);
  return Plain(op, frame, opcode, std::move(attrs));
}

bool Converter::ConvertDimensionSize(const Operation& op, Frame& frame) {
  int64_t dimension = 0;
  Opcode opcode;
  if (!OpReader(op, errors_).Int("dimension", &dimension) || !OpcodeOf(op, &opcode)) return false;
  AttrMap attrs;
  attrs.Set(Attr::kDimensions, Ints{dimension});
  return ConstantSizeAgrees(op, frame, dimension) && Plain(op, frame, opcode, std::move(attrs));
}

// If the size is a constant, it is the size of the result, whose type may leave it open.
bool Converter::ConstantSizeAgrees(const Operation& op, Frame& frame, int64_t dimension) {
  if (op.name != "stablehlo.set_dimension_size" || op.operands.size() != 2) return true;
  Instruction* size = nullptr;
  if (!Operand(op, *op.operands[1], frame, &size)) return false;
  if (size->opcode != Opcode::kConstant || !hlo::IsInteger(size->shape.element_type()) ||
      size->shape.NumElements() != 1 || op.results.size() != 1) {
    return true;
  }
  const mlir::Type& result = *op.results[0]->type;
  if (dimension < 0 || dimension >= static_cast<int64_t>(result.dims.size())) return true;
  const int64_t given = result.dims[static_cast<size_t>(dimension)];
  const int64_t constant = size->literal.GetInt(0);
  if (given == mlir::kDynamic || given == constant) return true;
  return Fail(op, absl::StrCat("the size of dimension ", dimension, " is ", constant,
                               ", the result's type says ", given));
}

}  // namespace halyard::stablehlo
