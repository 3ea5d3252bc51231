// Makes a workgroup's shared memory as large as what Halide puts into it.
#ifndef HALYARD_CODEGEN_PASSES_SHARED_PADDING_H_
#define HALYARD_CODEGEN_PASSES_SHARED_PADDING_H_

#include "Halide.h"

namespace halyard::lowering {

// Halide 21 places the shared arrays of a kernel one after the other, each at a multiple of its
// element's size, but takes the sum of their sizes for the whole: where an array of 9 halves comes
// before one of floats, the last one ends 2 bytes behind the allocation. This pass adds what those
// gaps can come to, if the kernel has elements of several sizes: less than the widest element for
// each array but the last. It runs as a custom lowering pass, before loops leave the host's code.
class PadSharedMemory : public Halide::Internal::IRMutator {
 public:
  // `arrays`: at least as many as the kernels have in shared memory.
  explicit PadSharedMemory(int arrays) : arrays_(arrays) {}

 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate* op) override;

  const int arrays_;
};

// The number of arrays that a pipeline stores: those of all Funcs that it calls.
int CountArrays(const Halide::Pipeline& pipeline);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_SHARED_PADDING_H_
