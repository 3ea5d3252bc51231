#include "runtime/c_api/linked_backends.h"

#include "runtime/device_class.h"

namespace halyard::runtime::cuda {
__attribute__((weak)) Status OpenDevice(uint32_t index, const Options& options, Device** device);
__attribute__((weak)) Status DescribeDevice(uint32_t index, const Options& options,
                                            DeviceInfo* info);
}  // namespace halyard::runtime::cuda
namespace halyard::runtime::vulkan {
__attribute__((weak)) Status OpenDevice(uint32_t index, const Options& options, Device** device);
__attribute__((weak)) Status DescribeDevice(uint32_t index, const Options& options,
                                            DeviceInfo* info);
}  // namespace halyard::runtime::vulkan

namespace halyard::runtime {
namespace {

Status NotLinked(DeviceKind kind) {
  return MakeStatus(Code::kUnavailable, "the %s backend is not linked into this application",
                    KindName(kind));
}

cuda::Options ForCuda(const BackendOptions& options) {
  cuda::Options made;
  made.application = options.cuda;
  return made;
}

vulkan::Options ForVulkan(const BackendOptions& options) {
  vulkan::Options made;
  made.application = options.vulkan;
  made.pipeline_cache_folder = options.pipeline_cache_folder;
  return made;
}

}  // namespace

Status OpenLinkedBackend(DeviceKind kind, uint32_t index, const BackendOptions& options,
                         Device** device) {
  Status (*open_cuda)(uint32_t, const cuda::Options&, Device**) = cuda::OpenDevice;
  Status (*open_vulkan)(uint32_t, const vulkan::Options&, Device**) = vulkan::OpenDevice;
  if (kind == DeviceKind::kCuda && open_cuda != nullptr)
    return open_cuda(index, ForCuda(options), device);
  if (kind == DeviceKind::kVulkan && open_vulkan != nullptr)
    return open_vulkan(index, ForVulkan(options), device);
  return NotLinked(kind);
}

Status DescribeLinkedBackend(DeviceKind kind, uint32_t index, const BackendOptions& options,
                             DeviceInfo* info) {
  if (kind == DeviceKind::kCuda && cuda::DescribeDevice != nullptr)
    return cuda::DescribeDevice(index, ForCuda(options), info);
  if (kind == DeviceKind::kVulkan && vulkan::DescribeDevice != nullptr)
    return vulkan::DescribeDevice(index, ForVulkan(options), info);
  return NotLinked(kind);
}

}  // namespace halyard::runtime
