// The cost of one call of a kernel, computed from its HLO, for profiles, the runtime's estimates,
// and tuning.
#ifndef HALYARD_LOWERING_PLAN_STEPS_KERNEL_COST_H_
#define HALYARD_LOWERING_PLAN_STEPS_KERNEL_COST_H_

#include <cstdint>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

struct KernelCost {
  // Operations on numbers, where each element of a value is computed once. A multiply-add counts as
  // two, a function such as exp or sqrt as one, and an operation on complex numbers as the
  // operations on their parts. What only moves elements, converts or selects them does not count.
  int64_t flops = 0;
  // The fewest bytes that must be read and written, every element once. For an operand that is only
  // sliced or gathered from, this is what is taken from it. For a result that is updated in place,
  // it is what is written.
  int64_t bytes_read = 0, bytes_written = 0;
  int64_t bytes() const { return bytes_read + bytes_written; }
};

// How many products each element of a dot's or convolution's result is a sum of. Groups of features
// and batches take part as the op defines them; nothing overflows in a verified module.
int64_t TermsOfProduct(const hlo::Instruction& product);

// `kernel` has kernel form (lowering/kernels/kernel_form.h).
KernelCost CostOf(const hlo::Computation& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_KERNEL_COST_H_
