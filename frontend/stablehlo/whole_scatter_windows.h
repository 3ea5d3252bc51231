// XLA's rule for scatters whose windows lie partly outside of the operand.
#ifndef HALYARD_FRONTEND_STABLEHLO_WHOLE_SCATTER_WINDOWS_H_
#define HALYARD_FRONTEND_STABLEHLO_WHOLE_SCATTER_WINDOWS_H_

#include "absl/status/status.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::stablehlo {

// Makes every scatter leave out windows that lie partly outside, as XLA does and JAX documents.
// StableHLO, and so a program that has not been rewritten, leaves out the elements outside alone.
// The module stays valid. What has dynamic sizes is left as it is.
absl::Status DropPartialScatterWindows(hlo::Module* module);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_WHOLE_SCATTER_WINDOWS_H_
