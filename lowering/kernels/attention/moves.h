// Ops that move elements without changing the order of the dimensions that attention tells apart.
#ifndef HALYARD_LOWERING_KERNELS_ATTENTION_MOVES_H_
#define HALYARD_LOWERING_KERNELS_ATTENTION_MOVES_H_

#include <cstdint>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// Returns whether `inst` is a transpose, or a reshape that only adds or drops dimensions of size 1.
bool IsMove(const hlo::Instruction& inst);

// Returns whether `inst` is a conversion between float types. Others drop fractions.
bool IsFloatConvert(const hlo::Instruction& inst);

// Returns the value that `inst` is a float conversion of, of a conversion, …; `inst` if it is none.
const hlo::Instruction* BehindConverts(const hlo::Instruction* inst);
hlo::Instruction* BehindConverts(hlo::Instruction* inst);

// Returns the places (see AttentionForm) of a move's result, from those of its operand.
std::vector<int64_t> MovedPlaces(const hlo::Instruction& move, const std::vector<int64_t>& from);

// Returns the places of a move's operand, from those of its result.
std::vector<int64_t> PlacesBefore(const hlo::Instruction& move, const std::vector<int64_t>& after);

// Returns whether the value is the same at all places along `dim`, as far as broadcasts and ops of
// elements show.
bool IsSameAlong(const hlo::Instruction& value, int64_t dim, int depth = 0);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_ATTENTION_MOVES_H_
