#include "runtime/c_api/linked_backends.h"

#include "runtime/cuda/cuda.h"
#include "runtime/device_class.h"
#include "runtime/vulkan/vulkan.h"

namespace halyard::runtime::cuda {
__attribute__((weak)) Status OpenDevice(uint32_t index, Device** device);
__attribute__((weak)) Status DescribeDevice(uint32_t index, const Options& options,
                                            DeviceInfo* info);
}  // namespace halyard::runtime::cuda
namespace halyard::runtime::vulkan {
__attribute__((weak)) Status OpenDevice(uint32_t index, Device** device);
__attribute__((weak)) Status DescribeDevice(uint32_t index, const Options& options,
                                            DeviceInfo* info);
}  // namespace halyard::runtime::vulkan

namespace halyard::runtime {
namespace {

Status NotLinked(DeviceKind kind) {
  return MakeStatus(Code::kUnavailable, "the %s backend is not linked into this application",
                    KindName(kind));
}

}  // namespace

Status OpenLinkedBackend(DeviceKind kind, uint32_t index, Device** device) {
  Status (*open)(uint32_t, Device**) = nullptr;
  if (kind == DeviceKind::kCuda) open = cuda::OpenDevice;
  if (kind == DeviceKind::kVulkan) open = vulkan::OpenDevice;
  return open == nullptr ? NotLinked(kind) : open(index, device);
}

Status DescribeLinkedBackend(DeviceKind kind, uint32_t index, DeviceInfo* info) {
  if (kind == DeviceKind::kCuda && cuda::DescribeDevice != nullptr)
    return cuda::DescribeDevice(index, cuda::Options(), info);
  if (kind == DeviceKind::kVulkan && vulkan::DescribeDevice != nullptr)
    return vulkan::DescribeDevice(index, vulkan::Options(), info);
  return NotLinked(kind);
}

}  // namespace halyard::runtime
