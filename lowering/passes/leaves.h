// Leaves of values: the arrays and tokens of a shape, depth first; and the order in which a
// sequence's values are computed.
#ifndef HALYARD_LOWERING_PASSES_LEAVES_H_
#define HALYARD_LOWERING_PASSES_LEAVES_H_

#include <utility>
#include <vector>

#include "frontend/hlo/module.h"

namespace halyard::lowering {

size_t LeafCount(const hlo::Shape& shape);
// First leaf of tuple element `index`.
size_t LeafOffset(const hlo::Shape& tuple, int64_t index);
// The value behind get-tuple-element and tuple, for leaf `leaf` of `inst`.
std::pair<const hlo::Instruction*, size_t> Origin(const hlo::Instruction* inst, size_t leaf);

// The computation's instructions in an order for its steps. In a loop's body kernels whose results
// are the next state only come last, and among them one that reads an element of the state before
// the one that replaces it, which then can do so in place.
std::vector<const hlo::Instruction*> StepOrder(const hlo::Computation& computation, bool is_body);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_LEAVES_H_
