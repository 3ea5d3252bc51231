// Instructions of dynamic programs: their static form, for the operands at hand, is evaluated.
#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/static_form.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {

absl::StatusOr<Literal> EvaluateDynamic(Evaluator& evaluator, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  Module scratch(inst.name);
  Computation* computation = scratch.AddComputation(inst.name);
  std::vector<Instruction*> parameters;
  std::vector<const Literal*> known;
  for (size_t i = 0; i < operands.size(); ++i) {
    Shape shape = operands[i].shape().WithDefaultLayout();
    if (shape.IsArray()) {
      shape = shape.WithQuantization(inst.operands[i]->shape.shared_quantization());
    }
    parameters.push_back(computation->AddParameter(static_cast<int64_t>(i), std::move(shape)));
    known.push_back(&operands[i]);
  }
  absl::StatusOr<StaticForm> form = AddStaticForm(inst, parameters, known, computation,
                                                  [](Computation* callee) { return callee; });
  if (!form.ok()) return form.status();
  std::unordered_map<const Instruction*, Literal> values;
  for (size_t i = 0; i < operands.size(); ++i) values[parameters[i]] = operands[i];
  for (const auto& step : computation->instructions()) {
    if (step->opcode == Opcode::kParameter) continue;
    std::vector<Literal> inputs;
    for (const Instruction* operand : step->operands) inputs.push_back(values.at(operand));
    absl::StatusOr<Literal> value = EvaluateInstruction(evaluator, *step, inputs);
    if (!value.ok()) return value;
    values[step.get()] = *std::move(value);
  }
  return values.at(form->result);
}

}  // namespace halyard::hlo
