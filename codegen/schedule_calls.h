// Shows what a template has done to a kernel's loops, as the Halide calls that would do the same.
#ifndef HALYARD_CODEGEN_SCHEDULE_CALLS_H_
#define HALYARD_CODEGEN_SCHEDULE_CALLS_H_

#include <string>

#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

// Returns a block for each Func that is not inlined, producers first, from Halide's own schedules
// after ApplySchedule and before lowering:
//
//   sum.compute_at(out, xo).store_in(MemoryType::Stack)
//      .vectorize(axis0);
//   sum.update(0)
//      .reorder(axis0, r0)
//      .vectorize(axis0);
std::string ScheduleCalls(const LoweredKernel& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SCHEDULE_CALLS_H_
