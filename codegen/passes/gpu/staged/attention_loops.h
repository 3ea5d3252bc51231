// The loop over blocks of keys of attention by warpgroups.
#ifndef HALYARD_CODEGEN_PASSES_GPU_STAGED_ATTENTION_LOOPS_H_
#define HALYARD_CODEGEN_PASSES_GPU_STAGED_ATTENTION_LOOPS_H_

#include "Halide.h"
#include "codegen/passes/gpu/staged/copies.h"

namespace halyard::lowering {

// Writes out the loop that has a call of kAttentionBlock (lowering/kernels/attention/warpgroups.h),
// so that copies run ahead:
//
//   sums = 0
//   copy the queries and the first keys; zeros where the values before the first would be
//   for each block:
//     wait for copies, and for all threads: they have left the keys and values of the block before
//     copy the next keys, if there are any, and this block's values
//     begin scores
//     begin sums = sums + weights · values of the block before (of the first: zeros)
//     wait for the scores
//     … new weights …
//     wait for the sums; sums = sums · factors
//   wait for copies, and for all threads
//   begin sums = sums + weights · values of the last block
//   wait for the sums
//
// So weights are made while the tensor cores multiply those of the block before (Shah et al.,
// "FlashAttention-3", 2024). The elements of copies must be loads at
// multiples of 16 bytes, else there is a LimitError, so that another schedule is tried. Runs as a
// custom lowering pass, when threads are fused and the loop is cut.
class AttentionLoops : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;
  Halide::Expr visit(const Halide::Internal::Call* call) override;

  Lets lets_;  // around the place that is visited
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_STAGED_ATTENTION_LOOPS_H_
