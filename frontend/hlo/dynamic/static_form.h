// The form of a dynamic program's instruction in one run: the same instruction with static shapes.
#ifndef HALYARD_FRONTEND_HLO_DYNAMIC_STATIC_FORM_H_
#define HALYARD_FRONTEND_HLO_DYNAMIC_STATIC_FORM_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

struct StaticForm {
  Instruction* result = nullptr;
  int64_t unknown = -1;  // without a result: the operand whose value must be known first
};

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

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DYNAMIC_STATIC_FORM_H_
