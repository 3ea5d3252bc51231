// Loops in which the epilogue of a product in stages reads its sums.
#ifndef HALYARD_CODEGEN_PASSES_GPU_STAGED_READS_H_
#define HALYARD_CODEGEN_PASSES_GPU_STAGED_READS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "lowering/kernels/contraction/staged_product.h"

namespace halyard::lowering {

// Sums are registers, which only a constant can name. In a serial loop, kStagedRead names the
// loop's first sums, and each iteration ends with a kStagedShift, which moves the next ones there.
// So the code of a long epilogue is written once for many sums. Reads must be affine in the loops'
// variables. Runs as a custom lowering pass, when loops are unrolled.
class StagedReads : public Halide::Internal::IRMutator {
 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;
  Halide::Expr visit(const Halide::Internal::Let* let) override;
  Halide::Expr visit(const Halide::Internal::Call* call) override;

  struct Loop {
    std::string name;
    int64_t extent = 0;
    int64_t stride = 0;  // sums from one iteration to the next; 0: it reads none
    int64_t moved = 0;   // sums by which the loops inside of one iteration shift
  };
  void SetStride(size_t loop, int64_t stride);

  std::vector<std::pair<std::string, Halide::Expr>> lets_;  // around the place that is visited
  std::vector<Loop> loops_;                                 // serial ones, outermost first
  int64_t sums_ = 0;                                        // that are read in loops
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_STAGED_READS_H_
