#include "lowering/plan/repeated_ops.h"

#include <algorithm>

#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {

int64_t RepeatedOps::Of(const hlo::Instruction& inst) {
  if (inst.operands.empty() || IsHero(inst)) return 0;
  if (const auto known = known_.find(&inst); known != known_.end()) return known->second;
  int64_t ops = 1;
  for (const hlo::Instruction* operand : inst.operands)
    ops = std::min(ops + Of(*operand), most_ + 1);
  known_[&inst] = ops;
  return ops;
}

}  // namespace halyard::lowering
