// Every number of a DeviceInfo by name. This is the only list; keys, requests, Programs and
// description files follow it.
#ifndef HALYARD_RUNTIME_DEVICE_FIELDS_H_
#define HALYARD_RUNTIME_DEVICE_FIELDS_H_

#include <stdint.h>

#include <type_traits>

#include "runtime/device_info.h"

namespace halyard::runtime {

// Calls visit(name, field, in_key) for each field, in a fixed order. `in_key` says that schedules
// and codegen read the field, so kernels for devices that differ in it differ, too.
template <typename Device, typename Visitor>
constexpr void VisitDeviceFields(Device& d, Visitor&& visit) {
  visit("kind", d.kind, true);
  visit("software", d.software, true);
  visit("memory_bytes", d.memory_bytes, false);
  visit("max_allocation_bytes", d.max_allocation_bytes, false);
  visit("buffer_alignment", d.buffer_alignment, true);
  visit("compute_units", d.compute_units, true);
  visit("last_level_cache_bytes", d.last_level_cache_bytes, true);
  visit("x86_features", d.x86_features, true);
  visit("l1_bytes", d.l1_bytes, true);
  visit("l2_bytes", d.l2_bytes, true);
  visit("cuda_capability", d.cuda_capability, true);
  visit("max_threads_per_group", d.max_threads_per_group, true);
  visit("max_group_x", d.max_group[0], true);
  visit("max_group_y", d.max_group[1], true);
  visit("max_group_z", d.max_group[2], true);
  visit("max_grid_x", d.max_grid[0], true);
  visit("max_grid_y", d.max_grid[1], true);
  visit("max_grid_z", d.max_grid[2], true);
  visit("max_shared_bytes", d.max_shared_bytes, true);
  visit("subgroup_size", d.subgroup_size, true);
  visit("max_push_constant_bytes", d.max_push_constant_bytes, true);
  visit("max_storage_buffers", d.max_storage_buffers, true);
  visit("max_storage_range_bytes", d.max_storage_range_bytes, true);
  visit("has_f64", d.has_f64, true);
  visit("has_f16", d.has_f16, true);
  visit("has_i64", d.has_i64, true);
  visit("has_i16", d.has_i16, true);
  visit("has_i8", d.has_i8, true);
  visit("keeps_denormals", d.keeps_denormals, true);
  visit("float_controls", d.float_controls, true);
  visit("max_thread_registers", d.max_thread_registers, true);
  visit("max_group_registers", d.max_group_registers, true);
  visit("unit_threads", d.unit_threads, true);
  visit("unit_groups", d.unit_groups, true);
  visit("unit_shared_bytes", d.unit_shared_bytes, true);
  visit("unit_registers", d.unit_registers, true);
  visit("memory_bandwidth", d.memory_bandwidth, false);
  visit("f32_flops", d.f32_flops, false);
  visit("libraries", d.libraries, true);
}

constexpr uint32_t CountDeviceFields() {
  DeviceInfo device;
  uint32_t count = 0;
  VisitDeviceFields(device, [&count](const char*, auto&, bool) { ++count; });
  return count;
}

// Returns false and leaves the field as it is if the field cannot hold the value.
template <typename Field>
bool SetDeviceField(uint64_t value, Field* field) {
  if constexpr (std::is_same_v<Field, DeviceKind>) {
    if (value > static_cast<uint64_t>(DeviceKind::kVulkan)) return false;
  } else if constexpr (std::is_same_v<Field, bool>) {
    if (value > 1) return false;
  } else if constexpr (sizeof(Field) < 8) {
    if (value > (std::is_signed_v<Field> ? INT32_MAX : UINT32_MAX)) return false;
  }
  *field = static_cast<Field>(value);
  return true;
}

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_DEVICE_FIELDS_H_
