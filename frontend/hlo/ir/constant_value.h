// Values that are known without a run.
#ifndef HALYARD_FRONTEND_HLO_IR_CONSTANT_VALUE_H_
#define HALYARD_FRONTEND_HLO_IR_CONSTANT_VALUE_H_

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Returns whether the value is the same in every run, except for random numbers: `inst` is computed
// from no parameter, side effect or process id, whatever the values are.
bool IsConstantExpression(const Instruction& inst);

// Returns the value, computed by the evaluator. Returns kInvalidArgument if it is not a constant
// expression.
absl::StatusOr<Literal> ConstantValue(const Instruction& inst);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_CONSTANT_VALUE_H_
