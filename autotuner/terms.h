// Of an instruction: how many terms its sums have, and whether it is a costly function.
#ifndef HALYARD_AUTOTUNER_TERMS_H_
#define HALYARD_AUTOTUNER_TERMS_H_

#include "frontend/hlo/module.h"

namespace halyard::autotuner {

// Terms of the fold that one element of its result is; 1: it is none.
double TermsOf(const hlo::Instruction& inst);

// Whether factors of a product are 8-bit floats, widened or not: tensor cores then keep 14 bits of its
// sums (docs/numerics.md).
bool MultipliesEightBitFloats(const hlo::Instruction& inst);

// A function such as exp, which compiled code gives within a few units in the last place only.
bool IsCostly(hlo::Opcode opcode);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_TERMS_H_
