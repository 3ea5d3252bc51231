// Descriptions of devices that need not be present, for compiling ahead of time.
#ifndef HALYARD_CLIENT_DEVICES_DEVICE_CATALOG_H_
#define HALYARD_CLIENT_DEVICES_DEVICE_CATALOG_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/device_info.h"

namespace halyard {

// Returns the device with this name: for x86 "v2", "v3", "v4" or "sapphirerapids", and for GPUs
// a file in client/devices ("sm_80", "a100", "llvmpipe", …).
std::optional<runtime::DeviceInfo> DescribedDevice(runtime::DeviceKind kind,
                                                   absl::string_view name);
std::vector<std::string> DescribedDeviceNames(runtime::DeviceKind kind);

}  // namespace halyard

#endif  // HALYARD_CLIENT_DEVICES_DEVICE_CATALOG_H_
