// The form of a dynamic program's instruction in one run: the same instruction with static shapes.
#ifndef HALYARD_FRONTEND_HLO_DYNAMIC_STATIC_FORM_H_
#define HALYARD_FRONTEND_HLO_DYNAMIC_STATIC_FORM_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
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

struct StaticForm {
  Instruction* result = nullptr;
  int64_t unknown = -1;  // without a result: the operand whose value must be known first
};

// A scalar that is broadcast to sizes that nothing states (such as a constant in an op that is
// defined by others, for operands of any size) stands for an array of whatever size the other
// operands of its users have. `actual` is then the scalar.
bool IsUnsized(const Shape& stated, const Shape& actual);

// Adds to `into` what `inst` computes from `operands`, which have static shapes and are in `into`.
// `values` are those of the operands that are known, and null elsewhere. get-dimension-size becomes
// a constant, set-dimension-size becomes a slice, and ops whose shape is an operand become their
// static counterparts. The sizes must be those that the types of the program state; otherwise, the
// error names the constraint, without a place. Not for calls, loops and branches. `callee` maps
// computations that are called for each element to themselves.
absl::StatusOr<StaticForm> AddStaticForm(const Instruction& inst,
                                         absl::Span<Instruction* const> operands,
                                         absl::Span<const Literal* const> values, Computation* into,
                                         const std::function<Computation*(Computation*)>& callee);

// Returns whether `inst`, of a dynamic program, is not evaluated as it is for these operands.
bool HasOtherStaticForm(const Instruction& inst, absl::Span<const Literal> operands);

// Returns an error if the result, which is `actual` in this run, does not have the sizes that its
// type states.
absl::Status CheckStatedShape(const Instruction& inst, const Shape& actual);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DYNAMIC_STATIC_FORM_H_
