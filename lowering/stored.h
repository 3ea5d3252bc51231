// Float values that a Func's update stores, marked so that Halide keeps the update.
#ifndef HALYARD_LOWERING_STORED_H_
#define HALYARD_LOWERING_STORED_H_

#include "Halide.h"

namespace halyard::lowering {

// `value`, marked. Halide 21 drops the steps of a loop of which it can prove that they store what
// is there already, and proves it as if floats were real numbers, strict_* intrinsics or not: the
// whole loop of acc + (x - x), acc + x * 0 or acc + 0 goes, though x may be infinite and acc -0. It
// can prove nothing of a value that an unknown function has returned. DropStoredMarks takes the
// marks away when that pass is over.
//
// The mark also holds a strict operation. Halide compiles a pipeline in which there is none with
// fast-math flags on everything, calls such as llvm.fma included.
//
// `several`: `value` is an element of a Tuple. Halide stores the elements one after the other unless
// it sees that a later one reads an earlier one of the same Func, and does not look for that in the
// arguments of calls, strict_* among them. So all loads in `value` are arguments of the mark, too:
// what occurs twice becomes a `let`, in which Halide does look.
Halide::Expr Stored(const Halide::Expr& value, bool several = false);

// A pass over lowered code, before any other of ours.
class DropStoredMarks : public Halide::Internal::IRMutator {
 public:
  using IRMutator::mutate;

 private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call* call) override;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_STORED_H_
