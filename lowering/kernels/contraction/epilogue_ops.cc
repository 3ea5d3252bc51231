#include "lowering/kernels/contraction/epilogue_ops.h"

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {

int64_t EpilogueOps(const hlo::Computation& kernel) {
  constexpr int64_t kFunction = 60, kRounded = 6, kPlain = 2;  // a 16-bit result is rounded
  int64_t ops = 1;
  for (const auto& inst : kernel.instructions()) {
    if (!hlo::RowOf(inst->opcode).elementwise || !inst->shape.IsArray()) continue;
    const bool rounded = hlo::BitWidth(inst->shape.element_type()) < 32;
    ops += IsTranscendental(inst->opcode) ? kFunction : rounded ? kRounded : kPlain;
  }
  return ops;
}

}  // namespace halyard::lowering
