// Conditions and roundings that Halide moves out of GPU kernels.
#ifndef HALYARD_CODEGEN_PASSES_GPU_FOLD_COMPARISONS_H_
#define HALYARD_CODEGEN_PASSES_GPU_FOLD_COMPARISONS_H_

#include "Halide.h"

namespace halyard::lowering {

// Halide moves conditions that are the same in all iterations out of GPU kernels, as booleans that
// SPIR-V cannot be given. They go back in. Most are comparisons of constants that Halide's
// simplifier has not seen: strict ones, which it leaves as they are, and marked ones. No value is
// less than itself, as drivers know, too: what Vulkan's make of that, ZeroOperands must see first.
// Device intrinsics of constants go back, too, and conversions of f16: the host has no code of
// them.
class FoldComparisons : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt& stmt) override;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call* call) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;

  bool inside_ = false, found_ = false, in_kernel_ = false;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_GPU_FOLD_COMPARISONS_H_
