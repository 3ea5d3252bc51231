// Products that are left to a vendor's library, each with as much of its epilogue as the call
// takes.
#ifndef HALYARD_LOWERING_PLAN_FUSE_LIBRARY_KERNELS_H_
#define HALYARD_LOWERING_PLAN_FUSE_LIBRARY_KERNELS_H_

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/hlo/ir/module.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

struct LibraryKernels {
  std::unordered_set<const hlo::Instruction*> members;  // of all of them, without their inputs
  std::unordered_set<const hlo::Instruction*> results;  // a member of each
};

// Finds the products of a sequence that the library computes so much faster than kernels of our own
// that it pays to write their results to memory, instead of fusing what follows.
LibraryKernels FindLibraryKernels(
    const hlo::Computation& sequence,
    const std::unordered_map<const hlo::Instruction*, std::vector<hlo::Instruction*>>& users,
    const runtime::DeviceInfo& device);

// Returns whether a dot or convolution, by itself, is such a product.
bool IsLeftToLibrary(const hlo::Instruction& product, const runtime::DeviceInfo& device);

// Returns the multiply-adds of a dot or convolution.
double MultiplyAdds(const hlo::Instruction& product);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_FUSE_LIBRARY_KERNELS_H_
