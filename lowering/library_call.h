// Kernels that a vendor's library has a routine for, and the launch that calls it.
//
// What a library changes is the order in which a product's terms are added, which numerics.md
// leaves open anyway; a form in which anything else would differ is not taken: no bias that would
// be added after a rounding, no activation but a rectifier, and that by name only, since the
// library does not say what becomes of NaN.
#ifndef HALYARD_LOWERING_LIBRARY_CALL_H_
#define HALYARD_LOWERING_LIBRARY_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/hlo/module.h"
#include "runtime/device_info.h"
#include "runtime/kernel_object.h"

namespace halyard::lowering {

struct LibraryCall {
  uint32_t library = 0;  // runtime::GpuLibrary
  std::string routine;   // the launch's entry, without the algorithm (runtime/cuda/library.h)
  std::vector<runtime::LaunchArgument> arguments;
  uint64_t scratch_bytes = 0;
  int64_t algorithms = 1;   // there may be fewer of them when it runs: an error then
  bool by_default = false;  // without being named; cuDNN's never

  std::string Entry(int64_t algorithm) const;
};

// The call that computes all of `kernel` (in kernel form), if one of device.libraries has one.
std::optional<LibraryCall> FindLibraryCall(const hlo::Computation& kernel,
                                           const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_LIBRARY_CALL_H_
