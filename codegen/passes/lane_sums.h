// A pass over lowered x86 code that computes sums (and products) of a vector's lanes in vectors.
#ifndef HALYARD_CODEGEN_PASSES_LANE_SUMS_H_
#define HALYARD_CODEGEN_PASSES_LANE_SUMS_H_

#include "Halide.h"

namespace halyard::lowering {

// A fold joins its lanes in a tree of scalars, in which lane i is first joined with lane i + n/2
// (JoinTree, schedules/folds.h). LLVM makes vectors of such a tree only if it may reassociate,
// which strict operations forbid. This pass turns the tree over n neighbouring loads into log2 n
// operations on vectors, each with half the lanes of the one before: the same additions in the same
// order.
class VectorizeLaneSums : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call* call) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_LANE_SUMS_H_
