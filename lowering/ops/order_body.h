// Reduction bodies that do nothing but choose between their arguments by comparing them (argmax and
// its like).
#ifndef HALYARD_LOWERING_OPS_ORDER_BODY_H_
#define HALYARD_LOWERING_OPS_ORDER_BODY_H_

#include "frontend/hlo/module.h"

namespace halyard::lowering {

// Whether `body`, (a0, …, b0, …) → results of the same types, is certainly associative. True only
// of bodies of compare, select, and, or, xor, not, maximum and minimum on their parameters: what
// those do depends on nothing but the order of the arguments, so that trying every order that three
// elements can have, with signed zeros, infinities and NaN among them, is a proof.
bool IsAssociativeOrder(const hlo::Computation& body);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_OPS_ORDER_BODY_H_
