// Keeps Halide from cutting loops where the pieces would compute something else.
#ifndef HALYARD_CODEGEN_PASSES_WHOLE_LOOPS_H_
#define HALYARD_CODEGEN_PASSES_WHOLE_LOOPS_H_

#include "Halide.h"

namespace halyard::lowering {

// Leaves loops whole that Halide 21 would cut where a select, minimum or maximum is known
// (partition_loops), in two cases. Call it when the schedule is made.
//
// Shared conditions. Halide finds the place of what it knows again by its node. The copies of an
// unrolled loop share the nodes in which the loop's variable does not occur, and that is so where
// only a `let` depends on it: select(t, a, b), after `let t = x + k < n`. What holds for one copy
// then counts for all, and elements are taken from places that padding covers. Lets whose copies
// differ by a constant alone do no harm, since Halide's simplifier moves the constant to where they
// are used. Where a definition has others, and a loop around it is unrolled, the loops around it
// stay whole.
//
// Loops around threads. Halide cuts a loop around a GPU's barriers like any other, also where a
// condition on a thread's place holds. A thread's place then decides which piece it is in, threads
// of a group wait at different barriers, and a device hangs. So the serial loops around loops over
// threads stay whole.
void KeepLoopsWhole(const Halide::Pipeline& pipeline);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_PASSES_WHOLE_LOOPS_H_
