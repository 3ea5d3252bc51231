#include "runtime/backends/backends.h"

#include <string.h>

#include "runtime/cuda/cuda.h"
#include "runtime/vulkan/vulkan.h"
#include "runtime/x86/x86.h"

namespace halyard::runtime {
namespace {

Status OpenCuda(uint32_t index, const OpenOptions&, Device** device) {
  return cuda::OpenDevice(index, cuda::Options(), device);
}

Status OpenVulkan(uint32_t index, const OpenOptions& options, Device** device) {
  vulkan::Options vulkan;
  vulkan.pipeline_cache_folder = options.pipeline_cache_folder;
  return vulkan::OpenDevice(index, vulkan, device);
}

Status DescribeCuda(uint32_t index, DeviceInfo* info) {
  return cuda::DescribeDevice(index, cuda::Options(), info);
}

Status DescribeVulkan(uint32_t index, DeviceInfo* info) {
  return vulkan::DescribeDevice(index, vulkan::Options(), info);
}

Status OpenX86(uint32_t, const OpenOptions& options, Device** device) {
  return x86::OpenDeviceWithThreads(options.threads, device);
}

}  // namespace

const Backend kBackends[kNumBackends] = {
    {DeviceKind::kCuda, cuda::CountDevices, DescribeCuda, OpenCuda, cuda::DescribeAbsence},
    {DeviceKind::kVulkan, vulkan::CountDevices, DescribeVulkan, OpenVulkan,
     vulkan::DescribeAbsence},
    {DeviceKind::kX86, x86::CountDevices, x86::DescribeDevice, OpenX86, x86::DescribeAbsence},
};

const Backend* BackendOf(DeviceKind kind) {
  for (const Backend& backend : kBackends) {
    if (backend.kind == kind) return &backend;
  }
  return nullptr;
}

const Backend* BackendNamed(const char* name) {
  for (const Backend& backend : kBackends) {
    if (strcmp(backend.name(), name) == 0) return &backend;
  }
  return nullptr;
}

}  // namespace halyard::runtime
