// Facts about an instruction for the rules of this folder: how many terms its sums have, whether it
// computes anything, and what precision of its operands it loses.
#ifndef HALYARD_AUTOTUNER_RULES_TERMS_H_
#define HALYARD_AUTOTUNER_RULES_TERMS_H_

#include "frontend/hlo/ir/module.h"

namespace halyard::autotuner {

// Returns whether the shape is an array of floats or of complex numbers.
bool IsFloating(const hlo::Shape& shape);

// Returns whether each element of the op's result is an element of an operand, or such an element
// with another sign.
bool ChoosesElements(hlo::Opcode opcode);

// How a dot's algorithm rounds the factors before it multiplies them.
enum class FactorRounding { kNone, kBf16, kTf32, kF16 };
FactorRounding FactorRoundingOf(const hlo::Instruction& dot);

// Returns the number of terms of the fold that gives one element of its result, or 1 if it is not a
// fold.
double TermsOf(const hlo::Instruction& inst);

// Returns whether factors of a product are 8-bit floats, widened or not. Tensor cores then keep
// only 14 bits of its sums (docs/numerics.md).
bool MultipliesEightBitFloats(const hlo::Instruction& inst);

// Returns whether the op is a function such as exp, which compiled code gives only within a few
// units in the last place.
bool IsInexact(hlo::Opcode opcode);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_TERMS_H_
