// Copies between CPU memory and blocks. They wait for the device only if they must. The CPU copies
// blocks that it reaches, at once if the stream's work is done with them. Other blocks go through
// staging buffers, in pieces, of which a limited number is in flight.
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

  void Init(const Api* api, VkDevice device, MemoryPool* pool, Queues* queues);
  void Destroy();  // nothing may be running any more

  // `event` is 0 if the copy is already done.
  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                uint32_t stream, uint64_t* event);
  // The bytes reach `host` in Finish, once `event` is reached.
  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t stream,
                  uint64_t* event);
  // Delivers what downloads have brought by now.
  Status Finish();

  // Call this before work that may write the block: what downloads still read from it is read
  // first.
  Status FinishReads(BufferRecord* record);
  // Call this before the record is freed. It does the same, except that reads of a lost device are
  // given up.
  void Forget(BufferRecord* record);
  // Call this after work that uses the block was submitted.
  static void NoteUse(BufferRecord* record, uint64_t event, uint32_t stream) {
    record->last_use.store(event * Queues::kStreams + stream % Queues::kStreams,
                           std::memory_order_relaxed);
  }

 private:
  // One staging buffer and the commands that copy it.
  struct Lane {
    Block staging;
    VkCommandPool commands = VK_NULL_HANDLE;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    uint64_t event = 0;    // of its last copy
    bool busy = false;     // a thread is filling it
    void* host = nullptr;  // where a download goes, until Finish has filled it
    uint64_t bytes = 0;
  };
  // A download that the CPU does when `event` is reached.
  struct Read {
    BufferRecord* record = nullptr;
    const void* from = nullptr;
    void* to = nullptr;
    uint64_t bytes = 0;
    uint64_t event = 0;
  };
  static constexpr uint64_t kLaneBytes = 16 << 20;
  static constexpr uint64_t kMaxStagingBytes = 64 << 20;  // or one lane, if that is larger

  Status FindUse(const BufferRecord& record, uint32_t stream, uint64_t* event);
  Status UploadStaged(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                      uint32_t stream, uint64_t* event);
  Status DownloadStaged(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                        uint32_t stream, uint64_t* event);
  Status TakeLane(uint64_t bytes, Lane** lane);
  // Call these with mutex_ held.
  Status FinishLocked();
  Status FindLane(uint64_t bytes, Lane** lane);
  Status OldestLane(uint64_t* event);
  void FreeIdleLanes(uint64_t bytes);
  Status NewLane(uint64_t bytes, Lane** lane);
  void DeleteLane(Lane* lane);

  void Cancel(const void* host, uint64_t bytes);
  void GiveBack(Lane* lane, void* host, uint64_t bytes, uint64_t event);
  Status Copy(Lane* lane, VkBuffer from, uint64_t from_offset, VkBuffer to, uint64_t to_offset,
              uint64_t bytes, uint32_t stream, uint64_t* event);

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  MemoryPool* pool_ = nullptr;
  Queues* queues_ = nullptr;

  gpu::Mutex mutex_;  // guards the members below
  gpu::Array<Lane*> lanes_;
  uint64_t staging_bytes_ = 0;
  gpu::Array<Read> reads_;
  std::atomic<uint32_t> unread_{0};  // lanes with a destination, and reads_
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_TRANSFERS_H_
