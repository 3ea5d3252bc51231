// The main loop of products in stages, written out.
#ifndef HALYARD_CODEGEN_PASSES_GPU_STAGED_LOOPS_H_
#define HALYARD_CODEGEN_PASSES_GPU_STAGED_LOOPS_H_

#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "lowering/kernels/contraction/staged_product.h"

namespace halyard::lowering {

// A loop over the steps of a sum that accumulates calls of kStagedProduct becomes
//
//   sums = 0; copy steps 0 … stages-2, a group each
//   for each step:
//     wait for the step's own group, and for all threads: they have left the step before
//     copy step + stages-1 into the slot of the step before, if there is one; a group in any case
//     products of the step
//
// One wait does both jobs. If a step's code is short, a turn of the loop has as many steps as there
// are slots, and the steps that are left over follow: then places in slots are constants. Where a
// condition says that zeros are copied, the load's index loses the clamps that the condition makes
// needless: cp.async does not read then.
//
// The element of each copy must be a load at a multiple of 16 bytes,
// perhaps with zeros outside of a condition: LimitError if it is not, so that another schedule is
// tried. Runs as a custom lowering pass, when threads are fused.
class StagedLoops : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;

  std::vector<std::pair<std::string, Halide::Expr>> lets_;  // around the place that is visited
  bool found_ = false;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_STAGED_LOOPS_H_
