// Takes device memory in big pieces and cuts it to size. Vulkan allows few allocations (4096 on
// many drivers), and each takes long.
#ifndef HALYARD_RUNTIME_VULKAN_MEMORY_POOL_H_
#define HALYARD_RUNTIME_VULKAN_MEMORY_POOL_H_

#include <atomic>

#include "runtime/backend.h"
#include "runtime/device_info.h"
#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"

namespace halyard::runtime::vulkan {

struct MemoryChunk;

// What Block::backend points to.
struct BufferRecord {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t serial = 0;           // never reused, unlike the value of a VkBuffer
  uint64_t padded_bytes = 0;     // the VkBuffer's size
  bool own = false;              // whether it belongs to the backend, and not to a Device::Allocate
  uint64_t begin = 0;            // where the block begins in the VkBuffer
  MemoryChunk* chunk = nullptr;  // null if the VkBuffer is the application's
  uint64_t offset = 0;           // in the chunk
  uint64_t reserved_bytes = 0;   // in the chunk
  std::atomic<uint64_t> last_use{0};  // see Transfers::NoteUse
  std::atomic<uint32_t> unread{0};    // downloads that wait for Transfers::Finish
};

inline BufferRecord* RecordOf(const Block& block) {
  return static_cast<BufferRecord*>(block.backend);
}

// Thread-safe.
class MemoryPool {
 public:
  struct Options {
    // Gives device blocks a CPU address, because the device's memory is the CPU's anyway.
    bool map_device_memory = false;
    // Queues of both families use the buffers. The two are equal if there is only one family.
    uint32_t families[2] = {0, 0};
    uint32_t max_chunks = UINT32_MAX;  // the device's maxMemoryAllocationCount
  };

  MemoryPool() = default;
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  void Init(const Api* api, VkPhysicalDevice physical, VkDevice device, const DeviceInfo* info,
            const Options& options);
  // Frees all memory, including that of blocks that still exist.
  void Clear();

  // `own` is true if the block is for the backend itself.
  Status Allocate(uint64_t bytes, Space space, bool own, Block* block);
  // Makes a block of a part of the application's VkBuffer. Returns kInvalidArgument if it is not
  // aligned, or if the VkBuffer ends before it does.
  Status Wrap(VkBuffer buffer, uint64_t offset, uint64_t bytes, Block* block);
  void Free(Block* block);
  MemoryUse use(Space space) const;

 private:
  Status FindType(uint32_t allowed, Space space, uint32_t* type) const;
  bool HasFlags(uint32_t type, VkMemoryPropertyFlags flags) const;
  Status CreateBuffer(uint64_t padded, VkBuffer* buffer) const;
  // Call these with mutex_ held.
  Status Place(uint64_t bytes, Space space, BufferRecord* record, uint64_t* offset);
  Status Reserve(uint32_t type, Space space, uint64_t bytes, uint64_t alignment,
                 BufferRecord* record);
  bool ReserveFrom(MemoryChunk* chunk, uint64_t bytes, uint64_t alignment, BufferRecord* record);
  Status NewChunk(uint32_t type, Space space, uint64_t bytes, MemoryChunk** chunk);
  bool FreeEmptyChunks();
  void Release(const BufferRecord& record);
  void DeleteChunk(MemoryChunk* chunk);

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  const DeviceInfo* info_ = nullptr;
  Options options_;
  VkPhysicalDeviceMemoryProperties memory_ = {};
  MemoryCounter given_[2];                     // by space: blocks of Device::Allocate
  std::atomic<uint64_t> chunk_bytes_[2] = {};  // by space: bytes taken from the driver

  gpu::Mutex mutex_;  // guards the members below
  uint64_t next_serial_ = 1;
  gpu::Array<MemoryChunk*> chunks_;
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_MEMORY_POOL_H_
