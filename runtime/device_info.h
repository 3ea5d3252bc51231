// What a device is and can do. It is queried from a live device, or read from the description file
// of a device that is not present. Schedules and limit checks read it, and it is part of every
// kernel's key. It is plain data without pointers.
#ifndef HALYARD_RUNTIME_DEVICE_INFO_H_
#define HALYARD_RUNTIME_DEVICE_INFO_H_

#include <stdint.h>

namespace halyard::runtime {

enum class DeviceKind : uint8_t { kReference = 0, kX86 = 1, kCuda = 2, kVulkan = 3 };

// x86 feature levels of the psABI. kHost adds what `x86_features` lists.
enum X86Feature : uint64_t {
  kX86Sse41 = 1 << 0,  // v2: SSE4.2, POPCNT
  kX86Avx = 1 << 1,
  kX86Avx2 = 1 << 2,  // v3: AVX2, FMA, F16C, BMI
  kX86Fma = 1 << 3,
  kX86F16c = 1 << 4,
  kX86Avx512 = 1 << 5,  // v4: F, BW, CD, DQ, VL
  kX86Avx512Vnni = 1 << 6,
  kX86Avx512Bf16 = 1 << 7,
  kX86Amx = 1 << 8,  // AMX tile, int8, bf16, and the OS has given permission
  // The other extensions of AVX-512 that compilers assume on Zen 4 and on Sapphire Rapids. Code for
  // these CPUs may use any of them. Both include kX86Avx512Vnni and kX86Avx512Bf16.
  kX86Zen4 = 1 << 9,
  kX86SapphireRapids = 1 << 10,
};

// Vendors' libraries. Kernels may call all but kNccl, by which devices exchange arrays
// (device_links.h).
enum GpuLibrary : uint32_t {
  kCublasLt = 1 << 0,
  kCudnn = 1 << 1,
  kCufft = 1 << 2,
  kCusolver = 1 << 3,
  kNccl = 1 << 4,
};
inline constexpr uint32_t kKernelLibraries = kCublasLt | kCudnn | kCufft | kCusolver;

// What a Vulkan device guarantees about floats (VkPhysicalDeviceFloatControlsProperties).
enum FloatControl : uint32_t {
  kKeepsSpecialsF16 = 1 << 0,  // signed zeros, infinities and NaN
  kKeepsSpecialsF32 = 1 << 1,
  kKeepsSpecialsF64 = 1 << 2,
  kKeepsDenormalsF16 = 1 << 3,
  kKeepsDenormalsF64 = 1 << 4,
  kRoundsToEvenF16 = 1 << 5,
  kRoundsToEvenF32 = 1 << 6,
  kRoundsToEvenF64 = 1 << 7,
};

struct DeviceInfo {
  DeviceKind kind = DeviceKind::kX86;
  char name[128] = {};    // "x86-64-v3", "NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)"
  bool software = false;  // a Vulkan device that runs on the CPU
  // All devices.
  uint64_t memory_bytes = 0;          // total; 0 if not known
  uint64_t max_allocation_bytes = 0;  // largest single block
  uint32_t buffer_alignment = 256;    // of slices, in bytes; never less than 64
  uint32_t compute_units = 0;         // cores, SMs, compute units; 0 if not known
  uint32_t last_level_cache_bytes = 0;
  // x86.
  uint64_t x86_features = 0;  // X86Feature bits
  uint32_t l1_bytes = 0, l2_bytes = 0;
  // GPU.
  int32_t cuda_capability = 0;  // 90 for sm_90
  uint32_t max_threads_per_group = 0;
  uint32_t max_group[3] = {0, 0, 0};
  uint32_t max_grid[3] = {0, 0, 0};
  uint32_t max_shared_bytes = 0;  // per workgroup
  uint32_t subgroup_size = 0;
  uint32_t max_push_constant_bytes = 0;
  uint32_t max_storage_buffers = 0;      // bindings of one kernel
  uint64_t max_storage_range_bytes = 0;  // of one binding
  bool has_f64 = false, has_f16 = false, has_i64 = false, has_i16 = false, has_i8 = false;
  bool keeps_denormals = true;  // f32
  uint32_t float_controls = 0;  // Vulkan: FloatControl bits
  // GPU, 32-bit registers. 0 if not known, which sets no limit.
  uint32_t max_thread_registers = 0;
  uint32_t max_group_registers = 0;
  // What one compute unit holds at a time, which decides how many workgroups are resident. 0 if not
  // known.
  uint32_t unit_threads = 0, unit_groups = 0, unit_shared_bytes = 0, unit_registers = 0;
  uint64_t memory_bandwidth = 0;  // bytes per second, as the maker states; 0 if not known
  uint64_t f32_flops =
      0;  // per second without tensor cores; a multiply-add counts as two; 0 if not known
  uint32_t libraries = 0;  // GpuLibrary bits of those that programs may use
};

// For choices that need a number of units: 1 where it is not known.
inline int64_t UnitsOf(const DeviceInfo& device) {
  return device.compute_units == 0 ? 1 : int64_t{device.compute_units};
}

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_DEVICE_INFO_H_
