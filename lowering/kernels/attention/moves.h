// Ops that attention looks through: moves of elements that keep the order of the dimensions that it
// tells apart, conversions, and broadcasts; and the search through them.
#ifndef HALYARD_LOWERING_KERNELS_ATTENTION_MOVES_H_
#define HALYARD_LOWERING_KERNELS_ATTENTION_MOVES_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// Returns whether `inst` is a transpose, or a reshape that only adds or drops dimensions of size 1.
bool IsMove(const hlo::Instruction& inst);

// Returns whether `inst` is a conversion between float types. Others drop fractions.
bool IsFloatConvert(const hlo::Instruction& inst);

// Follows operands while `inst` is a float conversion, and returns what is behind the last one.
const hlo::Instruction* BehindConverts(const hlo::Instruction* inst);
hlo::Instruction* BehindConverts(hlo::Instruction* inst);

// Returns the places (see AttentionForm) of a move's result, from those of its operand.
std::vector<int64_t> MovedPlaces(const hlo::Instruction& move, const std::vector<int64_t>& from);

// Returns the places of a move's operand, from those of its result.
std::vector<int64_t> PlacesBefore(const hlo::Instruction& move, const std::vector<int64_t>& after);

// Returns the scalar constant that every element is, behind broadcasts and conversions, or null.
const hlo::Instruction* ConstantOfAll(const hlo::Instruction& value);

// Returns whether the value is the same at all places along `dim`, as far as broadcasts and ops of
// elements show.
bool IsSameAlong(const hlo::Instruction& value, int64_t dim, int depth = 0);

// Returns whether `found` accepts a value among `start` and those that `next` leads to. `next`
// returns the operands of a value by which the search goes on; each value is seen once.
bool Reaches(const hlo::Instruction& start, absl::FunctionRef<bool(const hlo::Instruction&)> found,
             absl::FunctionRef<std::vector<hlo::Instruction*>(const hlo::Instruction&)> next);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_ATTENTION_MOVES_H_
