// Arrays of a wanted shape, made by moving the elements of others: what rewrites of data movement,
// and of ops that read moved data, must see through.
#ifndef HALYARD_TESTS_PROGRAMS_MOVED_H_
#define HALYARD_TESTS_PROGRAMS_MOVED_H_

#include "tests/programs/program_maker.h"

namespace halyard::testing {

// One to three ops that end in `shape`: pads with negative and interior amounts, strided slices,
// reverses, transposes, reshapes, broadcasts, concatenations, windows at constant indices. Null if
// there is none (scalars, arrays without elements).
hlo::Instruction* Moved(ProgramMaker& maker, const hlo::Shape& shape);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_MOVED_H_
