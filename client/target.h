// Targets: what programs are compiled for and run on, as users write them.
#ifndef HALYARD_CLIENT_TARGET_H_
#define HALYARD_CLIENT_TARGET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/backend.h"
#include "runtime/device_info.h"

namespace halyard {

// `auto | reference | x86[:host|:v2|:v3|:v4] | cuda[:sm_NN|:NAME|:FILE] | vulkan[:NAME|:FILE]`;
// FILE: a description (client/device_file.h), a path with a / or a . in it.
struct Target {
  std::string text;            // as written, `auto` resolved
  runtime::DeviceInfo device;  // kind kReference for `reference`
  bool live = false;           // a device of this machine, which OpenDevice opens
};

// kInvalidArgument lists what there is; kUnavailable says why a live device is missing.
// `device_index` picks a live device of the kind (--device=N).
absl::StatusOr<Target> ParseTarget(absl::string_view text, int device_index = 0);

struct LiveDevice {
  std::string target;  // what to write to get it: "x86", "cuda", "vulkan"
  int index = 0;
  runtime::DeviceInfo info;
};
struct DeviceList {
  std::vector<LiveDevice> devices;
  std::vector<std::string>
      absent;  // "cuda: libcuda.so.1 not found", one line per backend without devices
};
DeviceList ListDevices();

// Names of the devices that are described without being there ("h100", "sm_90", …), per kind.
std::vector<std::string> KnownDeviceNames(runtime::DeviceKind kind);

// Kernels for x86 are scheduled for so many threads; 0: for all CPUs.
void UseThreads(int threads, Target* target);

// Opens a live target's device (threads: x86 only; 0: all CPUs). `cache_folder`: where drivers'
// compiled pipelines are kept; "": nowhere. The caller destroys it.
absl::StatusOr<runtime::Device*> OpenDevice(const Target& target, int threads, int device_index,
                                            const std::string& cache_folder = "");

}  // namespace halyard

#endif  // HALYARD_CLIENT_TARGET_H_
