// Turns ops with several results, some complex and some real, into ops on real parts, because the
// outputs of one kernel are all complex or all real.
#include <algorithm>

#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

bool IsMixed(const Instruction& inst) {
  if (inst.opcode != Opcode::kReduce && inst.opcode != Opcode::kReduceWindow &&
      inst.opcode != Opcode::kScatter) {
    return false;
  }
  if (!inst.shape.IsTuple()) return false;
  const std::vector<Shape>& leaves = inst.shape.elements();
  auto complex = std::count_if(leaves.begin(), leaves.end(), [](const Shape& leaf) {
    return hlo::IsComplex(leaf.element_type());
  });
  return complex > 0 && complex < static_cast<int64_t>(leaves.size());
}

Shape PartShape(const Shape& shape) {
  return hlo::IsComplex(shape.element_type())
             ? shape.WithElementType(hlo::PartType(shape.element_type()))
             : shape;
}

// Returns (re, im) for a complex value, and the value itself for a real one; `add` makes an
// instruction.
template <typename Add>
void AppendParts(Instruction* value, const Add& add, std::vector<Instruction*>* parts) {
  if (!hlo::IsComplex(value->shape.element_type())) {
    parts->push_back(value);
    return;
  }
  const Shape part = PartShape(value->shape);
  parts->push_back(add(Opcode::kReal, part, {value}));
  parts->push_back(add(Opcode::kImag, part, {value}));
}

Computation* SplitBody(hlo::Module& module, const Computation& body) {
  Computation* split = module.AddComputation(body.name() + ".parts");
  auto add = [&](Opcode opcode, const Shape& shape, std::vector<Instruction*> operands) {
    return split->Add(opcode, shape, std::move(operands));
  };
  std::vector<Instruction*> arguments;
  for (const Instruction* parameter : body.parameters()) {
    const Shape part = PartShape(parameter->shape);
    Instruction* first = split->AddParameter(split->num_parameters(), part);
    if (!hlo::IsComplex(parameter->shape.element_type())) {
      arguments.push_back(first);
      continue;
    }
    Instruction* second = split->AddParameter(split->num_parameters(), part);
    arguments.push_back(add(Opcode::kComplex, parameter->shape, {first, second}));
  }
  Instruction* root = InlineInto(body, arguments, split);
  std::vector<Instruction*> results;
  std::vector<Shape> shapes;
  for (size_t i = 0; i < root->shape.elements().size(); ++i) {
    Instruction* leaf = root->opcode == Opcode::kTuple
                            ? root->operands[i]
                            : split->Add(Opcode::kGetTupleElement, root->shape.elements()[i],
                                         {root}, OneAttr(Attr::kIndex, static_cast<int64_t>(i)));
    AppendParts(leaf, add, &results);
  }
  for (const Instruction* result : results) shapes.push_back(result->shape);
  split->set_root(split->Add(Opcode::kTuple, Shape::Tuple(shapes), results));
  split->SortTopologically();
  return split;
}

Instruction* Split(hlo::Module& module, Rewriter& rewriter, const Instruction& inst) {
  auto add = [&](Opcode opcode, const Shape& shape, std::vector<Instruction*> operands) {
    return rewriter.Add(inst, opcode, shape, std::move(operands));
  };
  std::vector<Instruction*> operands;
  for (Instruction* operand : inst.operands) AppendParts(operand, add, &operands);
  std::vector<Shape> shapes;
  for (const Shape& leaf : inst.shape.elements()) {
    shapes.push_back(PartShape(leaf));
    if (hlo::IsComplex(leaf.element_type())) shapes.push_back(PartShape(leaf));
  }
  Instruction* split = rewriter.Add(inst, inst.opcode, Shape::Tuple(shapes), std::move(operands),
                                    inst.attrs, {SplitBody(module, *inst.called[0])});
  std::vector<Instruction*> results;
  int64_t next = 0;
  for (const Shape& leaf : inst.shape.elements()) {
    Instruction* first = rewriter.AddGetTupleElement(inst, split, next++);
    if (!hlo::IsComplex(leaf.element_type())) {
      results.push_back(first);
      continue;
    }
    results.push_back(
        add(Opcode::kComplex, leaf, {first, rewriter.AddGetTupleElement(inst, split, next++)}));
  }
  return add(Opcode::kTuple, inst.shape, results);
}

}  // namespace

absl::Status SplitComplex(hlo::Module& module) {
  return RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    if (!IsMixed(*inst)) return absl::OkStatus();
    Instruction* tuple = Split(module, rewriter, *inst);
    for (Instruction* user : rewriter.Snapshot()) {
      if (user->opcode == Opcode::kGetTupleElement && user->operands[0] == inst)
        rewriter.Replace(user, tuple->operands[user->GetInt(Attr::kIndex)]);
    }
    rewriter.Replace(inst, tuple);
    return absl::OkStatus();
  });
}

}  // namespace halyard::lowering
