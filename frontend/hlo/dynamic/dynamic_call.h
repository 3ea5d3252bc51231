// Custom calls that stand for ops whose sizes are operands. JAX exports them where a size is
// symbolic and StableHLO has no op that takes it.
#ifndef HALYARD_FRONTEND_HLO_DYNAMIC_DYNAMIC_CALL_H_
#define HALYARD_FRONTEND_HLO_DYNAMIC_DYNAMIC_CALL_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Returns the number of the first of the operands that are sizes, which come last; -1 if `call` is
// none of these calls.
int64_t FirstShapeOperandOfCall(const Instruction& call);

// The op that a call stands for. Its called computations are those of the call.
struct StaticCall {
  Opcode opcode;
  std::vector<Instruction*> operands;
  AttrMap attrs;
  Shape given;  // the result, for ops whose result does not follow from their operands
};

// `operands` have static shapes. `values` has those of all operands from FirstShapeOperandOfCall
// on, and may be null elsewhere.
absl::StatusOr<StaticCall> StaticFormOfCall(const Instruction& call,
                                            absl::Span<Instruction* const> operands,
                                            absl::Span<const Literal* const> values);

// Returns the values of a vector of integers. Those that do not fit 64 bits come out negative.
Ints ValuesOf(const Literal& literal);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DYNAMIC_DYNAMIC_CALL_H_
