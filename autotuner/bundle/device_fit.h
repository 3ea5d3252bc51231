// Says whether code that was compiled for one device runs on another.
#ifndef HALYARD_AUTOTUNER_BUNDLE_DEVICE_FIT_H_
#define HALYARD_AUTOTUNER_BUNDLE_DEVICE_FIT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

// Returns kFailedPrecondition with the limits of `planned` that `live` does not reach.
absl::Status RunsOn(const runtime::DeviceInfo& planned, const runtime::DeviceInfo& live);

// Returns a text such as "l2_bytes is 1048576, planned for 2097152" for the name, and for each
// field in the keys of kernels, that differs. What was chosen for one device may then not be the
// best for the other.
std::vector<std::string> DifferencesOf(const runtime::DeviceInfo& planned,
                                       const runtime::DeviceInfo& live);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_BUNDLE_DEVICE_FIT_H_
