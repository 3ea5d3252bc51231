#include "frontend/hlo/ir/constant_value.h"

#include <unordered_map>
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

// Everything that `root` depends on.
std::unordered_set<const Instruction*> Needed(const Instruction& root) {
  std::unordered_set<const Instruction*> needed = {&root};
  std::vector<const Instruction*> work = {&root};
  while (!work.empty()) {
    const Instruction* inst = work.back();
    work.pop_back();
    for (const Instruction* operand : inst->operands) {
      if (needed.insert(operand).second) work.push_back(operand);
    }
  }
  return needed;
}

bool DependsOnProcess(const Instruction& inst) {
  const OpKind kind = RowOf(inst.opcode).kind;
  return kind == OpKind::kCollective || kind == OpKind::kProcessId;
}

bool AnyDepends(const Computation& computation) {
  for (const auto& inst : computation.instructions()) {
    if (DependsOnProcess(*inst)) return true;
    for (const Computation* callee : inst->called) {
      if (AnyDepends(*callee)) return true;
    }
  }
  return false;
}

}  // namespace

bool IsConstantExpression(const Instruction& root) {
  for (const Instruction* inst : Needed(root)) {
    // A random number is as good as any other.
    if (inst->opcode == Opcode::kRng) continue;
    if (inst->opcode == Opcode::kParameter || HasSideEffect(*inst) || DependsOnProcess(*inst)) {
      return false;
    }
    for (const Computation* callee : inst->called) {
      if (AnyDepends(*callee)) return false;
    }
  }
  return true;
}

absl::StatusOr<Literal> ConstantValue(const Instruction& root) {
  if (!IsConstantExpression(root)) {
    return absl::InvalidArgumentError(
        absl::StrCat(root.name, " depends on a parameter, or on what only a run can know"));
  }
  if (root.opcode == Opcode::kConstant) return root.literal;
  // Makes a computation of just what is needed; the callees are only read.
  Module scratch(root.parent->name());
  Computation* copy = scratch.AddComputation(root.parent->name());
  std::unordered_set<const Instruction*> needed = Needed(root);
  std::unordered_map<const Instruction*, Instruction*> map;
  for (const auto& inst : root.parent->instructions()) {
    if (!needed.contains(inst.get())) continue;
    std::vector<Instruction*> operands;
    for (const Instruction* operand : inst->operands) operands.push_back(map.at(operand));
    map[inst.get()] = copy->AddClone(*inst, std::move(operands));
  }
  copy->set_root(map.at(&root));
  Evaluator evaluator;
  return evaluator.RunComputation(*copy, {});
}

}  // namespace halyard::hlo
