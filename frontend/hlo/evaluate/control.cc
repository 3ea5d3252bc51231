// Structure and control flow.
#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/shape_operands.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/ir/custom_call.h"
#include "frontend/hlo/ir/sort_order.h"

namespace halyard::hlo {

absl::StatusOr<Literal> EvaluateParameter(Evaluator&, const Instruction&,
                                          absl::Span<const Literal> operands) {
  return operands[0];
}

absl::StatusOr<Literal> EvaluateConstant(Evaluator&, const Instruction& inst,
                                         absl::Span<const Literal>) {
  return inst.literal;
}

absl::StatusOr<Literal> EvaluateTuple(Evaluator&, const Instruction&,
                                      absl::Span<const Literal> operands) {
  return Literal::Tuple({operands.begin(), operands.end()});
}

absl::StatusOr<Literal> EvaluateGetTupleElement(Evaluator&, const Instruction& inst,
                                                absl::Span<const Literal> operands) {
  return operands[0].elements()[inst.GetInt(Attr::kIndex)];
}

absl::StatusOr<Literal> EvaluateCall(Evaluator& evaluator, const Instruction& inst,
                                     absl::Span<const Literal> operands) {
  return evaluator.RunComputation(*inst.called[0], operands);
}

absl::StatusOr<Literal> EvaluateWhile(Evaluator& evaluator, const Instruction& inst,
                                      absl::Span<const Literal> operands) {
  Literal state = operands[0];
  for (int64_t iteration = 0;; ++iteration) {
    absl::StatusOr<Literal> proceed = evaluator.RunComputation(*inst.called[0], {state});
    if (!proceed.ok() || proceed->GetInt(0) == 0) return proceed.ok() ? state : proceed;
    if (evaluator.max_loop_iterations > 0 && iteration >= evaluator.max_loop_iterations) {
      return absl::ResourceExhaustedError(
          absl::StrCat("while ", inst.name, ": still running after ", iteration, " iterations"));
    }
    absl::StatusOr<Literal> next = evaluator.RunComputation(*inst.called[1], {state});
    if (!next.ok()) return next;
    state = *std::move(next);
  }
}

absl::StatusOr<Literal> EvaluateConditional(Evaluator& evaluator, const Instruction& inst,
                                            absl::Span<const Literal> operands) {
  int64_t branches = static_cast<int64_t>(inst.called.size());
  int64_t index = operands[0].GetInt(0);
  if (operands[0].shape().element_type() == ElementType::kPred) {
    index = index != 0 ? 0 : 1;  // the true branch comes first
  } else if (index < 0 || index >= branches) {
    index = branches - 1;
  }
  return evaluator.RunComputation(*inst.called[index], {operands[index + 1]});
}

bool IsAnnotation(const Instruction& custom_call) {
  const std::string& target = custom_call.GetString(Attr::kCustomCallTarget);
  return custom_call.operands.size() == 1 &&
         Shape::SameIgnoringLayout(custom_call.shape, custom_call.operand(0)->shape) &&
         (target == "Sharding" || target == "SPMDFullToShardShape" ||
          target == "SPMDShardToFullShape" || target == "annotate_device_placement" ||
          target == "LayoutConstraint");
}

absl::StatusOr<Literal> EvaluateCustomCall(Evaluator& evaluator, const Instruction& inst,
                                           absl::Span<const Literal> operands) {
  if (IsAnnotation(inst)) return operands[0];
  if (IsShapeAssertion(inst)) {
    absl::Status holds = CheckShapeAssertion(inst, operands);
    if (!holds.ok()) return holds;
    return Literal::Tuple({});
  }
  if (TopKOf(inst)) return EvaluateTopK(evaluator, inst, operands);
  if (!evaluator.custom_call) {
    return absl::UnimplementedError(absl::StrCat("no implementation of the custom call target ",
                                                 inst.GetString(Attr::kCustomCallTarget)));
  }
  absl::StatusOr<Literal> result = evaluator.custom_call(inst, operands);
  if (result.ok() && !Shape::SameIgnoringLayout(result->shape(), inst.shape)) {
    return absl::InternalError(absl::StrCat(inst.GetString(Attr::kCustomCallTarget), " gave ",
                                            result->shape().ToString(), ", must give ",
                                            inst.shape.ToString()));
  }
  return result;
}

absl::StatusOr<Literal> EvaluateIdentity(Evaluator& evaluator, const Instruction& inst,
                                         absl::Span<const Literal> operands) {
  return operands.size() == 1 ? operands[0] : EvaluateTuple(evaluator, inst, operands);
}

absl::StatusOr<Literal> EvaluateAfterAll(Evaluator&, const Instruction&,
                                         absl::Span<const Literal>) {
  return Literal::Token();
}

}  // namespace halyard::hlo
