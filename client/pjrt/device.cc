// Devices, their descriptions and memories.
#include "client/pjrt/platform.h"
#include "runtime/backend.h"

namespace halyard::pjrt {
namespace {

absl::Status Id(PJRT_DeviceDescription_Id_Args& args) {
  HALYARD_PJRT_NEED(args.device_description);
  args.id = args.device_description->id;
  return absl::OkStatus();
}

absl::Status ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args& args) {
  args.process_index = 0;
  return absl::OkStatus();
}

absl::Status Attributes(PJRT_DeviceDescription_Attributes_Args& args) {
  args.num_attributes = 0;
  args.attributes = nullptr;
  return absl::OkStatus();
}

absl::Status Kind(PJRT_DeviceDescription_Kind_Args& args) {
  HALYARD_PJRT_NEED(args.device_description);
  args.device_kind = args.device_description->kind.data();
  args.device_kind_size = args.device_description->kind.size();
  return absl::OkStatus();
}

absl::Status DebugString(PJRT_DeviceDescription_DebugString_Args& args) {
  HALYARD_PJRT_NEED(args.device_description);
  args.debug_string = args.device_description->debug_string.data();
  args.debug_string_size = args.device_description->debug_string.size();
  return absl::OkStatus();
}

absl::Status ToString(PJRT_DeviceDescription_ToString_Args& args) {
  HALYARD_PJRT_NEED(args.device_description);
  args.to_string = args.device_description->to_string.data();
  args.to_string_size = args.device_description->to_string.size();
  return absl::OkStatus();
}

absl::Status GetDescription(PJRT_Device_GetDescription_Args& args) {
  HALYARD_PJRT_NEED(args.device);
  args.device_description = &args.device->description;
  return absl::OkStatus();
}

absl::Status IsAddressable(PJRT_Device_IsAddressable_Args& args) {
  args.is_addressable = true;
  return absl::OkStatus();
}

absl::Status LocalHardwareId(PJRT_Device_LocalHardwareId_Args& args) {
  HALYARD_PJRT_NEED(args.device);
  args.local_hardware_id = args.device->description.id;
  return absl::OkStatus();
}

absl::Status AddressableMemories(PJRT_Device_AddressableMemories_Args& args) {
  HALYARD_PJRT_NEED(args.device);
  args.memories = &args.device->memory;
  args.num_memories = 1;
  return absl::OkStatus();
}

absl::Status DefaultMemory(PJRT_Device_DefaultMemory_Args& args) {
  HALYARD_PJRT_NEED(args.device);
  args.memory = args.device->memory;
  return absl::OkStatus();
}

absl::Status MemoryStats(PJRT_Device_MemoryStats_Args& args) {
  HALYARD_PJRT_NEED(args.device);
  const Client& client = *args.device->client->client;
  const runtime::MemoryUse use =
      client.memory_use(runtime::Space::kDevice, args.device->description.id);
  args.bytes_in_use = static_cast<int64_t>(use.bytes);
  args.peak_bytes_in_use = static_cast<int64_t>(use.peak_bytes);
  args.peak_bytes_in_use_is_set = true;
  args.bytes_limit = static_cast<int64_t>(client.target().device.memory_bytes);
  args.bytes_limit_is_set = args.bytes_limit != 0;
  args.num_allocs_is_set = args.largest_alloc_size_is_set = args.bytes_reserved_is_set = false;
  args.peak_bytes_reserved_is_set = args.bytes_reservable_limit_is_set = false;
  args.largest_free_block_bytes_is_set = args.pool_bytes_is_set = false;
  args.peak_pool_bytes_is_set = false;
  return absl::OkStatus();
}

absl::Status MemoryId(PJRT_Memory_Id_Args& args) {
  HALYARD_PJRT_NEED(args.memory);
  args.id = args.memory->device->description.id;
  return absl::OkStatus();
}

absl::Status MemoryKind(PJRT_Memory_Kind_Args& args) {
  args.kind = kMemoryKind.data();
  args.kind_size = kMemoryKind.size();
  return absl::OkStatus();
}

absl::Status MemoryKindId(PJRT_Memory_Kind_Id_Args& args) {
  args.kind_id = 0;
  return absl::OkStatus();
}

absl::Status MemoryDebugString(PJRT_Memory_DebugString_Args& args) {
  HALYARD_PJRT_NEED(args.memory);
  args.debug_string = args.memory->debug_string.data();
  args.debug_string_size = args.memory->debug_string.size();
  return absl::OkStatus();
}

absl::Status MemoryToString(PJRT_Memory_ToString_Args& args) {
  HALYARD_PJRT_NEED(args.memory);
  args.to_string = args.memory->to_string.data();
  args.to_string_size = args.memory->to_string.size();
  return absl::OkStatus();
}

absl::Status AddressableByDevices(PJRT_Memory_AddressableByDevices_Args& args) {
  HALYARD_PJRT_NEED(args.memory);
  args.devices = &args.memory->device;
  args.num_devices = 1;
  return absl::OkStatus();
}

}  // namespace

void AddDeviceEntries(PJRT_Api* api) {
  HALYARD_PJRT_SERVE(api, PJRT_DeviceDescription_Id, Id);
  HALYARD_PJRT_SERVE(api, PJRT_DeviceDescription_ProcessIndex, ProcessIndex);
  HALYARD_PJRT_SERVE(api, PJRT_DeviceDescription_Attributes, Attributes);
  HALYARD_PJRT_SERVE(api, PJRT_DeviceDescription_Kind, Kind);
  HALYARD_PJRT_SERVE(api, PJRT_DeviceDescription_DebugString, DebugString);
  HALYARD_PJRT_SERVE(api, PJRT_DeviceDescription_ToString, ToString);
  HALYARD_PJRT_SERVE(api, PJRT_Device_GetDescription, GetDescription);
  HALYARD_PJRT_SERVE(api, PJRT_Device_IsAddressable, IsAddressable);
  HALYARD_PJRT_SERVE(api, PJRT_Device_LocalHardwareId, LocalHardwareId);
  HALYARD_PJRT_SERVE(api, PJRT_Device_AddressableMemories, AddressableMemories);
  HALYARD_PJRT_SERVE(api, PJRT_Device_DefaultMemory, DefaultMemory);
  HALYARD_PJRT_SERVE(api, PJRT_Device_MemoryStats, MemoryStats);
  HALYARD_PJRT_SERVE(api, PJRT_Memory_Id, MemoryId);
  HALYARD_PJRT_SERVE(api, PJRT_Memory_Kind, MemoryKind);
  HALYARD_PJRT_SERVE(api, PJRT_Memory_Kind_Id, MemoryKindId);
  HALYARD_PJRT_SERVE(api, PJRT_Memory_DebugString, MemoryDebugString);
  HALYARD_PJRT_SERVE(api, PJRT_Memory_ToString, MemoryToString);
  HALYARD_PJRT_SERVE(api, PJRT_Memory_AddressableByDevices, AddressableByDevices);
}

}  // namespace halyard::pjrt
