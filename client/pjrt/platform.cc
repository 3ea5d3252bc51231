#include "client/pjrt/platform.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "client/pjrt/dispose.h"
#include "client/pjrt/python_callback.h"
#include "frontend/stablehlo/vhlo/version.h"
#include "plan_source_hash.h"

bool PJRT_Client::is_x86() const {
  return client->target().device.kind == halyard::runtime::DeviceKind::kX86;
}

namespace halyard::pjrt {
namespace {

absl::Status Initialize(PJRT_Plugin_Initialize_Args&) { return absl::OkStatus(); }

// Returns the newest and the oldest version of StableHLO that a program may have.
absl::Status Attributes(PJRT_Plugin_Attributes_Args& args) {
  struct Lists {
    int64_t newest[3], oldest[3];
    PJRT_NamedValue values[2];
  };
  const auto fill = [](const char* name, const stablehlo::Version& version, int64_t* numbers,
                       PJRT_NamedValue* value) {
    numbers[0] = version.major;
    numbers[1] = version.minor;
    numbers[2] = version.patch;
    *value = PJRT_NamedValue();
    value->struct_size = PJRT_NamedValue_STRUCT_SIZE;
    value->name = name;
    value->name_size = std::strlen(name);
    value->type = PJRT_NamedValue_kInt64List;
    value->int64_array_value = numbers;
    value->value_size = 3;
  };
  static const Lists* const lists = [&] {
    auto* made = new Lists;
    fill("stablehlo_current_version", stablehlo::kNewestVersion, made->newest, &made->values[0]);
    fill("stablehlo_minimum_version", stablehlo::kOldestVersion, made->oldest, &made->values[1]);
    return made;
  }();
  args.attributes = lists->values;
  args.num_attributes = 2;
  return absl::OkStatus();
}

void Describe(PJRT_Client* client) {
  const Target& target = client->client->target();
  const size_t count = static_cast<size_t>(client->client->num_devices());
  client->all_devices.resize(count);
  client->all_memories.resize(count);
  for (size_t i = 0; i < count; ++i) {
    PJRT_Device& device = client->all_devices[i];
    PJRT_Memory& memory = client->all_memories[i];
    device.client = client;
    device.memory = &memory;
    device.description.id = static_cast<int>(i);
    device.description.kind = target.device.name;
    device.description.to_string = absl::StrCat("HalyardDevice(id=", i, ")");
    device.description.debug_string =
        absl::StrCat("HalyardDevice(id=", i, ", target=", target.text, ")");
    memory.device = &device;
    memory.to_string = memory.debug_string = absl::StrCat("HalyardMemory(id=", i, ", kind=device)");
    client->devices.push_back(&device);
    client->memories.push_back(&memory);
    client->topology.devices.push_back(&device.description);
  }
  // The version is part of the key of JAX's cache of executables, because another build may compile
  // to another program.
  client->topology.platform_version =
      absl::StrCat("halyard ", HALYARD_VERSION, " ", target.text, " ", HALYARD_PLAN_SOURCE_HASH);
}

absl::Status Create(PJRT_Client_Create_Args& args) {
  HALYARD_PJRT_NEED_LIST(args.create_options, args.num_options);
  ClientOptions options;
  int64_t python_door = 0;
  absl::Status status =
      ReadClientOptions(args.create_options, args.num_options, &options, &python_door);
  if (!status.ok()) return status;
  if (python_door != 0) UsePythonDoor(reinterpret_cast<PythonDoor*>(python_door));
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(options);
  if (!client.ok()) return client.status();
  if ((*client)->target().device.kind == runtime::DeviceKind::kReference) {
    return absl::InvalidArgumentError(
        "target `reference` has no device memory for a plugin to hand out; use x86");
  }
  auto made = std::make_shared<PJRT_Client>();
  made->client = *std::move(client);
  Describe(made.get());
  made->self = made;
  args.client = made.get();
  return absl::OkStatus();
}

absl::Status Destroy(PJRT_Client_Destroy_Args& args) {
  if (args.client == nullptr) return absl::OkStatus();
  // If Python can no longer be called, the process may be ending, so no work may outlast this call.
  const bool wait = !PythonMayBeCalled();
  if (wait) args.client->client->WaitUntilIdle();
  args.client->destroyed = true;
  Dispose(std::move(args.client->self));
  if (wait) WaitForDisposal();
  return absl::OkStatus();
}

absl::Status PlatformName(PJRT_Client_PlatformName_Args& args) {
  args.platform_name = kPlatformName.data();
  args.platform_name_size = kPlatformName.size();
  return absl::OkStatus();
}

absl::Status ProcessIndex(PJRT_Client_ProcessIndex_Args& args) {
  args.process_index = 0;
  return absl::OkStatus();
}

absl::Status PlatformVersion(PJRT_Client_PlatformVersion_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  const std::string& version = args.client->topology.platform_version;
  args.platform_version = version.data();
  args.platform_version_size = version.size();
  return absl::OkStatus();
}

absl::Status Topology(PJRT_Client_TopologyDescription_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  args.topology = &args.client->topology;
  return absl::OkStatus();
}

absl::Status Devices(PJRT_Client_Devices_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  args.devices = args.client->devices.data();
  args.num_devices = args.client->devices.size();
  return absl::OkStatus();
}

absl::Status AddressableDevices(PJRT_Client_AddressableDevices_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  args.addressable_devices = args.client->devices.data();
  args.num_addressable_devices = args.client->devices.size();
  return absl::OkStatus();
}

absl::StatusOr<PJRT_Device*> FindDevice(const PJRT_Client& client, int id) {
  if (id >= 0 && id < client.num_devices()) return client.devices[static_cast<size_t>(id)];
  return absl::InvalidArgumentError(
      absl::StrCat("there is no device ", id, "; the last one is ", client.num_devices() - 1));
}

absl::Status LookupDevice(PJRT_Client_LookupDevice_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  absl::StatusOr<PJRT_Device*> device = FindDevice(*args.client, args.id);
  if (!device.ok()) return device.status();
  args.device = *device;
  return absl::OkStatus();
}

absl::Status LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  absl::StatusOr<PJRT_Device*> device = FindDevice(*args.client, args.local_hardware_id);
  if (!device.ok()) return device.status();
  args.addressable_device = *device;
  return absl::OkStatus();
}

absl::Status AddressableMemories(PJRT_Client_AddressableMemories_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  args.addressable_memories = args.client->memories.data();
  args.num_addressable_memories = args.client->memories.size();
  return absl::OkStatus();
}

// Process (replica, partition) runs on device replica * num_partitions + partition.
absl::Status DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args& args) {
  HALYARD_PJRT_NEED(args.client);
  const int64_t processes = int64_t{args.num_replicas} * args.num_partitions;
  if (args.num_replicas < 1 || args.num_partitions < 1 || processes > args.client->num_devices()) {
    return absl::InvalidArgumentError(
        absl::StrCat(args.client->num_devices(), " device(s) cannot run ", args.num_replicas,
                     " replicas of ", args.num_partitions, " partitions"));
  }
  HALYARD_PJRT_NEED(args.default_assignment);
  if (static_cast<int64_t>(args.default_assignment_size) < processes)
    return absl::InvalidArgumentError("there is no room for the device assignment");
  for (int64_t i = 0; i < processes; ++i) args.default_assignment[i] = static_cast<int>(i);
  return absl::OkStatus();
}

absl::Status TopologyPlatformName(PJRT_TopologyDescription_PlatformName_Args& args) {
  args.platform_name = kPlatformName.data();
  args.platform_name_size = kPlatformName.size();
  return absl::OkStatus();
}

absl::Status TopologyPlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args& args) {
  HALYARD_PJRT_NEED(args.topology);
  args.platform_version = args.topology->platform_version.data();
  args.platform_version_size = args.topology->platform_version.size();
  return absl::OkStatus();
}

absl::Status TopologyDevices(PJRT_TopologyDescription_GetDeviceDescriptions_Args& args) {
  HALYARD_PJRT_NEED(args.topology);
  args.descriptions = args.topology->devices.data();
  args.num_descriptions = args.topology->devices.size();
  return absl::OkStatus();
}

absl::Status TopologyAttributes(PJRT_TopologyDescription_Attributes_Args& args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
  return absl::OkStatus();
}

// The client owns its topology, so there is nothing to free.
absl::Status TopologyDestroy(PJRT_TopologyDescription_Destroy_Args&) { return absl::OkStatus(); }

}  // namespace

void AddPlatformEntries(PJRT_Api* api) {
  HALYARD_PJRT_SERVE(api, PJRT_Plugin_Initialize, Initialize);
  HALYARD_PJRT_SERVE(api, PJRT_Plugin_Attributes, Attributes);
  HALYARD_PJRT_SERVE_UP_TO(api, PJRT_Client_Create, client, Create);
  HALYARD_PJRT_SERVE(api, PJRT_Client_Destroy, Destroy);
  HALYARD_PJRT_SERVE(api, PJRT_Client_PlatformName, PlatformName);
  HALYARD_PJRT_SERVE(api, PJRT_Client_ProcessIndex, ProcessIndex);
  HALYARD_PJRT_SERVE(api, PJRT_Client_PlatformVersion, PlatformVersion);
  HALYARD_PJRT_SERVE(api, PJRT_Client_TopologyDescription, Topology);
  HALYARD_PJRT_SERVE(api, PJRT_Client_Devices, Devices);
  HALYARD_PJRT_SERVE(api, PJRT_Client_AddressableDevices, AddressableDevices);
  HALYARD_PJRT_SERVE(api, PJRT_Client_LookupDevice, LookupDevice);
  HALYARD_PJRT_SERVE(api, PJRT_Client_LookupAddressableDevice, LookupAddressableDevice);
  HALYARD_PJRT_SERVE(api, PJRT_Client_AddressableMemories, AddressableMemories);
  HALYARD_PJRT_SERVE(api, PJRT_Client_DefaultDeviceAssignment, DefaultDeviceAssignment);
  HALYARD_PJRT_SERVE(api, PJRT_TopologyDescription_PlatformName, TopologyPlatformName);
  HALYARD_PJRT_SERVE(api, PJRT_TopologyDescription_PlatformVersion, TopologyPlatformVersion);
  HALYARD_PJRT_SERVE(api, PJRT_TopologyDescription_GetDeviceDescriptions, TopologyDevices);
  HALYARD_PJRT_SERVE(api, PJRT_TopologyDescription_Attributes, TopologyAttributes);
  HALYARD_PJRT_SERVE(api, PJRT_TopologyDescription_Destroy, TopologyDestroy);
}

}  // namespace halyard::pjrt
