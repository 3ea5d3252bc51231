#include "frontend/hlo/evaluate/batch_body.h"

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/decoded.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {
namespace {

bool RunsWide(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
      return inst.shape.IsScalar();
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return true;
    case Opcode::kBitcastConvert:
      return inst.shape.IsScalar();
    default:
      return RowOf(inst.opcode).elementwise && inst.called.empty() && inst.shape.IsScalar();
  }
}

Shape Widened(const Shape& shape, int64_t count) {
  if (!shape.IsTuple()) return shape.WithDims({count});
  std::vector<Shape> elements;
  for (const Shape& element : shape.elements()) elements.push_back(Widened(element, count));
  return Shape::Tuple(std::move(elements));
}

void Flatten(const Literal& literal, std::vector<Literal>* leaves) {
  if (!literal.shape().IsTuple()) return leaves->push_back(literal);
  for (const Literal& element : literal.elements()) Flatten(element, leaves);
}

}  // namespace

BatchBody::BatchBody(Evaluator* evaluator, const Computation& body)
    : evaluator_(evaluator), body_(body) {
  for (const auto& inst : body.instructions()) elementwise_ = elementwise_ && RunsWide(*inst);
}

void BatchBody::Widen(int64_t count) {
  if (count == count_) return;
  count_ = count;
  steps_.clear();
  std::unordered_map<const Instruction*, int> positions;
  for (const auto& inst : body_.instructions()) {
    positions[inst.get()] = static_cast<int>(steps_.size());
    Step& step = steps_.emplace_back(Step{*inst, {}});
    step.inst.shape = Widened(inst->shape, count);
    if (inst->opcode == Opcode::kConstant) {
      step.inst.literal = Literal::Splat(step.inst.shape, inst->literal);
    }
    for (const Instruction* operand : inst->operands) {
      step.operands.push_back(positions.at(operand));
    }
  }
  root_ = positions.at(body_.root());
}

absl::StatusOr<std::vector<Literal>> BatchBody::Run(absl::Span<const Literal> arguments,
                                                    int64_t count) {
  if (!elementwise_) return RunOneByOne(arguments, count);
  Widen(count);
  std::vector<Literal> values(steps_.size());
  std::vector<Literal> operands;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Instruction& inst = steps_[i].inst;
    operands.clear();
    if (inst.opcode == Opcode::kParameter) operands.push_back(arguments[inst.parameter_number]);
    for (int operand : steps_[i].operands) operands.push_back(values[operand]);
    absl::StatusOr<Literal> value = EvaluateInstruction(*evaluator_, inst, operands);
    if (!value.ok()) return value.status();
    values[i] = *std::move(value);
  }
  std::vector<Literal> leaves;
  Flatten(values[root_], &leaves);
  return leaves;
}

absl::StatusOr<std::vector<Literal>> BatchBody::RunOneByOne(absl::Span<const Literal> arguments,
                                                            int64_t count) {
  std::vector<Literal> results;
  for (const Shape& leaf : FlattenShape(body_.root()->shape)) {
    results.push_back(Literal(Widened(leaf, count)));
  }
  std::vector<Literal> set;
  for (const Instruction* parameter : body_.parameters()) {
    set.push_back(Literal(parameter->shape.WithDefaultLayout()));
  }
  for (int64_t i = 0; i < count; ++i) {
    for (size_t p = 0; p < set.size(); ++p) set[p].CopyElement(0, arguments[p], i);
    absl::StatusOr<Literal> value = evaluator_->RunComputation(body_, set);
    if (!value.ok()) return value.status();
    std::vector<Literal> leaves;
    Flatten(*value, &leaves);
    for (size_t r = 0; r < results.size(); ++r) results[r].CopyElement(i, leaves[r], 0);
  }
  return results;
}

}  // namespace halyard::hlo
