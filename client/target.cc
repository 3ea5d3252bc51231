#include "client/target.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/device_catalog.h"
#include "client/device_file.h"
#include "frontend/files/read_file.h"
#include "runtime/absl_status.h"
#include "runtime/cuda/cuda.h"
#include "runtime/vulkan/vulkan.h"
#include "runtime/x86/x86.h"

namespace halyard {

using runtime::Device;
using runtime::DeviceInfo;
using runtime::DeviceKind;

namespace {

struct BackendDoor {
  DeviceKind kind;
  const char* name;
  runtime::Status (*count)(uint32_t* count);
  runtime::Status (*open)(uint32_t index, const char* cache_folder, Device** device);
  const char* (*absence)();
};

// In the order in which `auto` prefers them.
const BackendDoor kDoors[] = {
    {DeviceKind::kCuda, "cuda", runtime::cuda::CountDevices,
     [](uint32_t i, const char*, Device** d) { return runtime::cuda::OpenDevice(i, d); },
     runtime::cuda::DescribeAbsence},
    {DeviceKind::kVulkan, "vulkan", runtime::vulkan::CountDevices,
     [](uint32_t i, const char* cache_folder, Device** d) {
       runtime::vulkan::Options options;
       options.pipeline_cache_folder = cache_folder;
       return runtime::vulkan::OpenDevice(i, options, d);
     },
     runtime::vulkan::DescribeAbsence},
    {DeviceKind::kX86, "x86", runtime::x86::CountDevices,
     [](uint32_t i, const char*, Device** d) { return runtime::x86::OpenDevice(i, d); },
     runtime::x86::DescribeAbsence},
};

const BackendDoor* DoorNamed(absl::string_view name) {
  for (const BackendDoor& door : kDoors) {
    if (name == door.name) return &door;
  }
  return nullptr;
}

// --device is of GPUs; there is one x86.
int IndexFor(const BackendDoor& door, int device_index) {
  return door.kind == DeviceKind::kX86 ? 0 : device_index;
}

// Opens the device just to ask what it is.
absl::StatusOr<DeviceInfo> LiveInfo(const BackendDoor& door, int index) {
  uint32_t count = 0;
  absl::Status status = ToAbsl(door.count(&count));
  if (!status.ok()) return status;
  if (count == 0) return absl::UnavailableError(absl::StrCat(door.name, ": ", door.absence()));
  if (index < 0 || static_cast<uint32_t>(index) >= count) {
    return absl::InvalidArgumentError(absl::StrCat("--device=", index, ": there are ", count, " ",
                                                   door.name, " devices, numbered from 0"));
  }
  Device* device = nullptr;
  status = ToAbsl(door.open(static_cast<uint32_t>(index), "", &device));
  if (!status.ok()) return status;
  const DeviceInfo info = device->info();
  device->Destroy();
  return info;
}

absl::Status UnknownTarget(absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown target \"", text, "\"; targets are auto, reference, x86[:host|",
      absl::StrJoin(DescribedDeviceNames(DeviceKind::kX86), "|"),
      "], cuda[:", absl::StrJoin(DescribedDeviceNames(DeviceKind::kCuda), "|"),
      "|FILE], vulkan[:", absl::StrJoin(DescribedDeviceNames(DeviceKind::kVulkan), "|"),
      "|FILE]; a FILE is named with a / or a . in it"));
}

bool LooksLikeFile(absl::string_view name) {
  return name.find_first_of("/.") != absl::string_view::npos;
}

absl::StatusOr<DeviceInfo> ReadDevice(const BackendDoor& door, const std::string& path) {
  const absl::StatusOr<std::string> text = ReadWholeFile(path, kTextLimits);
  if (!text.ok()) return text.status();
  absl::StatusOr<DeviceInfo> device = ParseDeviceFile(*text, path);
  if (device.ok() && device->kind != door.kind) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " does not describe a device of ", door.name));
  }
  return device;
}

absl::StatusOr<Target> AutoTarget(int device_index) {
  for (const BackendDoor& door : kDoors) {
    absl::StatusOr<DeviceInfo> info = LiveInfo(door, IndexFor(door, device_index));
    if (info.ok() && !(info->kind == DeviceKind::kVulkan && info->software))
      return Target{door.name, *info, true};
  }
  return absl::UnavailableError("no device to run on");
}

}  // namespace

absl::StatusOr<Target> ParseTarget(absl::string_view text, int device_index) {
  if (text == "auto") return AutoTarget(device_index);
  if (text == "reference") {
    Target target;
    target.text = "reference";
    target.device.kind = DeviceKind::kReference;
    target.live = true;
    snprintf(target.device.name, sizeof(target.device.name), "reference evaluator");
    return target;
  }
  const size_t colon = text.find(':');
  const absl::string_view backend = text.substr(0, colon);
  const absl::string_view name = colon == absl::string_view::npos ? "" : text.substr(colon + 1);
  const BackendDoor* door = DoorNamed(backend);
  if (door == nullptr) return UnknownTarget(text);
  if (colon == absl::string_view::npos || (door->kind == DeviceKind::kX86 && name == "host")) {
    absl::StatusOr<DeviceInfo> info = LiveInfo(*door, IndexFor(*door, device_index));
    if (!info.ok()) {
      if (info.status().code() != absl::StatusCode::kUnavailable) return info.status();
      return absl::UnavailableError(absl::StrCat(
          info.status().message(), ". To compile for a device that is not here, name it: ", backend,
          ":", absl::StrJoin(DescribedDeviceNames(door->kind), absl::StrCat(", ", backend, ":"))));
    }
    return Target{std::string(backend), *info, true};
  }
  std::optional<DeviceInfo> described = DescribedDevice(door->kind, name);
  if (!described.has_value() && LooksLikeFile(name)) {
    absl::StatusOr<DeviceInfo> read = ReadDevice(*door, std::string(name));
    if (!read.ok()) return read.status();
    described = *read;
  }
  if (!described.has_value()) return UnknownTarget(text);
  Target target{std::string(text), *described, false};
  // This machine may still be able to run it.
  absl::StatusOr<DeviceInfo> here = LiveInfo(*door, IndexFor(*door, device_index));
  if (here.ok()) {
    target.live =
        door->kind == DeviceKind::kX86
            ? (here->x86_features & described->x86_features) == described->x86_features
        : door->kind == DeviceKind::kCuda
            ? here->cuda_capability == described->cuda_capability
            : absl::string_view(here->name).find(described->name) != absl::string_view::npos;
  }
  return target;
}

DeviceList ListDevices() {
  DeviceList list;
  for (const BackendDoor& door : kDoors) {
    uint32_t count = 0;
    absl::Status status = ToAbsl(door.count(&count));
    if (!status.ok() || count == 0) {
      list.absent.push_back(absl::StrCat(
          door.name, ": ", status.ok() ? door.absence() : std::string(status.message())));
      continue;
    }
    for (uint32_t i = 0; i < count; ++i) {
      absl::StatusOr<DeviceInfo> info = LiveInfo(door, static_cast<int>(i));
      if (info.ok()) {
        list.devices.push_back({door.name, static_cast<int>(i), *info});
      } else {
        list.absent.push_back(
            absl::StrCat(door.name, " device ", i, ": ", info.status().message()));
      }
    }
  }
  return list;
}

std::vector<std::string> KnownDeviceNames(DeviceKind kind) { return DescribedDeviceNames(kind); }

void UseThreads(int threads, Target* target) {
  if (threads > 0 && target->device.kind == DeviceKind::kX86)
    target->device.compute_units = static_cast<uint32_t>(threads);
}

absl::StatusOr<Device*> OpenDevice(const Target& target, int threads, int device_index,
                                   const std::string& cache_folder) {
  if (!target.live)
    return absl::UnavailableError(absl::StrCat("this machine cannot run programs for ", target.text,
                                               "; it can compile them"));
  Device* device = nullptr;
  absl::Status status;
  if (target.device.kind == DeviceKind::kX86) {
    status = ToAbsl(runtime::x86::OpenDeviceWithThreads(static_cast<uint32_t>(threads), &device));
  } else {
    const BackendDoor* door =
        DoorNamed(absl::string_view(target.text).substr(0, target.text.find(':')));
    if (door == nullptr) return absl::InternalError(absl::StrCat(target.text, " has no device"));
    status = ToAbsl(door->open(static_cast<uint32_t>(device_index), cache_folder.c_str(), &device));
  }
  if (!status.ok()) return status;
  return device;
}

}  // namespace halyard
