// Kernels for which a vendor's library has a routine, and the launch that calls it.
//
// A library changes the order in which the terms of a product are added, which numerics.md leaves
// open anyway. A form in which anything else would differ is not taken. So there is no bias that
// would be added after a rounding, and no activation except a rectifier, and that by name only,
// because the library does not say what becomes of NaN.
#ifndef HALYARD_LOWERING_KERNELS_LIBRARY_FORM_H_
#define HALYARD_LOWERING_KERNELS_LIBRARY_FORM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/hlo/ir/module.h"
#include "runtime/device_info.h"
#include "runtime/kernel_object.h"

namespace halyard::lowering {

struct LibraryCall {
  uint32_t library = 0;  // runtime::GpuLibrary
  // the launch's entry without the algorithm (runtime/cuda/libraries/library.h)
  std::string routine;
  std::vector<runtime::LaunchArgument> arguments;
  uint64_t scratch_bytes = 0;
  int64_t algorithms = 1;   // if there are fewer when it runs, that is an error
  bool by_default = false;  // whether it is used without being named

  // The algorithms count from the one that is likely to be the fastest.
  std::string Entry(int64_t algorithm) const;
};

// Returns the call that computes all of `kernel` (in kernel form), if one of device.libraries has
// one.
std::optional<LibraryCall> FindLibraryCall(const hlo::Computation& kernel,
                                           const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_LIBRARY_FORM_H_
