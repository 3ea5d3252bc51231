#include "client/devices/target.h"

#include <dlfcn.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/devices/device_catalog.h"
#include "client/devices/device_file.h"
#include "frontend/files/read_file.h"
#include "runtime/absl_status.h"
#include "runtime/backends/backends.h"

namespace halyard {

using runtime::Backend;
using runtime::Device;
using runtime::DeviceInfo;
using runtime::DeviceKind;

namespace {

// --device counts GPUs. There is only one x86 device.
int IndexFor(const Backend& backend, int device_index) {
  return backend.kind == DeviceKind::kX86 ? 0 : device_index;
}

absl::StatusOr<DeviceInfo> LiveInfo(const Backend& backend, int index) {
  DeviceInfo info;
  if (index >= 0 && backend.describe(static_cast<uint32_t>(index), &info).ok()) return info;
  // Finds out why the device cannot be described.
  uint32_t count = 0;
  absl::Status status = ToAbsl(backend.count(&count));
  if (!status.ok()) return status;
  if (count == 0)
    return absl::UnavailableError(absl::StrCat(backend.name(), ": ", backend.absence()));
  if (index < 0 || static_cast<uint32_t>(index) >= count) {
    return absl::InvalidArgumentError(absl::StrCat("--device=", index, ": there are ", count, " ",
                                                   backend.name(), " devices, numbered from 0"));
  }
  status = ToAbsl(backend.describe(static_cast<uint32_t>(index), &info));
  if (!status.ok()) return status;
  return info;
}

// Mesa's Vulkan drivers find the functions of LLVM by name. If another library of the process shows
// its own to all, as TensorFlow does, they call those of another version, and the process crashes.
bool SomeoneShowsAnLlvm() { return dlsym(RTLD_DEFAULT, "LLVMContextCreate") != nullptr; }

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

absl::StatusOr<DeviceInfo> ReadDevice(const Backend& backend, const std::string& path) {
  const absl::StatusOr<std::string> text = ReadWholeFile(path, kTextLimits);
  if (!text.ok()) return text.status();
  absl::StatusOr<DeviceInfo> device = ParseDeviceFile(*text, path);
  if (device.ok() && device->kind != backend.kind) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " does not describe a device of ", backend.name()));
  }
  return device;
}

}  // namespace

absl::StatusOr<Target> AutoTarget(int device_index, const Target* unusable) {
  bool passed = unusable == nullptr;
  for (const Backend& backend : runtime::kBackends) {
    if (!passed) {
      passed = backend.kind == unusable->device.kind;
      continue;
    }
    if (backend.kind == DeviceKind::kVulkan && SomeoneShowsAnLlvm()) continue;
    absl::StatusOr<DeviceInfo> info = LiveInfo(backend, IndexFor(backend, device_index));
    if (info.ok() && (info->kind == DeviceKind::kX86 || !runtime::RunsOnCpu(*info)))
      return Target{backend.name(), *info, true};
  }
  return absl::UnavailableError("no device to run on");
}

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
  const std::string kind(text.substr(0, colon));
  const absl::string_view name = colon == absl::string_view::npos ? "" : text.substr(colon + 1);
  const Backend* backend = runtime::BackendNamed(kind.c_str());
  if (backend == nullptr) return UnknownTarget(text);
  if (colon == absl::string_view::npos || (backend->kind == DeviceKind::kX86 && name == "host")) {
    absl::StatusOr<DeviceInfo> info = LiveInfo(*backend, IndexFor(*backend, device_index));
    if (!info.ok()) {
      if (info.status().code() != absl::StatusCode::kUnavailable) return info.status();
      return absl::UnavailableError(absl::StrCat(
          info.status().message(), ". To compile for a device that is not here, name it: ", kind,
          ":", absl::StrJoin(DescribedDeviceNames(backend->kind), absl::StrCat(", ", kind, ":"))));
    }
    return Target{kind, *info, true};
  }
  std::optional<DeviceInfo> described = DescribedDevice(backend->kind, name);
  if (!described.has_value() && LooksLikeFile(name)) {
    absl::StatusOr<DeviceInfo> read = ReadDevice(*backend, std::string(name));
    if (!read.ok()) return read.status();
    described = *read;
  }
  if (!described.has_value()) return UnknownTarget(text);
  Target target{std::string(text), *described, false};
  // This machine may still be able to run programs for it.
  absl::StatusOr<DeviceInfo> here = LiveInfo(*backend, IndexFor(*backend, device_index));
  if (here.ok()) {
    target.live =
        backend->kind == DeviceKind::kX86
            ? (here->x86_features & described->x86_features) == described->x86_features
        : backend->kind == DeviceKind::kCuda
            ? here->cuda_capability == described->cuda_capability
            : absl::string_view(here->name).find(described->name) != absl::string_view::npos;
  }
  return target;
}

DeviceList ListDevices() {
  DeviceList list;
  for (const Backend& backend : runtime::kBackends) {
    uint32_t count = 0;
    absl::Status status = ToAbsl(backend.count(&count));
    if (!status.ok() || count == 0) {
      list.absent.push_back(absl::StrCat(
          backend.name(), ": ", status.ok() ? backend.absence() : std::string(status.message())));
      continue;
    }
    for (uint32_t i = 0; i < count; ++i) {
      absl::StatusOr<DeviceInfo> info = LiveInfo(backend, static_cast<int>(i));
      if (info.ok()) {
        list.devices.push_back({backend.name(), static_cast<int>(i), *info});
      } else {
        list.absent.push_back(
            absl::StrCat(backend.name(), " device ", i, ": ", info.status().message()));
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
  const Backend* backend = runtime::BackendOf(target.device.kind);
  if (backend == nullptr) return absl::InternalError(absl::StrCat(target.text, " has no device"));
  const runtime::OpenOptions options = {.threads = static_cast<uint32_t>(threads),
                                        .pipeline_cache_folder = cache_folder.c_str()};
  Device* device = nullptr;
  const absl::Status status = ToAbsl(
      backend->open(static_cast<uint32_t>(IndexFor(*backend, device_index)), options, &device));
  if (!status.ok()) return status;
  return device;
}

}  // namespace halyard
