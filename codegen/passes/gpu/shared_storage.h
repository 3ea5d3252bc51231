// Makes the arrays in a workgroup's shared memory as large as Halide takes them to be.
#ifndef HALYARD_CODEGEN_PASSES_GPU_SHARED_STORAGE_H_
#define HALYARD_CODEGEN_PASSES_GPU_SHARED_STORAGE_H_

#include "Halide.h"

namespace halyard::lowering {

// Halide 21 places the shared arrays of a kernel one after the other, each at a multiple of its
// element's size, but allocates the sum of their sizes: behind an array of 9 halves, one of floats
// ends 2 bytes after the allocation, or one of bytes is taken for one that no thread can reach, and
// the kernel for empty. This pads the rows of arrays of narrow elements, so that each array takes a
// multiple of the widest element's size and no gaps are left. Call it when the schedule is made.
void AlignSharedStorage(const Halide::Pipeline& pipeline);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_SHARED_STORAGE_H_
