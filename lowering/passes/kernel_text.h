// A kernel's computation as the canonical text of a request, and which of its arguments may share
// memory.
#ifndef HALYARD_LOWERING_PASSES_KERNEL_TEXT_H_
#define HALYARD_LOWERING_PASSES_KERNEL_TEXT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/module.h"

namespace halyard::lowering {

// Adjacent dimensions that no op of the kernel tells apart are merged, and dimensions of size 1
// dropped, so that kernels that differ only in these are one, and ranks are low. Parameters and
// results keep their bytes.
absl::Status CollapseDimensions(hlo::Module& kernel);

// `collapse`: with its dimensions collapsed.
absl::StatusOr<std::string> KernelText(const hlo::Computation& kernel, bool collapse = true);

// {output, input} where element i of the input is read only to compute element i of the output, and
// they are of one size: kernels of one output without a hero.
std::vector<std::pair<int32_t, int32_t>> InPlacePairs(const hlo::Computation& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_KERNEL_TEXT_H_
