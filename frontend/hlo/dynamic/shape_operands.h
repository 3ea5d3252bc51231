// Operands from whose values sizes follow, and custom calls that are about sizes.
#ifndef HALYARD_FRONTEND_HLO_DYNAMIC_SHAPE_OPERANDS_H_
#define HALYARD_FRONTEND_HLO_DYNAMIC_SHAPE_OPERANDS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Returns whether it is a custom call that checks a condition on sizes: `shape_assertion`, as JAX
// exports it. Operand 0 is the condition. The others appear in its message, which is its
// backend_config.
bool IsShapeAssertion(const Instruction& inst);
// Returns an error with the message if the condition does not hold. `values` are those of all
// operands.
absl::Status CheckShapeAssertion(const Instruction& inst, absl::Span<const Literal> values);

// Returns the next number of an operand from whose values the result's shape follows, or -1.
int64_t NextShapeOperand(const Instruction& inst, int64_t after = -1);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DYNAMIC_SHAPE_OPERANDS_H_
