#include "client/device_catalog.h"

#include <cstdio>
#include <iterator>

namespace halyard {

using runtime::DeviceInfo;
using runtime::DeviceKind;

namespace {

// Feature levels of the x86-64 psABI. Cache sizes are small enough for any CPU of the level.
struct X86Level {
  const char* name;
  uint64_t features;
};
constexpr uint64_t kV2 = runtime::kX86Sse41;
constexpr uint64_t kV3 =
    kV2 | runtime::kX86Avx | runtime::kX86Avx2 | runtime::kX86Fma | runtime::kX86F16c;
constexpr X86Level kX86Levels[] = {{"v2", kV2}, {"v3", kV3}, {"v4", kV3 | runtime::kX86Avx512}};

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

// Limits by compute capability: CUDA C++ Programming Guide, table "Technical Specifications per
// Compute Capability"; multiprocessors and memory: NVIDIA's data sheets of the products.
struct CudaRow {
  const char* name;
  const char* product;
  int32_t capability;
  uint32_t multiprocessors;
  uint64_t memory_gib;
  uint32_t shared_kib;  // most that one block may opt in to
};
constexpr CudaRow kCudaDevices[] = {
    {"sm_75", "CUDA sm_75", 75, 40, 16, 64},
    {"sm_80", "CUDA sm_80", 80, 108, 40, 163},
    {"sm_86", "CUDA sm_86", 86, 84, 24, 99},
    {"sm_89", "CUDA sm_89", 89, 128, 24, 99},
    {"sm_90", "CUDA sm_90", 90, 132, 80, 227},
    {"sm_100", "CUDA sm_100", 100, 148, 180, 227},
    {"t4", "NVIDIA T4", 75, 40, 16, 64},
    {"a100", "NVIDIA A100", 80, 108, 40, 163},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 89, 128, 24, 99},
    {"h100", "NVIDIA H100", 90, 132, 80, 227},
    {"h200", "NVIDIA H200", 90, 132, 141, 227},
};

DeviceInfo DescribeCuda(const CudaRow& row) {
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  snprintf(info.name, sizeof(info.name), "%s", row.product);
  info.memory_bytes = row.memory_gib << 30;
  info.max_allocation_bytes = info.memory_bytes;
  info.max_storage_range_bytes = info.memory_bytes;
  info.compute_units = row.multiprocessors;
  info.cuda_capability = row.capability;
  info.max_threads_per_group = 1024;
  info.max_group[0] = info.max_group[1] = 1024;
  info.max_group[2] = 64;
  info.max_grid[0] = INT32_MAX;
  info.max_grid[1] = info.max_grid[2] = 65535;
  info.max_shared_bytes = row.shared_kib << 10;
  info.subgroup_size = 32;
  info.max_push_constant_bytes = 4096;
  info.max_storage_buffers = 256;
  info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
  return info;
}

// Mesa 22.3's software device, as vkGetPhysicalDeviceProperties reports it.
DeviceInfo DescribeLlvmpipe() {
  DeviceInfo info;
  info.kind = DeviceKind::kVulkan;
  snprintf(info.name, sizeof(info.name), "llvmpipe");
  info.software = true;
  info.memory_bytes = uint64_t{2} << 30;
  info.max_allocation_bytes = uint64_t{2} << 30;
  info.max_storage_range_bytes = uint64_t{128} << 20;
  info.max_threads_per_group = 1024;
  for (int i = 0; i < 3; ++i) {
    info.max_group[i] = 1024;
    info.max_grid[i] = 65535;
  }
  info.max_shared_bytes = 32 << 10;
  info.subgroup_size = 8;
  info.max_push_constant_bytes = 128;
  info.max_storage_buffers = 32;
  info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
  info.keeps_denormals = false;
  return info;
}

}  // namespace

std::optional<DeviceInfo> DescribedDevice(DeviceKind kind, absl::string_view name) {
  if (kind == DeviceKind::kX86) {
    for (const X86Level& level : kX86Levels) {
      if (name == level.name) return DescribeX86(level);
    }
  }
  if (kind == DeviceKind::kCuda) {
    for (const CudaRow& row : kCudaDevices) {
      if (name == row.name) return DescribeCuda(row);
    }
  }
  if (kind == DeviceKind::kVulkan && name == "llvmpipe") return DescribeLlvmpipe();
  return std::nullopt;
}

std::vector<std::string> DescribedDeviceNames(DeviceKind kind) {
  std::vector<std::string> names;
  if (kind == DeviceKind::kX86) {
    for (const X86Level& level : kX86Levels) names.push_back(level.name);
  }
  if (kind == DeviceKind::kCuda) {
    for (const CudaRow& row : kCudaDevices) names.push_back(row.name);
  }
  if (kind == DeviceKind::kVulkan) names.push_back("llvmpipe");
  return names;
}

}  // namespace halyard
