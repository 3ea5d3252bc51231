// Copies between CPU memory and buffers that the CPU cannot reach, through staging buffers that are
// kept.
#ifndef HALYARD_RUNTIME_VULKAN_TRANSFERS_H_
#define HALYARD_RUNTIME_VULKAN_TRANSFERS_H_

#include "runtime/backend.h"
#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"
#include "runtime/vulkan/memory_pool.h"
#include "runtime/vulkan/queue.h"

namespace halyard::runtime::vulkan {

// Thread-safe.
class Transfers {
 public:
  Transfers() = default;
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  void Init(const Api* api, VkDevice device, uint32_t family, MemoryPool* pool, Queue* queue);
  void Destroy();  // nothing runs any more

  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                uint32_t stream, uint64_t* value);
  // The bytes reach `host` in Finish, for all work up to a value.
  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t stream,
                  uint64_t* value);
  void Finish(uint64_t reached);

 private:
  // One staging buffer and the commands that copy it.
  struct Lane {
    Block staging;
    VkCommandPool commands = VK_NULL_HANDLE;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    uint64_t value = 0;    // of its last copy
    bool busy = false;     // a thread fills it
    void* host = nullptr;  // a download's goal, until Finish has filled it
    uint64_t bytes = 0;
  };
  static constexpr uint64_t kLaneBytes = 16 << 20;

  Status TakeLane(uint64_t bytes, Lane** lane);
  Status NewLane(uint64_t bytes, Lane** lane);
  void GiveBack(Lane* lane, void* host, uint64_t bytes, uint64_t value);
  Status Copy(Lane* lane, VkBuffer from, uint64_t from_offset, VkBuffer to, uint64_t to_offset,
              uint64_t bytes, uint32_t stream, uint64_t* value);
  void FinishLocked(uint64_t reached);

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  uint32_t family_ = 0;
  MemoryPool* pool_ = nullptr;
  Queue* queue_ = nullptr;

  gpu::Mutex mutex_;  // guards the lanes
  gpu::Array<Lane*> lanes_;
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_TRANSFERS_H_
