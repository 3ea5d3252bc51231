// What one call of a kernel costs, from its HLO: for profiles, the runtime's estimates, and tuning.
#ifndef HALYARD_LOWERING_PASSES_KERNEL_COST_H_
#define HALYARD_LOWERING_PASSES_KERNEL_COST_H_

#include <cstdint>

#include "frontend/hlo/module.h"

namespace halyard::lowering {

struct KernelCost {
  // Operations on numbers, each element of a value computed once: a multiply-add is two, a function
  // such as exp or sqrt one, those on complex numbers as many as they take on their parts. What
  // only moves elements, converts or selects them is none.
  int64_t flops = 0;
  // Bytes that must be read and written at least, every element once: of an operand that is only
  // sliced or gathered from, what is taken; of a result that is updated in place, what is written.
  int64_t bytes_read = 0, bytes_written = 0;
  int64_t bytes() const { return bytes_read + bytes_written; }
};

// `kernel` has kernel form (lowering/kernel_form.h).
KernelCost CostOf(const hlo::Computation& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_KERNEL_COST_H_
