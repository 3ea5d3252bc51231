#include "tests/lowering/numerics/vulkan_hook.h"

#include <dlfcn.h>
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "Halide.h"

namespace halyard::lowering::testing {
namespace {

bool decorate = true;
PFN_vkGetInstanceProcAddr real_get_instance = nullptr;
PFN_vkGetDeviceProcAddr real_get_device = nullptr;
PFN_vkCreateShaderModule real_create = nullptr;

bool IsFloatArithmetic(uint32_t opcode) {
  return opcode == 127 || opcode == 129 || opcode == 131 || opcode == 133 || opcode == 136 ||
         opcode == 140 || opcode == 141;
}

std::vector<uint32_t> Decorated(const uint32_t* words, size_t count) {
  constexpr size_t kHeader = 5;
  std::vector<uint32_t> decorations;
  size_t place = 0;
  for (size_t i = kHeader; i < count; i += words[i] >> 16) {
    const uint32_t opcode = words[i] & 0xffff;
    // Decorations stand before the first type (OpTypeVoid …), next to each other.
    if (place == 0 && (opcode == 71 || opcode == 72 || (opcode >= 19 && opcode <= 39))) place = i;
    if (IsFloatArithmetic(opcode))
      decorations.insert(decorations.end(), {(3u << 16) | 71, words[i + 2], 42});
  }
  std::vector<uint32_t> result(words, words + place);
  result.insert(result.end(), decorations.begin(), decorations.end());
  result.insert(result.end(), words + place, words + count);
  return result;
}

VkResult CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info,
                            const VkAllocationCallbacks* allocator, VkShaderModule* module) {
  if (!decorate) return real_create(device, info, allocator, module);
  std::vector<uint32_t> words = Decorated(info->pCode, info->codeSize / 4);
  VkShaderModuleCreateInfo changed = *info;
  changed.pCode = words.data();
  changed.codeSize = words.size() * 4;
  return real_create(device, &changed, allocator, module);
}

PFN_vkVoidFunction GetDeviceProcAddr(VkDevice device, const char* name) {
  PFN_vkVoidFunction real = real_get_device(device, name);
  if (std::strcmp(name, "vkCreateShaderModule") != 0) return real;
  real_create = reinterpret_cast<PFN_vkCreateShaderModule>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(&CreateShaderModule);
}

PFN_vkVoidFunction GetInstanceProcAddr(VkInstance instance, const char* name) {
  PFN_vkVoidFunction real = real_get_instance(instance, name);
  if (std::strcmp(name, "vkCreateShaderModule") == 0) {
    real_create = reinterpret_cast<PFN_vkCreateShaderModule>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(&CreateShaderModule);
  }
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return real;
  real_get_device = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(&GetDeviceProcAddr);
}

void* GetLibrarySymbol(void* library, const char* name) {
  void* real = dlsym(library, name);
  if (real == nullptr || std::strcmp(name, "vkGetInstanceProcAddr") != 0) return real;
  real_get_instance = reinterpret_cast<PFN_vkGetInstanceProcAddr>(real);
  return reinterpret_cast<void*>(&GetInstanceProcAddr);
}

}  // namespace

bool HasVulkanDevice() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW);
  if (library == nullptr) return false;
  auto create = reinterpret_cast<PFN_vkCreateInstance>(dlsym(library, "vkCreateInstance"));
  auto enumerate = reinterpret_cast<PFN_vkEnumeratePhysicalDevices>(
      dlsym(library, "vkEnumeratePhysicalDevices"));
  auto destroy = reinterpret_cast<PFN_vkDestroyInstance>(dlsym(library, "vkDestroyInstance"));
  VkInstanceCreateInfo info{
      VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, nullptr, 0, nullptr, 0, nullptr, 0, nullptr};
  VkInstance instance = nullptr;
  if (create == nullptr || create(&info, nullptr, &instance) != VK_SUCCESS) return false;
  uint32_t count = 0;
  const bool found = enumerate(instance, &count, nullptr) == VK_SUCCESS && count > 0;
  destroy(instance, nullptr);
  return found;
}

void InstallVulkanHook() {
  Halide::JITHandlers handlers;
  handlers.custom_get_library_symbol = &GetLibrarySymbol;
  Halide::Internal::JITSharedRuntime::set_default_handlers(handlers);
}

void DecorateNoContraction(bool on) { decorate = on; }

}  // namespace halyard::lowering::testing
