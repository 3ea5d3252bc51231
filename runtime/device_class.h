// Properties that follow from the kind of a device. They are all here, so that a new kind of GPU
// counts as a GPU everywhere.
#ifndef HALYARD_RUNTIME_DEVICE_CLASS_H_
#define HALYARD_RUNTIME_DEVICE_CLASS_H_

#include "runtime/device_info.h"

namespace halyard::runtime {

// Returns whether kernels are launched over a grid of workgroups.
constexpr bool IsGpu(DeviceKind kind) {
  return kind != DeviceKind::kReference && kind != DeviceKind::kX86;
}
constexpr bool IsGpu(const DeviceInfo& device) { return IsGpu(device.kind); }

// Returns whether work on the device takes CPU time, as on x86 and on GPUs in software.
constexpr bool RunsOnCpu(const DeviceInfo& device) { return !IsGpu(device) || device.software; }

// A thread of the Mesa software device leaves its loops, without an error, after 65,535 iterations
// of all of them together (LP_MAX_TGSI_LOOP_ITERATIONS). On a device that limits steps, a launch
// does at most a quarter of that one after the other.
inline constexpr int64_t kMaxLaunchSteps = 16384;
constexpr bool LimitsSteps(const DeviceInfo& device) {
  return device.kind == DeviceKind::kVulkan && device.software;
}

// Returns the bytes of an x86 CPU's widest vector registers, given its X86Feature bits.
constexpr int64_t X86VectorBytes(uint64_t features) {
  if (features & kX86Avx512) return 64;
  return features & kX86Avx ? 32 : 16;
}

// Returns the name that --target uses.
constexpr const char* KindName(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kReference:
      return "reference";
    case DeviceKind::kX86:
      return "x86";
    case DeviceKind::kCuda:
      return "cuda";
    case DeviceKind::kVulkan:
      return "vulkan";
  }
  return "";
}

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_DEVICE_CLASS_H_
