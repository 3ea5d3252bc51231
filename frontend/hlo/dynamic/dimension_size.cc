// get-dimension-size and set-dimension-size.
#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/infer/infer.h"

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

// The dimension's size is the bound of the result's.
absl::StatusOr<Shape> InferSetDimensionSize(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireDimension(inst));
  const Shape& size = inst.operand(1)->shape;
  HLO_REQUIRE(size.IsScalar() && size.element_type() == ElementType::kS32, "I2",
              "the size must be s32[], is ", size.ToString());
  const Shape& operand = inst.operand(0)->shape;
  std::vector<Size> sizes = SizesOf(operand);
  Size& set = sizes[inst.GetInts(Attr::kDimensions)[0]];
  set.bounded = set.size != Shape::kUnbounded;
  return WithSizes(operand, sizes);
}

absl::StatusOr<Literal> EvaluateGetDimensionSize(Evaluator&, const Instruction& inst,
                                                 absl::Span<const Literal> operands) {
  Literal size(inst.shape);
  size.SetInt(0, operands[0].shape().dim(inst.GetInts(Attr::kDimensions)[0]));
  return size;
}

}  // namespace halyard::hlo
