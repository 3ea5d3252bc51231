// The application's own instance and device (hy_vulkan_device).
#include "runtime/vulkan/instance.h"

namespace halyard::runtime::vulkan {
namespace {

Status Unsuited(const char* what) {
  return MakeStatus(Code::kFailedPrecondition, "hy_vulkan_device: %s", what);
}

bool Contains(const Api& api, VkInstance instance, VkPhysicalDevice device) {
  uint32_t count = 0;
  gpu::Array<VkPhysicalDevice> all;
  if (api.EnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS || !all.Resize(count) ||
      api.EnumeratePhysicalDevices(instance, &count, all.data()) != VK_SUCCESS)
    return false;
  for (VkPhysicalDevice each : all) {
    if (each == device) return true;
  }
  return false;
}

Status CheckFamily(const Api& api, VkPhysicalDevice device, uint32_t family) {
  uint32_t count = 0;
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  gpu::Array<VkQueueFamilyProperties> families;
  if (!families.Resize(count)) return gpu::OutOfHostMemory("the list of queues");
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  if (family >= count) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_vulkan_device: queue_family is %u, and the device has %u", family, count);
  }
  if ((families[family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)
    return Unsuited("queues of its queue_family do not compute");
  return Status();
}

}  // namespace

Status Instance::Adopt(const Options& options) {
  const ApplicationDevice& given = options.application;
  adopted_ = true;
  if (given.get_instance_proc_addr != nullptr) {
    api_.GetInstanceProcAddr =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(given.get_instance_proc_addr);
  } else {
    HY_RETURN_IF_ERROR(LoadLibrary(options.library, &api_));
  }
  const VkInstance instance = static_cast<VkInstance>(given.instance);
  const VkPhysicalDevice physical = static_cast<VkPhysicalDevice>(given.physical_device);
  HY_RETURN_IF_ERROR(LoadInstanceFunctions(instance, &api_));
  if (!Contains(api_, instance, physical)) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_vulkan_device: physical_device is not one of the instance");
  }
  VkPhysicalDeviceProperties properties;
  api_.GetPhysicalDeviceProperties(physical, &properties);
  if (given.api_version < VK_API_VERSION_1_2 || properties.apiVersion < VK_API_VERSION_1_2)
    return Unsuited("its api_version is below Vulkan 1.2, which kernels need");
  HY_RETURN_IF_ERROR(CheckFamily(api_, physical, given.queue_family));
  if (!devices_.Append(physical)) return gpu::OutOfHostMemory("the list of devices");
  return Status();
}

Status ReadFeatures(const void* chain, Features* features) {
  const auto* at = static_cast<const VkBaseInStructure*>(chain);
  if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_vulkan_device: features is no VkPhysicalDeviceFeatures2");
  }
  features->core.pNext = &features->v11;
  features->v11.pNext = &features->v12;
  const VkPhysicalDeviceFeatures& core =
      static_cast<const VkPhysicalDeviceFeatures2*>(chain)->features;
  features->core.features.shaderFloat64 = core.shaderFloat64;
  features->core.features.shaderInt64 = core.shaderInt64;
  features->core.features.shaderInt16 = core.shaderInt16;
  const auto add16 = [features](const auto& have) {
    features->v11.storageBuffer16BitAccess |= have.storageBuffer16BitAccess;
    features->v11.uniformAndStorageBuffer16BitAccess |= have.uniformAndStorageBuffer16BitAccess;
  };
  const auto add8 = [features](const auto& have) {
    features->v12.storageBuffer8BitAccess |= have.storageBuffer8BitAccess;
    features->v12.uniformAndStorageBuffer8BitAccess |= have.uniformAndStorageBuffer8BitAccess;
  };
  const auto add_arithmetic = [features](const auto& have) {
    features->v12.shaderInt8 |= have.shaderInt8;
    features->v12.shaderFloat16 |= have.shaderFloat16;
  };
  const auto add_timeline = [features](const auto& have) {
    features->v12.timelineSemaphore |= have.timelineSemaphore;
  };
  for (; at != nullptr; at = at->pNext) {
    switch (at->sType) {
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
        add16(*reinterpret_cast<const VkPhysicalDeviceVulkan11Features*>(at));
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES: {
        const auto& have = *reinterpret_cast<const VkPhysicalDeviceVulkan12Features*>(at);
        add8(have);
        add_arithmetic(have);
        add_timeline(have);
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
        add16(*reinterpret_cast<const VkPhysicalDevice16BitStorageFeatures*>(at));
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES:
        add8(*reinterpret_cast<const VkPhysicalDevice8BitStorageFeatures*>(at));
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES:
        add_arithmetic(*reinterpret_cast<const VkPhysicalDeviceShaderFloat16Int8Features*>(at));
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
        add_timeline(*reinterpret_cast<const VkPhysicalDeviceTimelineSemaphoreFeatures*>(at));
        break;
      default:
        break;
    }
  }
  if (!features->v12.timelineSemaphore)
    return Unsuited("the device was made without the feature timelineSemaphore, which runs need");
  return Status();
}

}  // namespace halyard::runtime::vulkan
