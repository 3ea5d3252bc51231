// Targets: what programs are compiled for and run on, in the spelling of users.
#ifndef HALYARD_CLIENT_DEVICES_TARGET_H_
#define HALYARD_CLIENT_DEVICES_TARGET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/backend.h"
#include "runtime/device_info.h"

namespace halyard {

// `auto | reference | x86[:host|:v2|:v3|:v4|:sapphirerapids] | cuda[:sm_NN|:NAME|:FILE] |
// vulkan[:NAME|:FILE]`.
// FILE is a description (client/devices/device_file.h): a path that contains a / or a . character.
struct Target {
  std::string text;            // as written, with `auto` resolved
  runtime::DeviceInfo device;  // kind kReference for `reference`
  bool live = false;           // whether it is a device of this machine, which OpenDevice opens
};

// Returns kInvalidArgument with a list of the known targets, or kUnavailable with the reason if a
// live device is missing. `device_index` selects a live device of the kind (--device=N).
absl::StatusOr<Target> ParseTarget(absl::string_view text, int device_index = 0);

// Returns what `auto` stands for: the first GPU that is not a software device, or else x86. If
// `unusable` is given, it is a target that this function returned and that cannot be opened. The
// function then returns the next one.
absl::StatusOr<Target> AutoTarget(int device_index, const Target* unusable = nullptr);

struct LiveDevice {
  std::string target;  // how to name it as a target: "x86", "cuda", "vulkan"
  int index = 0;
  runtime::DeviceInfo info;
};
struct DeviceList {
  std::vector<LiveDevice> devices;
  std::vector<std::string>
      absent;  // "cuda: libcuda.so.1 not found", one line per backend without devices
};
DeviceList ListDevices();

// Returns the names of the described devices of a kind ("h100", "sm_90", …), which need not be
// present.
std::vector<std::string> KnownDeviceNames(runtime::DeviceKind kind);

// Makes schedules of x86 kernels suit this many threads; 0 stands for all CPUs.
void UseThreads(int threads, Target* target);

// Opens the device of a live target. `threads` is for x86 only; 0 stands for all CPUs. Drivers'
// compiled pipelines are kept in `cache_folder`, or nowhere if it is "". The caller destroys the
// device.
absl::StatusOr<runtime::Device*> OpenDevice(const Target& target, int threads, int device_index,
                                            const std::string& cache_folder = "");

}  // namespace halyard

#endif  // HALYARD_CLIENT_DEVICES_TARGET_H_
