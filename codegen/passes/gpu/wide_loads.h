// Loads of 16 bytes of narrow elements.
#ifndef HALYARD_CODEGEN_PASSES_GPU_WIDE_LOADS_H_
#define HALYARD_CODEGEN_PASSES_GPU_WIDE_LOADS_H_

#include "Halide.h"

namespace halyard::lowering {

// LLVM loads vectors of 8 or 16 bits at most 4 elements at a time. 16 bytes of an input that lie
// and begin together become four words, and these the elements. Runs as a custom lowering pass on
// CUDA.
class WideLoads : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Load* load) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_WIDE_LOADS_H_
