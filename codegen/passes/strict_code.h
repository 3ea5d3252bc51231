// A pass over lowered code for targets whose machine code LLVM makes (x86, CUDA). It makes sure
// that no float operation carries the flags that Halide gives to its own operations, or that these
// say what is so.
//
// Halide 21 compiles a plain float operation (a + b, a * b, select, …) with all of LLVM's fast-math
// flags: no NaN, no infinity, no signed zero. LLVM then folds every later question about the
// result: isnan(a + b) is false, and x * select(c, 1, 0) is select(c, x, 0). What numerics.h makes
// is free of these flags. This pass handles the rest, whoever wrote it (templates, Halide's
// lowering, its autoschedulers).
#ifndef HALYARD_CODEGEN_PASSES_STRICT_CODE_H_
#define HALYARD_CODEGEN_PASSES_STRICT_CODE_H_

#include "Halide.h"

namespace halyard::lowering {

// Turns float selects into selects of bits, and conversions between float types into conversions of
// finite values with selects around them. Throws EmitError, which names the operation, for a
// float sum, difference, product, quotient, minimum, maximum, comparison or horizontal reduction
// that is not one of the strict_* intrinsics.
class StrictCode : public Halide::Internal::IRMutator {
 public:
  // `vector_bits` is the width of the widest register, or 0 where code is made for each lane
  // anyway.
  explicit StrictCode(int vector_bits) : vector_bits_(vector_bits) {}
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Select* op) override;
  Halide::Expr visit(const Halide::Internal::Cast* op) override;
  Halide::Expr visit(const Halide::Internal::Add* op) override;
  Halide::Expr visit(const Halide::Internal::Sub* op) override;
  Halide::Expr visit(const Halide::Internal::Mul* op) override;
  Halide::Expr visit(const Halide::Internal::Div* op) override;
  Halide::Expr visit(const Halide::Internal::Mod* op) override;
  Halide::Expr visit(const Halide::Internal::Min* op) override;
  Halide::Expr visit(const Halide::Internal::Max* op) override;
  Halide::Expr visit(const Halide::Internal::EQ* op) override;
  Halide::Expr visit(const Halide::Internal::NE* op) override;
  Halide::Expr visit(const Halide::Internal::LT* op) override;
  Halide::Expr visit(const Halide::Internal::LE* op) override;
  Halide::Expr visit(const Halide::Internal::GT* op) override;
  Halide::Expr visit(const Halide::Internal::GE* op) override;
  Halide::Expr visit(const Halide::Internal::VectorReduce* op) override;

  template <typename Op>
  Halide::Expr RefuseFloat(const Op* op, const Halide::Type& type, const char* what);

  bool each_lane() const { return vector_bits_ == 0; }

  int vector_bits_;
};

// Turns strict operations with a constant zero into selects of bits: quotients by zero, which
// Halide refuses to compile, and, if `all`, sums, differences, products and other quotients, too.
// The compilers behind Vulkan fold x * 0, x + 0, 0 / x and the like, whatever strictness is asked
// for, although x may be infinite, NaN or -0. lowering/numerics/arithmetic.h handles the zeros that
// a program spells out. This pass handles those that Halide's simplifier has found since, for
// example in a select whose condition always holds.
class ZeroOperands : public Halide::Internal::IRMutator {
 public:
  explicit ZeroOperands(bool all) : all_(all) {}
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call* call) override;

  bool all_;
};

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_STRICT_CODE_H_
