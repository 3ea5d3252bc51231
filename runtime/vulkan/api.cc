#include "runtime/vulkan/api.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "runtime/gpu/load_error.h"

namespace halyard::runtime::vulkan {
namespace {

Status MissingFunction(const char* name) {
  return MakeStatus(Code::kUnavailable,
                    "the Vulkan driver has no vk%s: it is older than Vulkan 1.2", name);
}

}  // namespace

Status LoadLibrary(const char* file, Api* api) {
  if (file == nullptr) file = getenv("HALYARD_LIBVULKAN");
  if (file == nullptr || file[0] == 0) file = "libvulkan.so.1";
  api->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (api->library == nullptr) {
    return gpu::DoesNotLoad(file, "the Vulkan loader (libvulkan1) and a driver");
  }
  api->GetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(api->library, "vkGetInstanceProcAddr"));
  if (api->GetInstanceProcAddr == nullptr) {
    return MakeStatus(Code::kUnavailable, "%s has no vkGetInstanceProcAddr", file);
  }
#define X(name)                                                                              \
  api->name = reinterpret_cast<PFN_vk##name>(api->GetInstanceProcAddr(nullptr, "vk" #name)); \
  if (api->name == nullptr) return MissingFunction(#name);
  HY_VULKAN_GLOBAL_FUNCTIONS(X)
#undef X
  return Status();
}

Status LoadInstanceFunctions(VkInstance instance, Api* api) {
#define X(name)                                                                               \
  api->name = reinterpret_cast<PFN_vk##name>(api->GetInstanceProcAddr(instance, "vk" #name)); \
  if (api->name == nullptr) return MissingFunction(#name);
  HY_VULKAN_INSTANCE_FUNCTIONS(X)
#undef X
  api->CreateDebugUtilsMessengerEXT = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      api->GetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
  api->DestroyDebugUtilsMessengerEXT = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
      api->GetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
  api->GetPhysicalDeviceCalibrateableTimeDomainsEXT =
      reinterpret_cast<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(
          api->GetInstanceProcAddr(instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT"));
  return Status();
}

Status LoadDeviceFunctions(VkDevice device, Api* api) {
#define X(name)                                                                           \
  api->name = reinterpret_cast<PFN_vk##name>(api->GetDeviceProcAddr(device, "vk" #name)); \
  if (api->name == nullptr) return MissingFunction(#name);
  HY_VULKAN_DEVICE_FUNCTIONS(X)
#undef X
  api->GetCalibratedTimestampsEXT = reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(
      api->GetDeviceProcAddr(device, "vkGetCalibratedTimestampsEXT"));
  return Status();
}

void UnloadLibrary(Api* api) {
  if (api->library != nullptr) dlclose(api->library);
  api->library = nullptr;
}

Status ToStatus(VkResult result, const char* call) {
  switch (result) {
    case VK_SUCCESS:
      return Status();
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return MakeStatus(Code::kResourceExhausted, "%s: the driver is out of host memory", call);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
      return MakeStatus(Code::kResourceExhausted,
                        "%s: the device is out of memory (%d): free buffers or use a smaller batch",
                        call, static_cast<int>(result));
    case VK_ERROR_DEVICE_LOST:
      return MakeStatus(Code::kUnavailable,
                        "%s: the device was lost (a hang or a driver reset; the system's log says "
                        "more): close it and open it again",
                        call);
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return MakeStatus(Code::kUnavailable,
                        "%s: no usable Vulkan driver: install or update one (mesa-vulkan-drivers, "
                        "or the GPU maker's)",
                        call);
    case VK_ERROR_INITIALIZATION_FAILED:
      return MakeStatus(Code::kUnavailable,
                        "%s: the driver did not start: check that this user may open the device",
                        call);
    case VK_ERROR_LAYER_NOT_PRESENT:
      return MakeStatus(Code::kFailedPrecondition,
                        "%s: a layer is missing: install the Vulkan validation layers", call);
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return MakeStatus(Code::kUnavailable,
                        "%s: the driver lacks a feature it said it had (%d): update it", call,
                        static_cast<int>(result));
    default:
      return MakeStatus(Code::kInternal, "%s failed with VkResult %d", call,
                        static_cast<int>(result));
  }
}

}  // namespace halyard::runtime::vulkan
