// Device memory in big pieces, cut to size. Vulkan allows few allocations (4096 on many drivers)
// and makes each slowly.
#ifndef HALYARD_RUNTIME_VULKAN_MEMORY_POOL_H_
#define HALYARD_RUNTIME_VULKAN_MEMORY_POOL_H_

#include "runtime/backend.h"
#include "runtime/device_info.h"
#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"

namespace halyard::runtime::vulkan {

struct MemoryChunk;

// What Block::backend points to.
struct BufferRecord {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t serial = 0;        // never used twice, as a VkBuffer's value may be
  uint64_t padded_bytes = 0;  // the VkBuffer's size
  MemoryChunk* chunk = nullptr;
  uint64_t offset = 0;          // in the chunk
  uint64_t reserved_bytes = 0;  // in the chunk
};

inline const BufferRecord* RecordOf(const Block& block) {
  return static_cast<const BufferRecord*>(block.backend);
}

// Thread-safe.
class MemoryPool {
 public:
  MemoryPool() = default;
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // `map_device_memory`: device blocks get a CPU address where the device has such memory and it
  // costs nothing.
  void Init(const Api* api, VkPhysicalDevice physical, VkDevice device, const DeviceInfo* info,
            bool map_device_memory);
  // Frees all memory; blocks made are gone.
  void Clear();

  Status Allocate(uint64_t bytes, Space space, Block* block);
  void Free(Block* block);

 private:
  Status FindType(uint32_t allowed, Space space, uint32_t* type) const;
  bool HasFlags(uint32_t type, VkMemoryPropertyFlags flags) const;
  Status Reserve(uint32_t type, uint64_t bytes, uint64_t alignment, BufferRecord* record);
  bool ReserveFrom(MemoryChunk* chunk, uint64_t bytes, uint64_t alignment, BufferRecord* record);
  Status NewChunk(uint32_t type, uint64_t bytes, MemoryChunk** chunk);
  void Release(const BufferRecord& record);
  void DeleteChunk(MemoryChunk* chunk);

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  const DeviceInfo* info_ = nullptr;
  bool map_device_memory_ = false;
  VkPhysicalDeviceMemoryProperties memory_ = {};

  gpu::Mutex mutex_;  // guards what follows
  uint64_t next_serial_ = 1;
  gpu::Array<MemoryChunk*> chunks_;
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_MEMORY_POOL_H_
