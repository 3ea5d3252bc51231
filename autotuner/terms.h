// Says of an instruction how many terms its sums have, and whether it is a costly function.
#ifndef HALYARD_AUTOTUNER_TERMS_H_
#define HALYARD_AUTOTUNER_TERMS_H_

#include "frontend/hlo/module.h"

namespace halyard::autotuner {

// Returns the terms of the fold that gives one element of its result, or 1 if it is not a fold.
double TermsOf(const hlo::Instruction& inst);

// Returns whether it is a function such as exp, which compiled code gives only within a few units
// in the last place.
bool IsCostly(hlo::Opcode opcode);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_TERMS_H_
