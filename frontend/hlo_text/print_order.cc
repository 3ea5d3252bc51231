#include "frontend/hlo_text/print_order.h"

#include <unordered_set>
#include <utility>

#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo_text {
namespace {

using hlo::Computation;
using hlo::Instruction;

void Visit(const Computation* computation, std::unordered_set<const Computation*>* seen,
           std::vector<const Computation*>* order) {
  if (!seen->insert(computation).second) return;
  for (const Instruction* inst : InstructionOrder(*computation, true)) {
    for (const Computation* callee : inst->called) Visit(callee, seen, order);
  }
  order->push_back(computation);
}

// Post-order of operands, with a stack of our own: chains are as long as programs.
void Visit(const Instruction* start, std::unordered_set<const Instruction*>* seen,
           std::vector<const Instruction*>* order) {
  if (!seen->insert(start).second) return;
  std::vector<std::pair<const Instruction*, size_t>> stack = {{start, 0}};
  while (!stack.empty()) {
    auto& [inst, next] = stack.back();
    if (next == inst->operands.size()) {
      order->push_back(inst);
      stack.pop_back();
    } else if (const Instruction* operand = inst->operands[next++]; seen->insert(operand).second) {
      stack.push_back({operand, 0});
    }
  }
}

}  // namespace

std::vector<const Computation*> ComputationOrder(const hlo::Module& module, bool canonical) {
  std::vector<const Computation*> order;
  if (canonical) {
    std::unordered_set<const Computation*> seen;
    if (module.entry() != nullptr) Visit(module.entry(), &seen, &order);
  } else {
    for (const Computation* computation : module.PostOrder()) order.push_back(computation);
  }
  return order;
}

std::vector<const Instruction*> InstructionOrder(const Computation& computation, bool canonical) {
  std::vector<const Instruction*> order;
  if (!canonical) {
    for (const auto& inst : computation.instructions()) order.push_back(inst.get());
    return order;
  }
  std::unordered_set<const Instruction*> seen;
  for (const Instruction* parameter : computation.parameters()) Visit(parameter, &seen, &order);
  Visit(computation.root(), &seen, &order);
  for (const auto& inst : computation.instructions()) {
    if (hlo::HasSideEffect(*inst)) Visit(inst.get(), &seen, &order);
  }
  return order;
}

}  // namespace halyard::hlo_text
