// Keeps Halide from cutting loops where it would take the condition of one copy of an unrolled loop
// for that of another.
#ifndef HALYARD_CODEGEN_PASSES_SHARED_CONDITIONS_H_
#define HALYARD_CODEGEN_PASSES_SHARED_CONDITIONS_H_

#include "Halide.h"

namespace halyard::lowering {

// Halide 21 cuts loops where a select, minimum or maximum is known (partition_loops). It finds the
// place again by its node. The copies of an unrolled loop share the nodes in which the loop's
// variable does not occur, and that is so where only a `let` depends on it: select(t, a, b), after
// `let t = x + k < n`. What holds for one copy then counts for all, and elements are taken from
// places that padding covers. Lets whose copies differ by a constant alone do no harm, since
// Halide's simplifier moves the constant to where they are used.
//
// Where a definition has others, and a loop around it is unrolled, this leaves the loops around it
// whole. Call it when the schedule is made.
void KeepSharedConditions(const Halide::Pipeline& pipeline);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_SHARED_CONDITIONS_H_
