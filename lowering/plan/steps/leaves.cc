#include "lowering/plan/steps/leaves.h"

#include <algorithm>

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

size_t LeafCount(const Shape& shape) { return hlo::FlattenShape(shape).size(); }

size_t LeafOffset(const Shape& tuple, int64_t index) {
  size_t offset = 0;
  for (int64_t i = 0; i < index; ++i) offset += LeafCount(tuple.elements()[i]);
  return offset;
}

std::pair<const Instruction*, size_t> Origin(const Instruction* inst, size_t leaf) {
  while (true) {
    if (inst->opcode == Opcode::kGetTupleElement) {
      leaf += LeafOffset(inst->operand(0)->shape, inst->GetInt(Attr::kIndex));
      inst = inst->operand(0);
    } else if (inst->opcode == Opcode::kTuple) {
      size_t element = 0;
      while (leaf >= LeafCount(inst->operands[element]->shape)) {
        leaf -= LeafCount(inst->operands[element]->shape);
        ++element;
      }
      inst = inst->operands[element];
    } else {
      return {inst, leaf};
    }
  }
}

std::vector<const Instruction*> StepOrder(const Computation& computation, bool is_body) {
  std::vector<const Instruction*> order;
  for (const auto& inst : computation.instructions()) order.push_back(inst.get());
  const Instruction* root = computation.root();
  if (!is_body || root->opcode != Opcode::kTuple) return order;
  auto users = computation.Users();
  const Instruction* state = computation.parameters()[0];
  std::unordered_map<const Instruction*, std::vector<size_t>> replaces, reads;
  for (size_t i = 0; i < LeafCount(root->shape); ++i) {
    const Instruction* origin = Origin(root, i).first;
    if (origin->opcode == Opcode::kFusion) replaces[origin].push_back(i);
  }
  auto only_root = [&](const Instruction* inst) {
    const auto& list = users.at(inst);
    return inst->opcode == Opcode::kFusion && inst->shape.IsArray() && list.size() == 1 &&
           list[0] == root;
  };
  auto middle = std::stable_partition(order.begin(), order.end(),
                                      [&](const Instruction* inst) { return !only_root(inst); });
  // The root itself comes last.
  std::vector<const Instruction*> waiting(middle, order.end());
  order.erase(middle, order.end());
  std::erase(order, root);
  for (const Instruction* inst : waiting) {
    for (const Instruction* operand : inst->operands) {
      auto [origin, leaf] = Origin(operand, 0);
      if (origin == state) reads[inst].push_back(leaf);
    }
  }
  while (!waiting.empty()) {
    auto unread = [&](const Instruction* inst) {
      for (const Instruction* other : waiting) {
        for (size_t leaf : reads[other]) {
          if (other != inst && std::count(replaces[inst].begin(), replaces[inst].end(), leaf) > 0) {
            return false;
          }
        }
      }
      return true;
    };
    auto next = std::find_if(waiting.begin(), waiting.end(), unread);
    if (next == waiting.end()) next = waiting.begin();
    order.push_back(*next);
    waiting.erase(next);
  }
  order.push_back(root);
  return order;
}

}  // namespace halyard::lowering
