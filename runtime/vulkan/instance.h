// Holds the loader, one VkInstance, and those of its devices that can run kernels.
#ifndef HALYARD_RUNTIME_VULKAN_INSTANCE_H_
#define HALYARD_RUNTIME_VULKAN_INSTANCE_H_

#include "runtime/device_info.h"
#include "runtime/gpu/memory.h"
#include "runtime/host.h"
#include "runtime/vulkan/api.h"
#include "runtime/vulkan/vulkan.h"

namespace halyard::runtime::vulkan {

class Instance {
 public:
  Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  Status Open(const Options& options);
  // Takes the application's instance, which it does not destroy, and its one device. Returns
  // kInvalidArgument or kFailedPrecondition if something about the device does not suit.
  Status Adopt(const Options& options);

  Api& api() { return api_; }
  const gpu::Array<VkPhysicalDevice>& devices() const { return devices_; }

 private:
  Status Create(const Options& options);
  Status FindDevices();

  Api api_;
  Options options_;
  VkInstance instance_ = VK_NULL_HANDLE;
  bool stays_ = false;  // not destroyed with this: the first of the process without validation
  bool adopted_ = false;
  Host host_;  // that receives the messages of validation, if it wants them
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  gpu::Array<VkPhysicalDevice> devices_;
};

// The optional features that a device has. CreateDevice asks for all of these.
struct Features {
  VkPhysicalDeviceFeatures2 core = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features v11 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features v12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  Features() = default;
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;
};
// Leaves in `features` only those that kernels use, chained for VkDeviceCreateInfo::pNext.
void QueryFeatures(const Api& api, VkPhysicalDevice device, Features* features);
// Does the same with what the application has enabled for its own device, the chain that
// hy_vulkan_device::features describes.
Status ReadFeatures(const void* chain, Features* features);
void DescribeDevice(const Api& api, VkPhysicalDevice device, const Features& features,
                    DeviceInfo* info);
bool HasExtension(const Api& api, VkPhysicalDevice device, const char* name);

// The queue families to use.
struct QueueFamilies {
  uint32_t compute = UINT32_MAX;   // UINT32_MAX if no family computes
  uint32_t compute_queues = 0;     // number of queues in the family
  uint32_t timestamp_bits = 0;     // of its timestamps; 0 if it has none
  uint32_t transfer = UINT32_MAX;  // a family that only copies, beside the others; UINT32_MAX if
                                   // there is none
};
QueueFamilies FindQueueFamilies(const Api& api, VkPhysicalDevice device);

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_INSTANCE_H_
