// The canonical text of a kernel's computation for a request, and which of its arguments may share
// memory.
#ifndef HALYARD_LOWERING_PLAN_STEPS_KERNEL_TEXT_H_
#define HALYARD_LOWERING_PLAN_STEPS_KERNEL_TEXT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::lowering {

// Merges adjacent dimensions that no op of the kernel distinguishes, and drops dimensions of size
// 1. So kernels that differ only in these become one, and ranks are low. Parameters and results
// keep their bytes.
absl::Status CollapseDimensions(hlo::Module& kernel);

// With `collapse`, the dimensions are collapsed.
absl::StatusOr<std::string> KernelText(const hlo::Computation& kernel, bool collapse = true);

// Returns {output, input} pairs of one size where element i of the input is read only to compute
// element i of the output: those of kernels with one output and without a hero.
std::vector<std::pair<int32_t, int32_t>> InPlacePairs(const hlo::Computation& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_KERNEL_TEXT_H_
