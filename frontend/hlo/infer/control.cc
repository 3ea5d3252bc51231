// Shapes and labelled constraints of the structural and control-flow ops.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// `callee` takes exactly one parameter of shape `argument`.
absl::Status RequireOneParameter(absl::string_view constraint, absl::string_view name,
                                 const Computation& callee, const Shape& argument) {
  HLO_REQUIRE(callee.num_parameters() == 1, constraint, name, " must have one parameter, has ",
              callee.num_parameters());
  const Shape& parameter = callee.parameters()[0]->shape;
  HLO_REQUIRE(ShapesAgree(parameter, argument), constraint, name, " takes ", parameter.ToString(),
              " but is given ", argument.ToString());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferGiven(const Instruction& inst) { return inst.shape; }

absl::StatusOr<Shape> InferConstant(const Instruction& inst) {
  HLO_REQUIRE(Shape::SameIgnoringLayout(inst.shape.Storage(), inst.literal.shape()), "C1",
              "the value is ", inst.literal.shape().ToString(), ", the result ",
              inst.shape.ToString());
  return inst.shape;
}

absl::StatusOr<Shape> InferTuple(const Instruction& inst) {
  std::vector<Shape> shapes;
  for (const Instruction* operand : inst.operands) {
    shapes.push_back(operand->shape.WithDefaultLayout());
  }
  return Shape::Tuple(std::move(shapes));
}

absl::StatusOr<Shape> InferGetTupleElement(const Instruction& inst) {
  const Shape& operand = inst.operand(0)->shape;
  int64_t index = inst.GetInt(Attr::kIndex);
  HLO_REQUIRE(operand.IsTuple(), "I1", "the operand must be a tuple, is ", operand.ToString());
  HLO_REQUIRE(index >= 0 && index < static_cast<int64_t>(operand.elements().size()), "C1", "index ",
              index, " is not in [0, ", operand.elements().size(), ")");
  return operand.elements()[index].WithDefaultLayout();
}

absl::StatusOr<Shape> InferCall(const Instruction& inst) {
  const Computation& callee = *inst.called[0];
  HLO_REQUIRE(callee.parameters().size() == inst.operands.size(), "C3", callee.name(), " takes ",
              callee.num_parameters(), " arguments, is given ", inst.operands.size());
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Shape& parameter = callee.parameters()[i]->shape;
    HLO_REQUIRE(ShapesAgree(parameter, inst.operands[i]->shape), "C3", "argument ", i, " of ",
                callee.name(), " must be ", parameter.ToString(), ", is ",
                inst.operands[i]->shape.ToString());
  }
  return callee.root()->shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferWhile(const Instruction& inst) {
  const Shape& state = inst.operand(0)->shape;
  const Computation& condition = *inst.called[0];
  const Computation& body = *inst.called[1];
  HLO_RETURN_IF_ERROR(RequireOneParameter("C1", "the condition", condition, state));
  const Shape& flag = condition.root()->shape;
  HLO_REQUIRE(flag.IsScalar() && flag.element_type() == ElementType::kPred, "C1",
              "the condition must give pred[], gives ", flag.ToString());
  HLO_RETURN_IF_ERROR(RequireOneParameter("C2", "the body", body, state));
  HLO_REQUIRE(ShapesAgree(body.root()->shape, state), "C2", "the body gives ",
              body.root()->shape.ToString(), ", the state is ", state.ToString());
  return state.WithDefaultLayout();
}

absl::StatusOr<Shape> InferConditional(const Instruction& inst) {
  const Shape& index = inst.operand(0)->shape;
  size_t branches = inst.called.size();
  HLO_REQUIRE(branches >= 1, "C1", "needs a branch");
  bool is_pred = index.IsScalar() && index.element_type() == ElementType::kPred;
  HLO_REQUIRE(is_pred || (index.IsScalar() && index.element_type() == ElementType::kS32), "I1",
              "the index must be pred[] or s32[], is ", index.ToString());
  HLO_REQUIRE(!is_pred || branches == 2, "C1", "a pred chooses between two branches, has ",
              branches);
  // The labels of StableHLO's `if` and `case`.
  const absl::string_view no_inputs = is_pred ? "C1" : "C2";
  HLO_REQUIRE(inst.operands.size() == branches + 1, no_inputs, "needs one operand per branch, has ",
              inst.operands.size() - 1, " for ", branches);
  const Shape& result = inst.called[0]->root()->shape;
  for (size_t i = 0; i < branches; ++i) {
    const Computation& branch = *inst.called[i];
    HLO_RETURN_IF_ERROR(RequireOneParameter(no_inputs, absl::StrCat("branch ", i), branch,
                                            inst.operands[i + 1]->shape));
    HLO_REQUIRE(ShapesAgree(branch.root()->shape, result), is_pred ? "C2" : "C3", "branch ", i,
                " gives ", branch.root()->shape.ToString(), ", branch 0 gives ", result.ToString());
  }
  return result.WithDefaultLayout();
}

absl::StatusOr<Shape> InferIdentity(const Instruction& inst) {
  if (inst.operands.size() == 1) return inst.operand(0)->shape.WithDefaultLayout();
  return InferTuple(inst);
}

absl::StatusOr<Shape> InferAfterAll(const Instruction& inst) {
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    HLO_REQUIRE(inst.operands[i]->shape.IsToken(), "I1", "operand ", i, " must be a token, is ",
                inst.operands[i]->shape.ToString());
  }
  return Shape::Token();
}

}  // namespace halyard::hlo
