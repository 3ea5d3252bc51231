#include "runtime/cuda/describe.h"

namespace halyard::runtime::cuda {
namespace {

// Returns the FP32 lanes of one SM (CUDA C++ Programming Guide, table of arithmetic throughput).
// Assumes 128 for architectures newer than the table, because all have had 128 since 8.6.
uint32_t LanesOfUnit(int32_t capability) {
  switch (capability) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80:
      return 64;
    default:
      return 128;
  }
}

Status Attribute(const Api& api, CUdevice device, CUdevice_attribute attribute, uint32_t* value) {
  int got = 0;
  HY_RETURN_IF_ERROR(
      ToStatus(api, api.cuDeviceGetAttribute(&got, attribute, device), "cuDeviceGetAttribute"));
  *value = got < 0 ? 0 : static_cast<uint32_t>(got);
  return Status();
}

}  // namespace

Status DescribeDevice(const Api& api, CUdevice device, DeviceInfo* info, bool* has_pools) {
  info->kind = DeviceKind::kCuda;
  HY_RETURN_IF_ERROR(ToStatus(api, api.cuDeviceGetName(info->name, sizeof(info->name) - 1, device),
                              "cuDeviceGetName"));
  size_t memory = 0;
  HY_RETURN_IF_ERROR(ToStatus(api, api.cuDeviceTotalMem(&memory, device), "cuDeviceTotalMem"));
  info->memory_bytes = info->max_allocation_bytes = memory;
  uint32_t major = 0, minor = 0, pools = 0, memory_khz = 0, bus_bits = 0, khz = 0;
  const struct {
    CUdevice_attribute attribute;
    uint32_t* value;
  } kAttributes[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &info->compute_units},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &info->last_level_cache_bytes},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &info->max_threads_per_group},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &info->max_group[0]},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &info->max_group[1]},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &info->max_group[2]},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &info->max_grid[0]},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &info->max_grid[1]},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &info->max_grid[2]},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &info->max_shared_bytes},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &info->subgroup_size},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, &info->max_group_registers},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &info->unit_threads},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &info->unit_groups},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &info->unit_shared_bytes},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &info->unit_registers},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &memory_khz},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &bus_bits},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &khz},
      {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, &pools},
  };
  for (const auto& entry : kAttributes) {
    HY_RETURN_IF_ERROR(Attribute(api, device, entry.attribute, entry.value));
  }
  info->cuda_capability = static_cast<int32_t>(major * 10 + minor);
  info->max_thread_registers = 255;  // of every architecture since 3.5
  // Memory transfers data twice in each clock cycle.
  info->memory_bandwidth = uint64_t{memory_khz} * 1000 * 2 * (bus_bits / 8);
  info->f32_flops =
      uint64_t{khz} * 1000 * 2 * LanesOfUnit(info->cuda_capability) * info->compute_units;
  info->has_f64 = info->has_f16 = info->has_i64 = info->has_i16 = info->has_i8 = true;
  *has_pools = pools != 0;
  return Status();
}

}  // namespace halyard::runtime::cuda
