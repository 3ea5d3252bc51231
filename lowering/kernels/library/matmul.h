// Calls of cuBLASLt.
#ifndef HALYARD_LOWERING_KERNELS_LIBRARY_MATMUL_H_
#define HALYARD_LOWERING_KERNELS_LIBRARY_MATMUL_H_

#include <cstdint>
#include <optional>

#include "frontend/hlo/ir/module.h"
#include "lowering/kernels/library/form.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// Returns the argument for parameter `index` of the kernel, or for its result if `index` is the
// number of parameters.
runtime::LaunchArgument BufferArgument(const hlo::Computation& kernel, int64_t index);

// Returns cuBLASLt's call for the kernel, if it is a product that cuBLASLt computes as the program
// says, with or without a bias and a rectifier.
std::optional<LibraryCall> MatmulCall(const hlo::Computation& kernel,
                                      const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_LIBRARY_MATMUL_H_
