// Quantized types of ops that fold with a computation: reduce, scatter, sort and so on.
#ifndef HALYARD_FRONTEND_HLO_INFER_QUANTIZED_FOLD_H_
#define HALYARD_FRONTEND_HLO_INFER_QUANTIZED_FOLD_H_

#include "absl/status/status.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Checks that the operands' types agree with each other and with the computation's parameters.
absl::Status CheckQuantizedFold(const Instruction& inst);

// Returns `inferred` with the quantization of the computation's results.
Shape WithResultTypes(const Instruction& inst, const Shape& inferred);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_INFER_QUANTIZED_FOLD_H_
