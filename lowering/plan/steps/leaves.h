// The leaves of values (the arrays and tokens of a shape, depth first), and the order in which the
// values of a sequence are computed.
#ifndef HALYARD_LOWERING_PLAN_STEPS_LEAVES_H_
#define HALYARD_LOWERING_PLAN_STEPS_LEAVES_H_

#include <utility>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

size_t LeafCount(const hlo::Shape& shape);
// Returns the first leaf of tuple element `index`.
size_t LeafOffset(const hlo::Shape& tuple, int64_t index);
// Returns the value behind get-tuple-element and tuple, for leaf `leaf` of `inst`.
std::pair<const hlo::Instruction*, size_t> Origin(const hlo::Instruction* inst, size_t leaf);

// Returns the computation's instructions in an order for its steps. In a loop's body, kernels whose
// results are only the next state come last. Among them, a kernel that reads an element of the
// state comes before the one that replaces this element, which can then do so in place.
std::vector<const hlo::Instruction*> StepOrder(const hlo::Computation& computation, bool is_body);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_LEAVES_H_
