#include "client/api/places.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/api/client_state.h"
#include "client/reports/trace.h"
#include "runtime/absl_status.h"
#include "runtime/device_class.h"
#include "runtime/x86/x86.h"

namespace halyard {
namespace {

// Returns the numbers of the devices that are like the one at `first`, beginning with it.
std::vector<int> DevicesLike(const runtime::DeviceInfo& info, int first) {
  std::vector<int> alike;
  for (const LiveDevice& device : ListDevices().devices) {
    if (device.info.kind == info.kind && absl::string_view(device.info.name) == info.name)
      alike.push_back(device.index);
  }
  const auto begin = std::find(alike.begin(), alike.end(), first);
  if (begin == alike.end()) return {first};
  std::rotate(alike.begin(), begin, alike.end());
  return alike;
}

// Makes the Context of an open device, which it takes over.
absl::Status AddContext(runtime::Device* device, const ClientOptions& options,
                        std::vector<runtime::Context*>* contexts) {
  runtime::Device* host = nullptr;
  if (device->info().kind != runtime::DeviceKind::kX86) {
    absl::Status status =
        ToAbsl(runtime::x86::OpenDeviceWithThreads(static_cast<uint32_t>(options.threads), &host));
    if (!status.ok()) {
      device->Destroy();
      return status;
    }
  }
  runtime::Context* context = nullptr;
  absl::Status status = ToAbsl(runtime::Context::Create(device, host, &context));
  if (!status.ok()) return status;
  contexts->push_back(context);
  if (options.guard_results) context->GuardBuffers();
  return RegisterTrace(context);
}

// The device that is present may have less memory than the one described.
void LowerMemory(const runtime::DeviceInfo& here, runtime::DeviceInfo* planned) {
  const auto lesser = [](uint64_t a, uint64_t b) {
    return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
  };
  planned->memory_bytes = lesser(planned->memory_bytes, here.memory_bytes);
  planned->max_allocation_bytes = lesser(planned->max_allocation_bytes, here.max_allocation_bytes);
}

}  // namespace

absl::StatusOr<int> NumDevicesFor(const ClientOptions& options) {
  int count = options.num_devices;
  std::string what = "num_devices";
  if (count == 0) {
    const char* text = std::getenv("HALYARD_NUM_DEVICES");
    if (text == nullptr || *text == '\0') return 1;
    what = "$HALYARD_NUM_DEVICES";
    if (!absl::SimpleAtoi(text, &count))
      return absl::InvalidArgumentError(absl::StrCat(what, " is `", text, "`, not a number"));
  }
  if (count >= 1 && count <= Client::kMaxDevices) return count;
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is ", count, "; a client has 1 to ", Client::kMaxDevices, " devices"));
}

absl::Status OpenPlaces(const ClientOptions& options, const std::string& cache_folder,
                        int num_devices, Target* target, std::vector<runtime::Context*>* contexts,
                        std::vector<Place>* places) {
  const auto open = [&](int index) {
    return OpenDevice(*target, options.threads, index, cache_folder);
  };
  absl::StatusOr<runtime::Device*> device = open(options.device_index);
  while (!device.ok() && options.target == "auto") {
    // A GPU that is present may fail, or be in use.
    absl::StatusOr<Target> next = NextTarget(*target, options);
    if (!next.ok()) return device.status();
    *target = *std::move(next);
    device = open(options.device_index);
  }
  if (!device.ok()) return device.status();
  std::vector<int> alike = {options.device_index};
  if (num_devices > 1 && runtime::IsGpu(target->device))
    alike = DevicesLike((*device)->info(), options.device_index);
  alike.resize(std::min(alike.size(), static_cast<size_t>(num_devices)));
  for (size_t i = 0; i < alike.size(); ++i) {
    if (i > 0) device = open(alike[i]);
    if (!device.ok()) return device.status();
    LowerMemory((*device)->info(), &target->device);
    if (absl::Status status = AddContext(*device, options, contexts); !status.ok()) return status;
  }
  const uint32_t count = static_cast<uint32_t>(contexts->size());
  for (uint32_t i = 0; i < static_cast<uint32_t>(num_devices); ++i) {
    const uint32_t context = i % count;
    const uint32_t on_it = (static_cast<uint32_t>(num_devices) - context + count - 1) / count;
    places->push_back({(*contexts)[context], i / count, on_it});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> AssignDevices(const std::vector<int>& wanted,
                                               const hlo::GridShape& grid, int num_devices) {
  if (absl::Status s = hlo::CheckGrid(grid); !s.ok()) return s;
  const int64_t processes = grid.size();
  std::vector<int> devices = wanted;
  if (devices.empty()) {
    for (int64_t i = 0; i < processes; ++i) devices.push_back(static_cast<int>(i % num_devices));
    return devices;
  }
  if (static_cast<int64_t>(devices.size()) != processes) {
    return absl::InvalidArgumentError(absl::StrCat("the device assignment has ", devices.size(),
                                                   " devices for ", processes, " processes"));
  }
  for (int device : devices) {
    if (device < 0 || device >= num_devices) {
      return absl::InvalidArgumentError(absl::StrCat("the device assignment names device ", device,
                                                     "; the client has ", num_devices));
    }
  }
  return devices;
}

}  // namespace halyard
