// Shapes and labelled constraints of the batch normalisations.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// Operand 0 and those from 1 on: floats of one type; the feature index.
absl::Status RequireFeatures(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const int64_t feature = inst.GetInt(Attr::kFeatureIndex);
  HLO_REQUIRE(IsFloat(operand.element_type()), "I1", "the operand must be of floats, is ",
              operand.ToString());
  HLO_REQUIRE(feature >= 0 && feature < operand.rank(), "C1", "feature_index ", feature,
              " is not in [0, ", operand.rank(), ")");
  for (size_t i = 1; i < inst.operands.size(); ++i) {
    ElementType type = inst.operands[i]->shape.element_type();
    HLO_REQUIRE(type == operand.element_type(), "C2", "operand ", i, " is of ", HloName(type),
                ", operand 0 of ", HloName(operand.element_type()));
  }
  return absl::OkStatus();
}

absl::Status RequireVector(const Instruction& inst, size_t i) {
  HLO_REQUIRE(inst.operands[i]->shape.rank() == 1, absl::StrCat("I", i + 1), "operand ", i,
              " must be a vector, is ", inst.operands[i]->shape.ToString());
  return absl::OkStatus();
}

absl::Status RequireFeatureVector(const Instruction& inst, size_t i, absl::string_view constraint) {
  HLO_RETURN_IF_ERROR(RequireVector(inst, i));
  const Shape& operand = inst.operand(0)->shape;
  const Size features = SizeOf(operand, inst.GetInt(Attr::kFeatureIndex));
  HLO_REQUIRE(SizesAgree(SizeOf(inst.operands[i]->shape, 0), features), constraint, "operand ", i,
              " has ", inst.operands[i]->shape.dim(0),
              " elements, the operand's feature dimension ", features.size);
  return absl::OkStatus();
}

Shape FeatureVector(const Instruction& inst) {
  const Shape& operand = inst.operand(0)->shape;
  return WithSizes(operand, {SizeOf(operand, inst.GetInt(Attr::kFeatureIndex))});
}

}  // namespace

absl::StatusOr<Shape> InferBatchNormInference(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireFeatures(inst));
  HLO_RETURN_IF_ERROR(RequireFeatureVector(inst, 1, "C3"));
  HLO_RETURN_IF_ERROR(RequireFeatureVector(inst, 2, "C4"));
  HLO_RETURN_IF_ERROR(RequireFeatureVector(inst, 3, "C5"));
  HLO_RETURN_IF_ERROR(RequireFeatureVector(inst, 4, "C6"));
  return inst.operand(0)->shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferBatchNormTraining(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireFeatures(inst));
  HLO_RETURN_IF_ERROR(RequireFeatureVector(inst, 1, "C3"));
  HLO_RETURN_IF_ERROR(RequireFeatureVector(inst, 2, "C4"));
  const Shape vector = FeatureVector(inst);
  return Shape::Tuple({inst.operand(0)->shape.WithDefaultLayout(), vector, vector});
}

absl::StatusOr<Shape> InferBatchNormGrad(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireFeatures(inst));
  const Shape& operand = inst.operand(0)->shape;
  HLO_REQUIRE(DimsAgree(inst.operand(4)->shape, operand), "C3", "grad_output is ",
              inst.operand(4)->shape.ToString(), ", the operand ", operand.ToString());
  for (size_t i : {1, 2, 3}) {
    HLO_RETURN_IF_ERROR(RequireVector(inst, i));
    HLO_REQUIRE(DimsAgree(inst.operands[i]->shape, inst.operand(1)->shape), "C4", "operand ", i,
                " is ", inst.operands[i]->shape.ToString(), ", scale is ",
                inst.operand(1)->shape.ToString());
  }
  HLO_RETURN_IF_ERROR(RequireFeatureVector(inst, 1, "C5"));
  const Shape vector = FeatureVector(inst);
  return Shape::Tuple({operand.WithDefaultLayout(), vector, vector});
}

}  // namespace halyard::hlo
