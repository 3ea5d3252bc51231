// Loads Vulkan's functions at run time, so that nothing links to libvulkan.
#ifndef HALYARD_RUNTIME_VULKAN_API_H_
#define HALYARD_RUNTIME_VULKAN_API_H_

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include "runtime/status.h"

namespace halyard::runtime::vulkan {

#define HY_VULKAN_GLOBAL_FUNCTIONS(X) \
  X(CreateInstance)                   \
  X(EnumerateInstanceVersion)         \
  X(EnumerateInstanceLayerProperties)

#define HY_VULKAN_INSTANCE_FUNCTIONS(X)     \
  X(DestroyInstance)                        \
  X(EnumeratePhysicalDevices)               \
  X(GetPhysicalDeviceProperties)            \
  X(GetPhysicalDeviceProperties2)           \
  X(GetPhysicalDeviceFeatures2)             \
  X(GetPhysicalDeviceMemoryProperties)      \
  X(GetPhysicalDeviceQueueFamilyProperties) \
  X(EnumerateDeviceExtensionProperties)     \
  X(CreateDevice)                           \
  X(GetDeviceProcAddr)

#define HY_VULKAN_DEVICE_FUNCTIONS(X) \
  X(DestroyDevice)                    \
  X(GetDeviceQueue)                   \
  X(DeviceWaitIdle)                   \
  X(QueueSubmit)                      \
  X(AllocateMemory)                   \
  X(FreeMemory)                       \
  X(MapMemory)                        \
  X(CreateBuffer)                     \
  X(DestroyBuffer)                    \
  X(GetBufferMemoryRequirements)      \
  X(BindBufferMemory)                 \
  X(CreateSemaphore)                  \
  X(DestroySemaphore)                 \
  X(GetSemaphoreCounterValue)         \
  X(WaitSemaphores)                   \
  X(CreateShaderModule)               \
  X(DestroyShaderModule)              \
  X(CreatePipelineCache)              \
  X(DestroyPipelineCache)             \
  X(GetPipelineCacheData)             \
  X(CreateDescriptorSetLayout)        \
  X(DestroyDescriptorSetLayout)       \
  X(CreatePipelineLayout)             \
  X(DestroyPipelineLayout)            \
  X(CreateComputePipelines)           \
  X(DestroyPipeline)                  \
  X(CreateDescriptorPool)             \
  X(DestroyDescriptorPool)            \
  X(AllocateDescriptorSets)           \
  X(UpdateDescriptorSets)             \
  X(CreateCommandPool)                \
  X(DestroyCommandPool)               \
  X(ResetCommandPool)                 \
  X(AllocateCommandBuffers)           \
  X(BeginCommandBuffer)               \
  X(EndCommandBuffer)                 \
  X(CmdBindPipeline)                  \
  X(CmdBindDescriptorSets)            \
  X(CmdDispatch)                      \
  X(CmdPipelineBarrier)               \
  X(CmdCopyBuffer)                    \
  X(CreateQueryPool)                  \
  X(DestroyQueryPool)                 \
  X(GetQueryPoolResults)              \
  X(CmdResetQueryPool)                \
  X(CmdWriteTimestamp)

struct Api {
  void* library = nullptr;
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
  // These are null without validation.
  PFN_vkCreateDebugUtilsMessengerEXT CreateDebugUtilsMessengerEXT = nullptr;
  PFN_vkDestroyDebugUtilsMessengerEXT DestroyDebugUtilsMessengerEXT = nullptr;
  // These are null without VK_EXT_calibrated_timestamps.
  PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT GetPhysicalDeviceCalibrateableTimeDomainsEXT =
      nullptr;
  PFN_vkGetCalibratedTimestampsEXT GetCalibratedTimestampsEXT = nullptr;
#define X(name) PFN_vk##name name = nullptr;
  HY_VULKAN_GLOBAL_FUNCTIONS(X)
  HY_VULKAN_INSTANCE_FUNCTIONS(X)
  HY_VULKAN_DEVICE_FUNCTIONS(X)
#undef X
};

// If `file` is null, loads $HALYARD_LIBVULKAN if set, else libvulkan.so.1. Returns kNotFound if it
// does not exist.
Status LoadLibrary(const char* file, Api* api);
Status LoadInstanceFunctions(VkInstance instance, Api* api);
Status LoadDeviceFunctions(VkDevice device, Api* api);
void UnloadLibrary(Api* api);

// Converts the result of `call` to a Status with a message for the user (OK for VK_SUCCESS).
Status ToStatus(VkResult result, const char* call);

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_API_H_
