// Marks: calls around expressions, of which Halide's simplifier knows nothing. They keep it from
// conclusions that it must not draw; DropMarks removes them from lowered code, on every target.
#ifndef HALYARD_LOWERING_KERNELS_MARKS_H_
#define HALYARD_LOWERING_KERNELS_MARKS_H_

#include "Halide.h"

namespace halyard::lowering {

// Returns `value`, a float that a Func's update stores, marked. Halide 21 drops the steps of a loop
// if it can prove that they store what is already there, and it proves this as if floats were real
// numbers, even for strict_* intrinsics. It removes the whole loop of acc + (x - x), acc + x * 0 or
// acc + 0, although x may be infinite and acc may be -0. It can prove nothing about a value that an
// unknown function has returned.
//
// The mark also holds a strict operation. Halide compiles a pipeline that contains none with
// fast-math flags on everything, including calls such as llvm.fma.
//
// `several` says that `value` is an element of a Tuple. Halide stores the elements one after the
// other unless it sees that a later one reads an earlier one of the same Func, and it does not look
// for that in the arguments of calls, strict_* among them. So all loads in `value` become arguments
// of the mark, too. What occurs twice then becomes a `let`, in which Halide does look.
Halide::Expr Stored(const Halide::Expr& value, bool several = false);

// Returns `index`, an int32 that is to be clamped to an extent, marked unless it is made of loop
// variables by simple arithmetic and choices. Halide 21 finds bounds of accesses (bounds inference)
// from code that its simplifier has been through, and the simplifier drops a clamp if it knows the
// bounds of what is clamped. It knows more of them than bounds inference does: those of min(u, 10)
// for an unsigned u, of x & 10, of a population count. The access would then count as unbounded,
// which is an error.
Halide::Expr OfUnknownBounds(const Halide::Expr& index);

// A pass over lowered code, before any other of our passes.
class DropMarks : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call* call) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_MARKS_H_
