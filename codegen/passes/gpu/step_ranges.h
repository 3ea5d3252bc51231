// Loops over the steps of a sequence of which each thread does a few neighbours.
#ifndef HALYARD_CODEGEN_PASSES_GPU_STEP_RANGES_H_
#define HALYARD_CODEGEN_PASSES_GPU_STEP_RANGES_H_

#include "Halide.h"

namespace halyard::lowering {

// A serial loop whose body asks by kStepRange (lowering/kernels/sequence/define.h) whether its step
// is one of [first, end) goes over these alone, for the bounds of a Halide loop cannot depend on
// what is read. Any other such question becomes comparisons. Runs as a custom lowering pass of
// GPUs.
class StepRanges : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Expr visit(const Halide::Internal::Call* call) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_STEP_RANGES_H_
