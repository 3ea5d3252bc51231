// Finds in an x86 kernel's lowered code how much memory it asks of hyrt_malloc, so that this memory
// can be planned instead of allocated.
#ifndef HALYARD_CODEGEN_X86_SCRATCH_H_
#define HALYARD_CODEGEN_X86_SCRATCH_H_

#include <cstdint>

#include "Halide.h"

namespace halyard::lowering {

struct ScratchNeed {
  uint64_t caller_bytes = 0;  // outside parallel loops
  uint64_t task_bytes = 0;    // by each task of a parallel loop
};

// Returns an upper bound: allocations nest, and each is rounded as hyrt_malloc rounds it. Throws
// EmitError if a size is not constant.
ScratchNeed MeasureScratch(const Halide::Module& module);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_X86_SCRATCH_H_
