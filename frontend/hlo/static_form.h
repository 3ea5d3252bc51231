// What an instruction of a dynamic program is in one run: the same with static shapes.
#ifndef HALYARD_FRONTEND_HLO_STATIC_FORM_H_
#define HALYARD_FRONTEND_HLO_STATIC_FORM_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"

namespace halyard::hlo {

// A custom call that checks a condition on sizes: `shape_assertion`, as JAX exports it. Operand 0
// is the condition; the others are shown in its message, which is its backend_config.
bool IsShapeAssertion(const Instruction& inst);
// An error with the message if the condition does not hold. `values`: of all operands.
absl::Status CheckShapeAssertion(const Instruction& inst, absl::Span<const Literal> values);

// The next number of an operand whose values the result's shape follows from; -1: none.
int64_t NextShapeOperand(const Instruction& inst, int64_t after = -1);

struct StaticForm {
  Instruction* result = nullptr;
  int64_t unknown = -1;  // without a result: the operand whose value must be known first
};

// A scalar broadcast to sizes that nothing says (as a constant in an op that is defined by others,
// for operands of any size) stands for an array of whatever size the other operands of its users
// have: `actual` is then the scalar.
bool IsUnsized(const Shape& stated, const Shape& actual);

// Adds to `into` what `inst` computes from `operands`, which are of static shapes and in `into`.
// `values` are those of the operands that are known, null elsewhere. get-dimension-size becomes a
// constant, set-dimension-size a slice, ops whose shape is an operand become their static
// counterparts. The sizes must be those that the types of the program say; else an error which
// names the constraint, without a place. Not for calls, loops and branches. Computations called by
// element are `callee` of themselves.
absl::StatusOr<StaticForm> AddStaticForm(const Instruction& inst,
                                         absl::Span<Instruction* const> operands,
                                         absl::Span<const Literal* const> values, Computation* into,
                                         const std::function<Computation*(Computation*)>& callee);

// `inst`, of a dynamic program, is not evaluated as it is for these operands.
bool HasOtherStaticForm(const Instruction& inst, absl::Span<const Literal> operands);

// An error if the result, which is `actual` in this run, is not of the sizes that its type states.
absl::Status CheckStatedShape(const Instruction& inst, const Shape& actual);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_STATIC_FORM_H_
