// Loops of a GPU whose condition follows from a few scalar integers keep those on the host. The
// scalars' part of condition and body is repeated there, on state elements of its own, so that no
// iteration waits for the device. The device's own copies of these scalars stay for kernels that
// index by them, and disappear if there is no such kernel.
#include <algorithm>
#include <set>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

constexpr size_t kMaxHostOps = 8;

bool IsStateElement(const Instruction& inst) {
  return inst.opcode == Opcode::kGetTupleElement && inst.operand(0)->opcode == Opcode::kParameter;
}

bool IsHostScalar(const Instruction& inst) {
  return inst.shape.IsScalar() && (hlo::IsInteger(inst.shape.element_type()) ||
                                   inst.shape.element_type() == hlo::ElementType::kPred);
}

// Collects what must be computed for `root`: scalar integer ops in order, and the state elements
// that they read. Returns false if it needs anything else.
bool CollectSlice(Instruction* root, std::vector<Instruction*>* ops, std::set<int64_t>* elements) {
  if (!IsHostScalar(*root)) return false;
  if (std::find(ops->begin(), ops->end(), root) != ops->end()) return true;
  if (IsStateElement(*root)) {
    elements->insert(root->GetInt(Attr::kIndex));
    return true;
  }
  if (root->opcode != Opcode::kConstant) {
    if (!hlo::RowOf(root->opcode).elementwise || ops->size() >= kMaxHostOps) return false;
    for (Instruction* operand : root->operands) {
      if (!CollectSlice(operand, ops, elements)) return false;
    }
  }
  ops->push_back(root);
  return true;
}

// Returns the state elements that the condition needs, directly or through the body.
bool CollectElements(const Instruction& loop, std::set<int64_t>* elements) {
  const Instruction* next = loop.called[1]->root();
  std::vector<Instruction*> ops;
  if (next->opcode != Opcode::kTuple || !CollectSlice(loop.called[0]->root(), &ops, elements)) {
    return false;
  }
  std::vector<int64_t> work(elements->begin(), elements->end());
  ops.clear();
  while (!work.empty()) {
    std::set<int64_t> found;
    if (!CollectSlice(next->operands[work.back()], &ops, &found)) return false;
    work.pop_back();
    for (int64_t element : found) {
      if (elements->insert(element).second) work.push_back(element);
    }
  }
  return true;
}

// Copies `root` and what it needs, for the host's state elements.
Instruction* CopyToHost(Rewriter& rewriter, Instruction* root, const std::vector<int64_t>& places,
                        std::unordered_map<Instruction*, Instruction*>* copies) {
  if (auto found = copies->find(root); found != copies->end()) return found->second;
  Instruction* copy;
  if (IsStateElement(*root)) {
    copy =
        rewriter.AddGetTupleElement(*root, root->operands[0], places[root->GetInt(Attr::kIndex)]);
  } else if (root->opcode == Opcode::kConstant) {
    copy = root;
  } else {
    std::vector<Instruction*> operands;
    for (Instruction* operand : root->operands) {
      operands.push_back(CopyToHost(rewriter, operand, places, copies));
    }
    copy = rewriter.Add(*root, root->opcode, root->shape, std::move(operands), root->attrs);
    copy->attrs.Set(Attr::kFrontendAttributes, std::string(kHostPlacement));
  }
  (*copies)[root] = copy;
  return copy;
}

// Uses of a tuple other than get-tuple-element go through one tuple of its elements.
void TakeApart(Rewriter& rewriter, Instruction* tuple, const Shape& shape) {
  Computation* computation = rewriter.computation();
  std::vector<Instruction*> list = rewriter.Snapshot();
  Instruction* whole = nullptr;
  auto rebuilt = [&] {
    if (whole != nullptr) return whole;
    std::vector<Instruction*> parts;
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      parts.push_back(rewriter.AddGetTupleElement(*tuple, tuple, static_cast<int64_t>(i)));
    }
    return whole = rewriter.Add(*tuple, Opcode::kTuple, shape, parts);
  };
  for (Instruction* inst : list) {
    if (inst->opcode == Opcode::kGetTupleElement) continue;
    for (Instruction*& operand : inst->operands) {
      if (operand == tuple) operand = rebuilt();
    }
  }
  if (computation->root() == tuple) computation->set_root(rebuilt());
}

absl::Status PlaceLoop(Computation* sequence, Instruction* loop,
                       const std::set<int64_t>& elements) {
  Shape state = loop->shape;
  std::vector<Shape> shapes = state.elements();
  std::vector<int64_t> places(shapes.size(), -1);
  for (int64_t element : elements) {
    places[element] = static_cast<int64_t>(shapes.size());
    shapes.push_back(shapes[element]);
  }
  Shape wide = Shape::Tuple(shapes);

  Computation* condition = loop->called[0];
  Rewriter in_condition(condition);
  TakeApart(in_condition, condition->parameters()[0], state);
  condition->parameters()[0]->shape = wide;
  std::unordered_map<Instruction*, Instruction*> copies;
  condition->set_root(CopyToHost(in_condition, condition->root(), places, &copies));
  if (absl::Status s = in_condition.Finish(); !s.ok()) return s;

  Computation* body = loop->called[1];
  Rewriter in_body(body);
  TakeApart(in_body, body->parameters()[0], state);
  body->parameters()[0]->shape = wide;
  copies.clear();
  std::vector<Instruction*> next = body->root()->operands;
  for (int64_t element : elements) {
    next.push_back(CopyToHost(in_body, next[element], places, &copies));
  }
  body->set_root(in_body.Add(*body->root(), Opcode::kTuple, wide, next));
  if (absl::Status s = in_body.Finish(); !s.ok()) return s;

  Rewriter rewriter(sequence);
  TakeApart(rewriter, loop, state);
  Instruction* init = loop->operands[0];
  std::vector<Instruction*> values;
  for (size_t i = 0; i < state.elements().size(); ++i) {
    values.push_back(init->opcode == Opcode::kTuple
                         ? init->operands[i]
                         : rewriter.AddGetTupleElement(*loop, init, static_cast<int64_t>(i)));
  }
  for (int64_t element : elements) values.push_back(values[element]);
  loop->operands[0] = rewriter.Add(*loop, Opcode::kTuple, wide, values);
  loop->shape = wide;
  loop->attrs.Set(Attr::kIndex, static_cast<int64_t>(state.elements().size()));
  return rewriter.Finish();
}

void Visit(Computation* sequence, std::vector<std::pair<Computation*, Instruction*>>* loops) {
  for (const auto& inst : sequence->instructions()) {
    if (inst->opcode != Opcode::kWhile && inst->opcode != Opcode::kConditional) continue;
    for (Computation* callee : inst->called) Visit(callee, loops);
    if (inst->opcode == Opcode::kWhile && TripCountOf(*inst) < 0) {
      loops->push_back({sequence, inst.get()});
    }
  }
}

}  // namespace

bool IsOnHost(const Instruction& inst) {
  return inst.GetString(Attr::kFrontendAttributes) == kHostPlacement;
}

absl::Status PlaceOnHost(hlo::Module& module) {
  std::vector<std::pair<Computation*, Instruction*>> loops;
  Visit(module.entry(), &loops);
  for (auto [sequence, loop] : loops) {
    std::set<int64_t> elements;
    if (!CollectElements(*loop, &elements)) continue;
    if (absl::Status s = PlaceLoop(sequence, loop, elements); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
