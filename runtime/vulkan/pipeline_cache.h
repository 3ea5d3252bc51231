// Keeps the driver's compiled pipelines on disk from process to process.
#ifndef HALYARD_RUNTIME_VULKAN_PIPELINE_CACHE_H_
#define HALYARD_RUNTIME_VULKAN_PIPELINE_CACHE_H_

#include <stdint.h>

#include <atomic>

#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"

namespace halyard::runtime::vulkan {

// The file, FOLDER/vulkan-VENDOR-DEVICE-UUID.pipelines, is a header (PipelineFileHeader) and what
// vkGetPipelineCacheData returned. It is written whole to a temporary file and renamed. It is used
// only if it belongs to this user, its header and checksum are right, and the driver's own header
// names this device and driver.
class PipelineCache {
 public:
  PipelineCache() = default;
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;

  // If `folder` is null, nothing is kept.
  Status Init(const Api* api, VkDevice device, const VkPhysicalDeviceProperties& properties,
              const char* folder);
  // Writes what is new, then frees everything.
  void Destroy();

  VkPipelineCache handle() const { return cache_; }
  void NotePipeline() { made_.fetch_add(1, std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kMaxFileBytes = uint64_t{256} << 20;

  bool Read(gpu::Array<uint8_t>* data) const;
  bool IsForDevice(const uint8_t* data, uint64_t bytes) const;
  void Write() const;
  bool WriteFile(const char* path, const uint8_t* data, uint64_t bytes) const;

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  uint32_t vendor_ = 0, model_ = 0;
  uint8_t uuid_[VK_UUID_SIZE] = {};
  char path_[4096] = {};  // "" if there is no file
  uint64_t loaded_hash_ = 0;
  std::atomic<uint64_t> made_{0};
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_PIPELINE_CACHE_H_
