// A pass over lowered Vulkan code. There, Halide turns divisions of indices by small constants into
// products with 64-bit results, which devices without 64-bit integers lack. It also shifts signed
// quotients as if they were unsigned, which is wrong for negative dividends.
#ifndef HALYARD_CODEGEN_PASSES_UNSIGNED_DIVISION_H_
#define HALYARD_CODEGEN_PASSES_UNSIGNED_DIVISION_H_

#include <cstdint>

#include "Halide.h"

namespace halyard::lowering {

// Returns the largest integer that is at most `dividend` / `divisor`, by unsigned division of the
// same width. `dividend` is an Int(32), possibly a vector. `divisor` is at least 2. `non_negative`
// says that the dividend is not negative.
Halide::Expr FloorDivide(const Halide::Expr& dividend, int32_t divisor, bool non_negative);
// Returns `dividend` - `divisor` * FloorDivide.
Halide::Expr FloorRemainder(const Halide::Expr& dividend, int32_t divisor, bool non_negative);

// Turns divisions of 32-bit integers by constants in GPU loops into FloorDivide, and remainders
// into FloorRemainder.
class UnsignedDivision : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Internal::Stmt visit(const Halide::Internal::For* loop) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt* let) override;
  Halide::Expr visit(const Halide::Internal::Let* let) override;
  Halide::Expr visit(const Halide::Internal::Div* div) override;
  Halide::Expr visit(const Halide::Internal::Mod* mod) override;

  // Returns false if it is not known.
  bool IsNonNegative(const Halide::Expr& e) const;

  bool on_gpu_ = false;
  Halide::Internal::Scope<> non_negative_;  // variables
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_UNSIGNED_DIVISION_H_
