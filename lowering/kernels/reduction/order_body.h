// Reduction bodies that only choose between their arguments by comparing them (such as argmax).
#ifndef HALYARD_LOWERING_KERNELS_REDUCTION_ORDER_BODY_H_
#define HALYARD_LOWERING_KERNELS_REDUCTION_ORDER_BODY_H_

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// Returns whether `body`, (a0, …, b0, …) → results of the same types, is certainly associative.
// True only for bodies of compare, select, and, or, xor, not, maximum and minimum on their
// parameters. What those do depends only on the order of the arguments, so trying every order that
// three elements can have, including signed zeros, infinities and NaN, is a proof.
bool IsAssociativeOrder(const hlo::Computation& body);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_REDUCTION_ORDER_BODY_H_
