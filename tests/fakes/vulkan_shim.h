// Lets a test control the Vulkan shim (vulkan_shim.cc), a shared library that exports the loader's
// only entry point and passes calls on to the real loader, driver and device. It counts calls,
// makes them fail, and makes the device look like a different one: with more queues, a queue that
// only copies, fewer allocations, or no timestamps. All queues that it presents are the device's
// first queue.
#ifndef HALYARD_TESTS_FAKES_VULKAN_SHIM_H_
#define HALYARD_TESTS_FAKES_VULKAN_SHIM_H_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace halyard::testing {

struct ShimSubmission {
  uint32_t family = 0, queue = 0;
  uint32_t buffers = 0;
  std::vector<uint64_t> waits;  // values of the timelines
  uint64_t signal = 0;
};

struct VulkanShim {
  // Set these before a device is opened. 0 keeps the device's own value.
  uint32_t compute_queues = 0;
  bool transfer_family = false;
  uint32_t max_memory_allocations = 0;
  bool timestamps = true;
  bool calibrated_timestamps = true;
  bool discrete = false;
  // vkGetPipelineCacheData returns this after the driver's header.
  std::string pipeline_data;

  // Makes the `skip`-th next call of `function` ("vkQueueSubmit") fail with `code`, and with `stay`
  // also all later ones.
  void Fail(const std::string& function, VkResult code, int skip = 0, bool stay = false) {
    const std::lock_guard<std::mutex> lock(mutex);
    fail_function = function;
    fail_code = code;
    fail_skip = skip;
    fail_stays = stay;
  }
  int Count(const std::string& function) {
    const std::lock_guard<std::mutex> lock(mutex);
    return calls[function];
  }

  // These record calls of the functions that the shim replaces.
  std::mutex mutex;
  std::map<std::string, int> calls;
  std::vector<ShimSubmission> submissions;
  size_t initial_cache_bytes = 0;  // passed to the last vkCreatePipelineCache

  std::string fail_function;
  VkResult fail_code = VK_SUCCESS;
  int fail_skip = 0;
  bool fail_stays = false;
};

}  // namespace halyard::testing

// Returns the only instance. The library exports these functions.
extern "C" halyard::testing::VulkanShim* HalyardVulkanShim();
extern "C" void HalyardResetVulkanShim();

#endif  // HALYARD_TESTS_FAKES_VULKAN_SHIM_H_
