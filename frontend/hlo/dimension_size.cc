// get-dimension-size and set-dimension-size. Sizes are static: a dimension can be set to its own
// size only.
#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate.h"
#include "frontend/hlo/infer.h"

namespace halyard::hlo {
namespace {

absl::Status RequireDimension(const Instruction& inst) {
  HLO_REQUIRE(inst.operand(0)->shape.IsArray(), "I1", "operand 0 must be an array, is ",
              inst.operand(0)->shape.ToString());
  const Ints& dims = inst.GetInts(Attr::kDimensions);
  HLO_REQUIRE(dims.size() == 1, "I2", "needs one dimension, has ", dims.size());
  return RequireDims("C1", "C1", "dimension", dims, inst.operand(0)->shape.rank());
}

}  // namespace

absl::StatusOr<Shape> InferGetDimensionSize(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireDimension(inst));
  const int64_t size = inst.operand(0)->shape.dim(inst.GetInts(Attr::kDimensions)[0]);
  HLO_REQUIRE(size <= INT32_MAX, "O1", "a size of ", size, " does not fit s32");
  return Shape::Scalar(ElementType::kS32);
}

absl::StatusOr<Shape> InferSetDimensionSize(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireDimension(inst));
  const Shape& size = inst.operand(1)->shape;
  HLO_REQUIRE(size.IsScalar() && size.element_type() == ElementType::kS32, "I2",
              "the size must be s32[], is ", size.ToString());
  return inst.operand(0)->shape.WithDefaultLayout();
}

absl::StatusOr<Literal> EvaluateGetDimensionSize(Evaluator&, const Instruction& inst,
                                                 absl::Span<const Literal>) {
  Literal size(inst.shape);
  size.SetInt(0, inst.operand(0)->shape.dim(inst.GetInts(Attr::kDimensions)[0]));
  return size;
}

absl::StatusOr<Literal> EvaluateSetDimensionSize(Evaluator&, const Instruction& inst,
                                                 absl::Span<const Literal> operands) {
  const int64_t dim = inst.GetInts(Attr::kDimensions)[0];
  const int64_t size = operands[1].GetInt(0), bound = inst.shape.dim(dim);
  if (size == bound) return operands[0];
  if (size < 0 || size > bound) {
    return absl::InvalidArgumentError(
        absl::StrCat("size ", size, " of dimension ", dim, " is not in [0, ", bound, "]"));
  }
  return absl::UnimplementedError(absl::StrCat("size ", size, " of dimension ", dim,
                                               " is not its bound ", bound,
                                               ": bounded sizes are not supported yet"));
}

}  // namespace halyard::hlo
