#include "client/devices/device_catalog.h"

#include <cstdio>
#include <map>
#include <string>

#include "client/devices/device_file.h"
#include "client/devices/device_file_texts.h"

namespace halyard {

using runtime::DeviceInfo;
using runtime::DeviceKind;

namespace {

// Feature levels of the x86-64 psABI, and what CPUs from Sapphire Rapids on have. Cache sizes are
// small enough for any CPU of the level.
struct X86Level {
  const char* name;
  uint64_t features;
};
constexpr uint64_t kV2 = runtime::kX86Sse41;
constexpr uint64_t kV3 =
    kV2 | runtime::kX86Avx | runtime::kX86Avx2 | runtime::kX86Fma | runtime::kX86F16c;
constexpr uint64_t kV4 = kV3 | runtime::kX86Avx512;
constexpr uint64_t kSapphireRapids = kV4 | runtime::kX86Avx512Vnni | runtime::kX86Avx512Bf16 |
                                     runtime::kX86SapphireRapids | runtime::kX86Amx;
constexpr X86Level kX86Levels[] = {
    {"v2", kV2}, {"v3", kV3}, {"v4", kV4}, {"sapphirerapids", kSapphireRapids}};

DeviceInfo DescribeX86(const X86Level& level) {
  DeviceInfo info;
  info.kind = DeviceKind::kX86;
  snprintf(info.name, sizeof(info.name), "x86-64-%s", level.name);
  info.x86_features = level.features;
  info.buffer_alignment = 256;
  info.compute_units = 8;
  info.l1_bytes = 32 << 10;
  info.l2_bytes = 256 << 10;
  info.last_level_cache_bytes = 8 << 20;
  info.max_allocation_bytes = uint64_t{1} << 46;
  info.max_storage_range_bytes = uint64_t{1} << 46;
  info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
  return info;
}

// Returns the device of one of the files in client/devices, for devices of `kind`. The files are
// read once, and tests/client/devices/device_file_test.cc checks that they are right.
const std::map<std::string, DeviceInfo>& GpuDevices() {
  static const auto* const devices = [] {
    auto* parsed = new std::map<std::string, DeviceInfo>;
    for (const DeviceFileText& file : kDeviceFiles) {
      absl::StatusOr<DeviceInfo> device = ParseDeviceFile(file.text, file.name);
      if (device.ok()) parsed->emplace(file.name, *device);
    }
    return parsed;
  }();
  return *devices;
}

}  // namespace

std::optional<DeviceInfo> DescribedDevice(DeviceKind kind, absl::string_view name) {
  if (kind == DeviceKind::kX86) {
    for (const X86Level& level : kX86Levels) {
      if (name == level.name) return DescribeX86(level);
    }
  }
  const auto found = GpuDevices().find(std::string(name));
  if (found != GpuDevices().end() && found->second.kind == kind) return found->second;
  return std::nullopt;
}

std::vector<std::string> DescribedDeviceNames(DeviceKind kind) {
  std::vector<std::string> names;
  if (kind == DeviceKind::kX86) {
    for (const X86Level& level : kX86Levels) names.push_back(level.name);
  }
  for (const auto& [name, device] : GpuDevices()) {
    if (device.kind == kind) names.push_back(name);
  }
  return names;
}

}  // namespace halyard
