// Arrays of a given shape, made by moving the elements of others. Rewrites of data movement, and of
// ops that read moved data, must see through them.
#ifndef HALYARD_TESTS_PROGRAMS_MOVED_H_
#define HALYARD_TESTS_PROGRAMS_MOVED_H_

#include "tests/programs/makers/program_maker.h"

namespace halyard::testing {

// Adds one to three ops that end in `shape`: pads with negative and interior amounts, strided
// slices, reverses, transposes, reshapes, broadcasts, concatenations, windows at constant indices.
// Returns null if that is impossible (scalars, arrays without elements).
hlo::Instruction* Moved(ProgramMaker& maker, const hlo::Shape& shape);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_MOVED_H_
