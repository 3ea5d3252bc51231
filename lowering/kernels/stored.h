// Marks float values that a Func's update stores, so that Halide keeps the update.
#ifndef HALYARD_LOWERING_KERNELS_STORED_H_
#define HALYARD_LOWERING_KERNELS_STORED_H_

#include "Halide.h"

namespace halyard::lowering {

// Returns `value`, marked. Halide 21 drops the steps of a loop if it can prove that they store what
// is already there, and it proves this as if floats were real numbers, even for strict_*
// intrinsics. It removes the whole loop of acc + (x - x), acc + x * 0 or acc + 0, although x may be
// infinite and acc may be -0. It can prove nothing about a value that an unknown function has
// returned. DropStoredMarks removes the marks when that pass is over.
//
// The mark also holds a strict operation. Halide compiles a pipeline that contains none with
// fast-math flags on everything, including calls such as llvm.fma.
//
// `several` says that `value` is an element of a Tuple. Halide stores the elements one after the
// other unless it sees that a later one reads an earlier one of the same Func, and it does not look
// for that in the arguments of calls, strict_* among them. So all loads in `value` become arguments
// of the mark, too. What occurs twice then becomes a `let`, in which Halide does look.
Halide::Expr Stored(const Halide::Expr& value, bool several = false);

// A pass over lowered code, before any other of our passes.
class DropStoredMarks : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call* call) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_STORED_H_
