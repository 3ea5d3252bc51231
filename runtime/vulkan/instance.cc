#include "runtime/vulkan/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

namespace halyard::runtime::vulkan {
namespace {

constexpr char kValidationLayer[] = "VK_LAYER_KHRONOS_validation";

// Prints the message. The process continues, so that all messages are printed, but its exit status
// becomes 1.
void ReportAndFail(const char* message) {
  static std::atomic<bool> registered{false};
  fprintf(stderr, "halyard: Vulkan validation: %s\n", message);
  if (registered.exchange(true)) return;
  atexit([] {
    fflush(nullptr);
    _exit(1);
  });
}

void TellHost(void* context, const char* message) {
  const HostScope scope(static_cast<const Host*>(context));
  Log(LogLevel::kWarning, "Vulkan validation: %s", message);
}

// Returns the value of $HALYARD_VULKAN_VALIDATION, or null if validation is not wanted.
const char* ValidationWanted() {
  const char* wanted = getenv("HALYARD_VULKAN_VALIDATION");
  return wanted == nullptr || wanted[0] == 0 || strcmp(wanted, "0") == 0 ? nullptr : wanted;
}

VkBool32 OnMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  const Options* options = static_cast<const Options*>(user);
  if (options->on_message != nullptr) {
    options->on_message(options->context, data->pMessage);
  } else {
    ReportAndFail(data->pMessage);
  }
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT MessengerInfo(Options* options) {
  VkDebugUtilsMessengerCreateInfoEXT info = {
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = OnMessage;
  info.pUserData = options;
  return info;
}

// Ranks devices in the order in which they are listed.
int Rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 4;
    default:
      return 3;
  }
}

uint64_t DeviceHeapBytes(const Api& api, VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryProperties memory;
  api.GetPhysicalDeviceMemoryProperties(device, &memory);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 && heap.size > bytes) {
      bytes = heap.size;
    }
  }
  return bytes;
}

// Whether an instance has been made that is never destroyed. When the last instance of a
// process is destroyed, the loader unloads the drivers, with their handlers for the end of the
// process. If another thread ends the process at that moment, the C library calls handlers that are
// gone.
std::atomic<bool> one_stays{false};

}  // namespace

Instance::~Instance() {
  if (stays_) return;
  if (adopted_) {
    UnloadLibrary(&api_);
    return;
  }
  if (messenger_ != VK_NULL_HANDLE) {
    api_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  }
  if (instance_ != VK_NULL_HANDLE) api_.DestroyInstance(instance_, nullptr);
  UnloadLibrary(&api_);
}

Status Instance::Open(const Options& options) {
  HY_RETURN_IF_ERROR(LoadLibrary(options.library, &api_));
  uint32_t version = 0;
  HY_RETURN_IF_ERROR(
      ToStatus(api_.EnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion"));
  if (version < VK_API_VERSION_1_2) {
    return MakeStatus(Code::kUnavailable,
                      "the Vulkan loader speaks %u.%u, kernels need 1.2: update libvulkan1",
                      VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
  }
  HY_RETURN_IF_ERROR(Create(options));
  return FindDevices();
}

Status Instance::Create(const Options& options) {
  options_ = options;
  if (options_.on_message == nullptr && CurrentHost().log != nullptr) {
    host_ = CurrentHost();
    options_.on_message = TellHost;
    options_.context = &host_;
  }
  const char* wanted = ValidationWanted();
  options_.validation |= wanted != nullptr;
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "halyard";
  application.pEngineName = "halyard";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  const char* layer = kValidationLayer;
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkDebugUtilsMessengerCreateInfoEXT messenger = MessengerInfo(&options_);
  const VkValidationFeatureEnableEXT enable =
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT checks = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  checks.enabledValidationFeatureCount = 1;
  checks.pEnabledValidationFeatures = &enable;
  if (options_.validation) {
    if (wanted != nullptr && strcmp(wanted, "sync") == 0) messenger.pNext = &checks;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    info.pNext = &messenger;
  }
  HY_RETURN_IF_ERROR(ToStatus(api_.CreateInstance(&info, nullptr, &instance_), "vkCreateInstance"));
  HY_RETURN_IF_ERROR(LoadInstanceFunctions(instance_, &api_));
  if (!options_.validation) {
    stays_ = !one_stays.exchange(true);
    return Status();
  }
  messenger.pNext = nullptr;
  if (api_.CreateDebugUtilsMessengerEXT == nullptr ||
      api_.DestroyDebugUtilsMessengerEXT == nullptr) {
    return MakeStatus(Code::kFailedPrecondition, "the Vulkan loader has no VK_EXT_debug_utils");
  }
  return ToStatus(api_.CreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_),
                  "vkCreateDebugUtilsMessengerEXT");
}

Status Instance::FindDevices() {
  uint32_t count = 0;
  HY_RETURN_IF_ERROR(ToStatus(api_.EnumeratePhysicalDevices(instance_, &count, nullptr),
                              "vkEnumeratePhysicalDevices"));
  gpu::Array<VkPhysicalDevice> all;
  if (!all.Resize(count)) return gpu::OutOfHostMemory("the list of devices");
  HY_RETURN_IF_ERROR(ToStatus(api_.EnumeratePhysicalDevices(instance_, &count, all.data()),
                              "vkEnumeratePhysicalDevices"));
  for (int rank = 0; rank <= 4; ++rank) {
    for (uint32_t i = 0; i < count; ++i) {
      VkPhysicalDeviceProperties properties;
      api_.GetPhysicalDeviceProperties(all[i], &properties);
      if (Rank(properties.deviceType) != rank || properties.apiVersion < VK_API_VERSION_1_2 ||
          FindQueueFamilies(api_, all[i]).compute == UINT32_MAX) {
        continue;
      }
      Features features;
      QueryFeatures(api_, all[i], &features);
      if (!features.v12.timelineSemaphore) continue;
      if (!devices_.Append(all[i])) return gpu::OutOfHostMemory("the list of devices");
    }
  }
  return Status();
}

QueueFamilies FindQueueFamilies(const Api& api, VkPhysicalDevice device) {
  QueueFamilies found;
  uint32_t count = 0;
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  gpu::Array<VkQueueFamilyProperties> families;
  if (!families.Resize(count)) return found;
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  bool graphics = false;
  for (uint32_t i = 0; i < count; ++i) {
    const VkQueueFamilyProperties& family = families[i];
    if (family.queueCount == 0) continue;
    const bool draws = (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
    if ((family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) {
      // Prefers a family that only computes, because it runs beside graphics.
      if (found.compute != UINT32_MAX && !(graphics && !draws)) continue;
      graphics = draws;
      found.compute = i;
      found.compute_queues = family.queueCount;
      found.timestamp_bits = family.timestampValidBits;
    } else if ((family.queueFlags & VK_QUEUE_TRANSFER_BIT) != 0 && !draws &&
               found.transfer == UINT32_MAX) {
      found.transfer = i;
    }
  }
  return found;
}

bool HasExtension(const Api& api, VkPhysicalDevice device, const char* name) {
  uint32_t count = 0;
  gpu::Array<VkExtensionProperties> extensions;
  if (api.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS ||
      !extensions.Resize(count) ||
      api.EnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()) !=
          VK_SUCCESS) {
    return false;
  }
  for (const VkExtensionProperties& extension : extensions) {
    if (strcmp(extension.extensionName, name) == 0) return true;
  }
  return false;
}

void QueryFeatures(const Api& api, VkPhysicalDevice device, Features* features) {
  Features have;
  have.core.pNext = &have.v11;
  have.v11.pNext = &have.v12;
  api.GetPhysicalDeviceFeatures2(device, &have.core);
  features->core.pNext = &features->v11;
  features->v11.pNext = &features->v12;
  features->core.features.shaderFloat64 = have.core.features.shaderFloat64;
  features->core.features.shaderInt64 = have.core.features.shaderInt64;
  features->core.features.shaderInt16 = have.core.features.shaderInt16;
  features->v11.storageBuffer16BitAccess = have.v11.storageBuffer16BitAccess;
  features->v11.uniformAndStorageBuffer16BitAccess = have.v11.uniformAndStorageBuffer16BitAccess;
  features->v12.storageBuffer8BitAccess = have.v12.storageBuffer8BitAccess;
  features->v12.uniformAndStorageBuffer8BitAccess = have.v12.uniformAndStorageBuffer8BitAccess;
  features->v12.shaderInt8 = have.v12.shaderInt8;
  features->v12.shaderFloat16 = have.v12.shaderFloat16;
  features->v12.timelineSemaphore = have.v12.timelineSemaphore;
}

void DescribeDevice(const Api& api, VkPhysicalDevice device, const Features& features,
                    DeviceInfo* info) {
  VkPhysicalDeviceVulkan11Properties v11 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceVulkan12Properties v12 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &v11;
  v11.pNext = &v12;
  api.GetPhysicalDeviceProperties2(device, &properties);
  const VkPhysicalDeviceLimits& limits = properties.properties.limits;
  info->kind = DeviceKind::kVulkan;
  snprintf(info->name, sizeof(info->name), "%.127s", properties.properties.deviceName);
  info->software = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  info->memory_bytes = DeviceHeapBytes(api, device);
  info->max_allocation_bytes = v11.maxMemoryAllocationSize;
  if (info->max_allocation_bytes > info->memory_bytes) {
    info->max_allocation_bytes = info->memory_bytes;
  }
  info->buffer_alignment = 256;  // the specification's limit; no device asks for more
  info->max_threads_per_group = limits.maxComputeWorkGroupInvocations;
  for (int d = 0; d < 3; ++d) {
    info->max_group[d] = limits.maxComputeWorkGroupSize[d];
    info->max_grid[d] = limits.maxComputeWorkGroupCount[d];
  }
  info->max_shared_bytes = limits.maxComputeSharedMemorySize;
  info->subgroup_size = v11.subgroupSize;
  info->max_push_constant_bytes = limits.maxPushConstantsSize;
  info->max_storage_buffers = limits.maxPerStageDescriptorStorageBuffers;
  if (info->max_storage_buffers > limits.maxDescriptorSetStorageBuffers) {
    info->max_storage_buffers = limits.maxDescriptorSetStorageBuffers;
  }
  info->max_storage_range_bytes = limits.maxStorageBufferRange;
  info->has_f64 = features.core.features.shaderFloat64;
  info->has_i64 = features.core.features.shaderInt64;
  const bool storage16 =
      features.v11.storageBuffer16BitAccess && features.v11.uniformAndStorageBuffer16BitAccess;
  info->has_i16 = features.core.features.shaderInt16 && storage16;
  info->has_f16 = features.v12.shaderFloat16 && storage16;
  info->has_i8 = features.v12.shaderInt8 && features.v12.storageBuffer8BitAccess &&
                 features.v12.uniformAndStorageBuffer8BitAccess;
  info->keeps_denormals = v12.shaderDenormPreserveFloat32;
  const auto add = [info](VkBool32 has, FloatControl control) {
    if (has) info->float_controls |= control;
  };
  add(v12.shaderSignedZeroInfNanPreserveFloat16, kKeepsSpecialsF16);
  add(v12.shaderSignedZeroInfNanPreserveFloat32, kKeepsSpecialsF32);
  add(v12.shaderSignedZeroInfNanPreserveFloat64, kKeepsSpecialsF64);
  add(v12.shaderDenormPreserveFloat16, kKeepsDenormalsF16);
  add(v12.shaderDenormPreserveFloat64, kKeepsDenormalsF64);
  add(v12.shaderRoundingModeRTEFloat16, kRoundsToEvenF16);
  add(v12.shaderRoundingModeRTEFloat32, kRoundsToEvenF32);
  add(v12.shaderRoundingModeRTEFloat64, kRoundsToEvenF64);
}

}  // namespace halyard::runtime::vulkan
