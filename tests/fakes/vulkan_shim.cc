#include "tests/fakes/vulkan_shim.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace {

using halyard::testing::ShimSubmission;
using halyard::testing::VulkanShim;

VulkanShim* shim = new VulkanShim;

PFN_vkGetInstanceProcAddr RealInstanceProcAddr() {
  static const auto address = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
      dlsym(dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL), "vkGetInstanceProcAddr"));
  return address;
}

// The driver functions that the shim's own functions call, from the newest instance and device.
// Tests open one at a time.
#define SHIM_FUNCTIONS(X)                   \
  X(EnumerateDeviceExtensionProperties)     \
  X(GetPhysicalDeviceProperties)            \
  X(GetPhysicalDeviceQueueFamilyProperties) \
  X(CreateDevice)                           \
  X(GetDeviceProcAddr)                      \
  X(GetDeviceQueue)                         \
  X(QueueSubmit)                            \
  X(AllocateMemory)                         \
  X(FreeMemory)                             \
  X(CreateBuffer)                           \
  X(CreateCommandPool)                      \
  X(CmdPipelineBarrier)                     \
  X(CmdCopyBuffer)                          \
  X(CmdDispatch)                            \
  X(BeginCommandBuffer)                     \
  X(WaitSemaphores)                         \
  X(GetSemaphoreCounterValue)               \
  X(CreatePipelineCache)                    \
  X(GetPipelineCacheData)                   \
  X(CreateComputePipelines)

struct Real {
#define X(name) PFN_vk##name name = nullptr;
  SHIM_FUNCTIONS(X)
#undef X
} real;

struct FakeQueue {
  uint32_t family = 0, queue = 0;
};
FakeQueue fake_queues[16];
uint32_t num_fake_queues = 0;
VkQueue real_queue = VK_NULL_HANDLE;
uint32_t real_family = 0;
std::mutex queue_mutex;

constexpr uint32_t kTransferFamily = 7;  // the shim's; beyond the device's own

// Counts the call. Returns whether it must fail.
bool Fails(const char* function, VkResult* code) {
  const std::lock_guard<std::mutex> lock(shim->mutex);
  ++shim->calls[function];
  if (shim->fail_function != function) return false;
  if (shim->fail_skip-- > 0) return false;
  *code = shim->fail_code;
  if (!shim->fail_stays) shim->fail_function.clear();
  return true;
}
#define SHIM_FAIL_OR_COUNT(function) \
  VkResult failure = VK_SUCCESS;     \
  if (Fails(function, &failure)) return failure

VkResult EnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char* layer,
                                            uint32_t* count, VkExtensionProperties* properties) {
  SHIM_FAIL_OR_COUNT("vkEnumerateDeviceExtensionProperties");
  const VkResult result = real.EnumerateDeviceExtensionProperties(device, layer, count, properties);
  for (uint32_t i = 0; properties != nullptr && !shim->calibrated_timestamps && i < *count; ++i) {
    if (std::strcmp(properties[i].extensionName, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) == 0)
      std::strcpy(properties[i].extensionName, "hidden");
  }
  return result;
}

void GetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties* properties) {
  real.GetPhysicalDeviceProperties(device, properties);
  if (shim->max_memory_allocations != 0)
    properties->limits.maxMemoryAllocationCount = shim->max_memory_allocations;
  if (shim->discrete) properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

void GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice device, uint32_t* count,
                                            VkQueueFamilyProperties* properties) {
  uint32_t all = 0;
  real.GetPhysicalDeviceQueueFamilyProperties(device, &all, nullptr);
  std::vector<VkQueueFamilyProperties> families(all);
  real.GetPhysicalDeviceQueueFamilyProperties(device, &all, families.data());
  for (VkQueueFamilyProperties& family : families) {
    if (shim->compute_queues != 0) family.queueCount = shim->compute_queues;
    if (!shim->timestamps) family.timestampValidBits = 0;
  }
  if (shim->transfer_family) {
    families.resize(kTransferFamily + 1);  // the families in between have no queues
    families.back().queueFlags = VK_QUEUE_TRANSFER_BIT;
    families.back().queueCount = 1;
  }
  if (properties == nullptr) {
    *count = static_cast<uint32_t>(families.size());
    return;
  }
  *count = std::min(*count, static_cast<uint32_t>(families.size()));
  std::copy_n(families.begin(), *count, properties);
}

VkResult CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                      const VkAllocationCallbacks* allocator, VkDevice* device) {
  SHIM_FAIL_OR_COUNT("vkCreateDevice");
  VkDeviceCreateInfo one = *info;
  VkDeviceQueueCreateInfo queue = info->pQueueCreateInfos[0];
  queue.queueCount = 1;
  one.queueCreateInfoCount = 1;
  one.pQueueCreateInfos = &queue;
  real_family = queue.queueFamilyIndex;
  real_queue = VK_NULL_HANDLE;
  num_fake_queues = 0;
  return real.CreateDevice(physical, &one, allocator, device);
}

void GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue* queue) {
  if (real_queue == VK_NULL_HANDLE) real.GetDeviceQueue(device, real_family, 0, &real_queue);
  FakeQueue* fake = &fake_queues[num_fake_queues++];
  *fake = {family, index};
  *queue = reinterpret_cast<VkQueue>(fake);
}

VkResult QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  SHIM_FAIL_OR_COUNT("vkQueueSubmit");
  const auto* fake = reinterpret_cast<const FakeQueue*>(queue);
  for (uint32_t i = 0; i < count; ++i) {
    ShimSubmission submission;
    submission.family = fake->family;
    submission.queue = fake->queue;
    submission.buffers = infos[i].commandBufferCount;
    const auto* timeline =
        static_cast<const VkTimelineSemaphoreSubmitInfo*>(infos[i].pNext);  // the only one in use
    submission.waits.assign(timeline->pWaitSemaphoreValues,
                            timeline->pWaitSemaphoreValues + timeline->waitSemaphoreValueCount);
    submission.signal = timeline->pSignalSemaphoreValues[0];
    const std::lock_guard<std::mutex> lock(shim->mutex);
    shim->submissions.push_back(submission);
  }
  const std::lock_guard<std::mutex> lock(queue_mutex);
  return real.QueueSubmit(real_queue, count, infos, fence);
}

VkResult AllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                        const VkAllocationCallbacks* allocator, VkDeviceMemory* memory) {
  SHIM_FAIL_OR_COUNT("vkAllocateMemory");
  return real.AllocateMemory(device, info, allocator, memory);
}

void FreeMemory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* allocator) {
  VkResult ignored;
  Fails("vkFreeMemory", &ignored);
  real.FreeMemory(device, memory, allocator);
}

VkResult CreateBuffer(VkDevice device, const VkBufferCreateInfo* info,
                      const VkAllocationCallbacks* allocator, VkBuffer* buffer) {
  SHIM_FAIL_OR_COUNT("vkCreateBuffer");
  VkBufferCreateInfo one = *info;
  if (shim->transfer_family && one.sharingMode != VK_SHARING_MODE_CONCURRENT)
    return VK_ERROR_UNKNOWN;  // queues of two families use the buffer
  one.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  one.queueFamilyIndexCount = 0;
  return real.CreateBuffer(device, &one, allocator, buffer);
}

VkResult CreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo* info,
                           const VkAllocationCallbacks* allocator, VkCommandPool* pool) {
  SHIM_FAIL_OR_COUNT("vkCreateCommandPool");
  VkCommandPoolCreateInfo one = *info;
  one.queueFamilyIndex = real_family;
  return real.CreateCommandPool(device, &one, allocator, pool);
}

VkResult BeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo* info) {
  SHIM_FAIL_OR_COUNT("vkBeginCommandBuffer");
  return real.BeginCommandBuffer(buffer, info);
}

void CmdPipelineBarrier(VkCommandBuffer buffer, VkPipelineStageFlags from, VkPipelineStageFlags to,
                        VkDependencyFlags flags, uint32_t num_memory, const VkMemoryBarrier* memory,
                        uint32_t num_buffers, const VkBufferMemoryBarrier* buffers,
                        uint32_t num_images, const VkImageMemoryBarrier* images) {
  VkResult ignored;
  Fails("vkCmdPipelineBarrier", &ignored);
  real.CmdPipelineBarrier(buffer, from, to, flags, num_memory, memory, num_buffers, buffers,
                          num_images, images);
}

void CmdCopyBuffer(VkCommandBuffer buffer, VkBuffer from, VkBuffer to, uint32_t count,
                   const VkBufferCopy* regions) {
  VkResult ignored;
  Fails("vkCmdCopyBuffer", &ignored);
  real.CmdCopyBuffer(buffer, from, to, count, regions);
}

void CmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z) {
  VkResult ignored;
  Fails("vkCmdDispatch", &ignored);
  real.CmdDispatch(buffer, x, y, z);
}

VkResult WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  SHIM_FAIL_OR_COUNT("vkWaitSemaphores");
  return real.WaitSemaphores(device, info, timeout);
}

VkResult GetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, uint64_t* value) {
  SHIM_FAIL_OR_COUNT("vkGetSemaphoreCounterValue");
  return real.GetSemaphoreCounterValue(device, semaphore, value);
}

VkResult CreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo* info,
                             const VkAllocationCallbacks* allocator, VkPipelineCache* cache) {
  SHIM_FAIL_OR_COUNT("vkCreatePipelineCache");
  shim->initial_cache_bytes = info->initialDataSize;
  VkPipelineCacheCreateInfo own = *info;
  own.initialDataSize = std::min<size_t>(own.initialDataSize, 32);  // only the driver's header
  return real.CreatePipelineCache(device, &own, allocator, cache);
}

VkResult GetPipelineCacheData(VkDevice device, VkPipelineCache cache, size_t* bytes, void* data) {
  SHIM_FAIL_OR_COUNT("vkGetPipelineCacheData");
  size_t own = 0;
  VkResult result = real.GetPipelineCacheData(device, cache, &own, nullptr);
  if (result != VK_SUCCESS) return result;
  if (data == nullptr) {
    *bytes = own + shim->pipeline_data.size();
    return VK_SUCCESS;
  }
  result = real.GetPipelineCacheData(device, cache, &own, data);
  std::memcpy(static_cast<char*>(data) + own, shim->pipeline_data.data(),
              shim->pipeline_data.size());
  *bytes = own + shim->pipeline_data.size();
  return result;
}

VkResult CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                const VkComputePipelineCreateInfo* infos,
                                const VkAllocationCallbacks* allocator, VkPipeline* pipelines) {
  SHIM_FAIL_OR_COUNT("vkCreateComputePipelines");
  return real.CreateComputePipelines(device, cache, count, infos, allocator, pipelines);
}

PFN_vkVoidFunction GetDeviceProcAddr(VkDevice device, const char* name);

// Returns the shim's function of that name, or null if it has none. Stores the driver's own
// function.
PFN_vkVoidFunction Replace(const char* name, PFN_vkVoidFunction own) {
#define X(function)                                          \
  if (std::strcmp(name, "vk" #function) == 0) {              \
    real.function = reinterpret_cast<PFN_vk##function>(own); \
    return reinterpret_cast<PFN_vkVoidFunction>(&function);  \
  }
  SHIM_FUNCTIONS(X)
#undef X
  return nullptr;
}

PFN_vkVoidFunction GetDeviceProcAddr(VkDevice device, const char* name) {
  PFN_vkVoidFunction own = real.GetDeviceProcAddr(device, name);
  PFN_vkVoidFunction replaced = Replace(name, own);
  return replaced != nullptr ? replaced : own;
}

}  // namespace

extern "C" VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                          const char* name) {
  PFN_vkVoidFunction own = RealInstanceProcAddr()(instance, name);
  if (own == nullptr) return nullptr;
  PFN_vkVoidFunction replaced = Replace(name, own);
  return replaced != nullptr ? replaced : own;
}

extern "C" VulkanShim* HalyardVulkanShim() { return shim; }
extern "C" void HalyardResetVulkanShim() {
  delete shim;
  shim = new VulkanShim;
}
