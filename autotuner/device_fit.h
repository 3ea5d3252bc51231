// Whether what was compiled for one device runs on another.
#ifndef HALYARD_AUTOTUNER_DEVICE_FIT_H_
#define HALYARD_AUTOTUNER_DEVICE_FIT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

// kFailedPrecondition names the limits of `planned` that `live` falls short of.
absl::Status RunsOn(const runtime::DeviceInfo& planned, const runtime::DeviceInfo& live);

// "l2_bytes is 1048576, planned for 2097152", for each field in which kernels' keys differ: what
// was chosen for one device may not be the best for the other.
std::vector<std::string> DifferencesOf(const runtime::DeviceInfo& planned,
                                       const runtime::DeviceInfo& live);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_DEVICE_FIT_H_
