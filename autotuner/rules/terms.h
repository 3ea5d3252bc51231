// Says of an instruction how many terms its sums have, and whether it is an inexact function.
#ifndef HALYARD_AUTOTUNER_RULES_TERMS_H_
#define HALYARD_AUTOTUNER_RULES_TERMS_H_

#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// Returns the terms of the fold that gives one element of its result, or 1 if it is not a fold.
double TermsOf(const hlo::Instruction& inst);

// Returns whether factors of a product are 8-bit floats, widened or not. Tensor cores then keep
// only 14 bits of its sums (docs/numerics.md).
bool MultipliesEightBitFloats(const hlo::Instruction& inst);

// Returns whether it is a function such as exp, which compiled code gives only within a few units
// in the last place.
bool IsInexact(hlo::Opcode opcode);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_TERMS_H_
