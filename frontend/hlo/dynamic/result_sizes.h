// Sizes that an op's type or attributes state, as they are in one run.
#ifndef HALYARD_FRONTEND_HLO_DYNAMIC_RESULT_SIZES_H_
#define HALYARD_FRONTEND_HLO_DYNAMIC_RESULT_SIZES_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// A scalar that is broadcast to sizes that nothing states (such as a constant in an op that is
// defined by others, for operands of any size) stands for an array of whatever size the other
// operands of its users have. `actual` is then the scalar.
bool IsUnsized(const Shape& stated, const Shape& actual);

// Returns an error if the result, which is `actual` in this run, does not have the sizes that its
// type states.
absl::Status CheckStatedShape(const Instruction& inst, const Shape& actual);

// Below, `inst` is an instruction of the dynamic program, and `operands` are its operands
// in the static one.

// Returns the stated type of the result with the sizes that it has in this run, for ops whose
// result is what their type says. For all other ops, returns the stated type.
absl::StatusOr<Shape> StatedResult(const Instruction& inst,
                                   absl::Span<Instruction* const> operands);

// Returns the convolution's window with the sizes that the kernel has in this run.
Window SizedWindow(const Instruction& inst, absl::Span<Instruction* const> operands, Window window);

// Attributes that take all of a bounded dimension take all of the elements that it has in this run.
void NarrowAttributes(const Instruction& inst, absl::Span<Instruction* const> operands,
                      AttrMap* attrs);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DYNAMIC_RESULT_SIZES_H_
