// Descriptions of devices as small text files, for compiling for a device that is not there.
//
//   # NVIDIA H200 SXM
//   # [1] CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 9.0
//   kind = cuda
//   name = NVIDIA H200
//   max_shared_bytes = 227 KiB   # [1]
//
// One `field = value` a line (fields: runtime/device_fields.h, and `name`), `#` begins a comment.
// Values: whole numbers with an optional unit (KiB, MiB, GiB, TiB; K, M, G, T for powers of 1000),
// yes or no; of `kind` x86, cuda or vulkan; of sets of bits, their names. What a file leaves out is
// not known (0), or does not exist (no); what schedules need must be there.
#ifndef HALYARD_CLIENT_DEVICE_FILE_H_
#define HALYARD_CLIENT_DEVICE_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/device_info.h"

namespace halyard {

// kInvalidArgument: "file:line:col: error: …".
absl::StatusOr<runtime::DeviceInfo> ParseDeviceFile(absl::string_view text,
                                                    absl::string_view filename);
// What ParseDeviceFile reads back to the same description.
std::string WriteDeviceFile(const runtime::DeviceInfo& device);

}  // namespace halyard

#endif  // HALYARD_CLIENT_DEVICE_FILE_H_
