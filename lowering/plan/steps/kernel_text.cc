#include "lowering/plan/steps/kernel_text.h"

#include <unordered_set>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/printer.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {

using hlo::Instruction;
using hlo::Opcode;

absl::StatusOr<std::string> KernelText(const hlo::Computation& kernel, bool collapse) {
  hlo::Module module("kernel");
  module.set_entry(hlo::CloneComputation(kernel, &module));
  if (collapse) {
    if (absl::Status s = CollapseDimensions(module); !s.ok()) return s;
  }
  hlo_text::PrintOptions options;
  options.metadata = false;
  options.canonical = true;
  return hlo_text::Print(module, options);
}

std::vector<std::pair<int32_t, int32_t>> InPlacePairs(const hlo::Computation& kernel) {
  const Instruction* root = kernel.root();
  if (!root->shape.IsArray()) return {};
  // The two parts of a complex element are written one after the other, or by two threads, and each
  // may be made from both.
  if (hlo::IsComplex(root->shape.element_type())) return {};
  // Collects the values at the index of the output, from the root down, and those that are read at
  // other indices.
  std::unordered_set<const Instruction*> elsewhere;
  for (auto it = kernel.instructions().rbegin(); it != kernel.instructions().rend(); ++it) {
    const Instruction& inst = **it;
    if (FormOf(inst.opcode) == OpForm::kFunc) return {};
    bool same_index = hlo::RowOf(inst.opcode).elementwise && !elsewhere.contains(&inst);
    if (same_index) continue;
    for (const Instruction* operand : inst.operands) elsewhere.insert(operand);
  }
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (const Instruction* parameter : kernel.parameters()) {
    if (elsewhere.contains(parameter) || parameter->shape.dims() != root->shape.dims()) continue;
    if (parameter->shape.ByteSize() != root->shape.ByteSize()) continue;
    pairs.push_back({0, static_cast<int32_t>(parameter->parameter_number)});
  }
  return pairs;
}

}  // namespace halyard::lowering
