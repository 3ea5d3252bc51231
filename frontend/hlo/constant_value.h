// Values that no run has to be waited for.
#ifndef HALYARD_FRONTEND_HLO_CONSTANT_VALUE_H_
#define HALYARD_FRONTEND_HLO_CONSTANT_VALUE_H_

#include "absl/status/statusor.h"
#include "frontend/hlo/module.h"

namespace halyard::hlo {

// The same in every run, but for random numbers: no parameter, side effect or process id is among
// what `inst` is computed from, whatever the values are.
bool IsConstantExpression(const Instruction& inst);

// Its value, by the evaluator. kInvalidArgument if it is no constant expression.
absl::StatusOr<Literal> ConstantValue(const Instruction& inst);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_CONSTANT_VALUE_H_
