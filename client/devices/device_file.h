// Descriptions of devices as small text files, for compiling for a device that is not present.
//
//   # NVIDIA H200 SXM
//   # [1] CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 9.0
//   kind = cuda
//   name = NVIDIA H200
//   max_shared_bytes = 227 KiB   # [1]
//
// Each line holds one `field = value`, and `#` begins a comment. The fields are those of
// runtime/device_fields.h, and `name`. A value is a whole number with an optional unit (KiB, MiB,
// GiB, TiB; K, M, G, T for powers of 1000), or yes or no. The value of `kind` is x86, cuda or
// vulkan; sets of bits are written as their names. A field that the file leaves out is not known
// (0) or does not exist (no). Fields that schedules need must be there.
#ifndef HALYARD_CLIENT_DEVICES_DEVICE_FILE_H_
#define HALYARD_CLIENT_DEVICES_DEVICE_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/device_info.h"

namespace halyard {

// Errors are kInvalidArgument: "file:line:col: error: …".
absl::StatusOr<runtime::DeviceInfo> ParseDeviceFile(absl::string_view text,
                                                    absl::string_view filename);
// Writes a description that ParseDeviceFile reads back as the same device.
std::string WriteDeviceFile(const runtime::DeviceInfo& device);

}  // namespace halyard

#endif  // HALYARD_CLIENT_DEVICES_DEVICE_FILE_H_
