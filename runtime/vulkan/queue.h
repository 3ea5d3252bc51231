// The device's queues, and the timeline semaphores that count what was submitted to them.
#ifndef HALYARD_RUNTIME_VULKAN_QUEUE_H_
#define HALYARD_RUNTIME_VULKAN_QUEUE_H_

#include <atomic>

#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"
#include "runtime/vulkan/vulkan.h"

namespace halyard::runtime::vulkan {

// Streams share the compute queues. Each stream has one queue, so its work needs no semaphore to
// stay in order (command buffers begin with a barrier, which spans submissions to one queue). If a
// device has a queue that only copies, staged copies go there, beside what computes. Semaphores
// then order the stream across both queues.
//
// Thread-safe. An event identifies submitted work: it consists of the number of the submission,
// which rises over all queues, and the queue. 0 is done from the start.
class Queues {
 public:
  enum class Engine { kCompute, kTransfer };
  static constexpr uint32_t kMaxComputeQueues = 4;
  // If there are more streams than this, they share, which orders them more than was asked.
  static constexpr uint32_t kStreams = 64;

  Queues() = default;
  Queues(const Queues&) = delete;
  Queues& operator=(const Queues&) = delete;

  // The device must have been made with `compute_queues` queues of the compute family and one of
  // the transfer family, unless that is UINT32_MAX.
  Status Init(const Api* api, VkDevice device, uint32_t compute_family, uint32_t compute_queues,
              uint32_t transfer_family);
  // Uses the application's one queue.
  Status Init(const Api* api, const ApplicationDevice& application);
  void Destroy();
  // Waits for all that was submitted. Ignores errors: nothing runs on a lost device.
  void WaitUntilIdle();

  // Runs the buffers in order, after what was submitted on `stream` before. Each begins with a
  // barrier against all that came before. kTransfer is the stream's compute queue if there is no
  // transfer queue.
  Status Submit(Engine engine, const VkCommandBuffer* buffers, uint32_t count, uint32_t stream,
                uint64_t* event);
  // Work that is submitted on `stream` from now on starts after `event`.
  void Order(uint64_t event, uint32_t stream);
  Status Wait(uint64_t event);
  Status IsDone(uint64_t event, bool* done);
  // Returns whether new work on the stream comes after more than what was submitted on it.
  bool HasOrders(uint32_t stream);
  // Returns an event that comes after everything that new work would come after. May submit an
  // empty piece of work.
  Status Tail(uint32_t stream, uint64_t* event);

  // Whether work of the application may come before and after on the same queue.
  bool shared() const { return application_.is_given(); }
  bool has_transfer_queue() const { return transfer_ != UINT32_MAX; }
  uint32_t family(Engine engine) const {
    return engine == Engine::kTransfer && has_transfer_queue() ? transfer_family_ : compute_family_;
  }

 private:
  static constexpr uint32_t kMaxQueues = kMaxComputeQueues + 1;
  static constexpr uint64_t kQueueBits = 4;  // the lowest bits of an event
  struct Lane {
    VkQueue queue = VK_NULL_HANDLE;
    VkSemaphore timeline = VK_NULL_HANDLE;
    uint64_t submitted = 0;            // the newest value; guarded by mutex_
    std::atomic<uint64_t> reached{0};  // a lower bound of the semaphore's value
    uint64_t waited[kMaxQueues] = {};  // by lane: the value that was waited for so far
  };
  struct Waits {
    uint32_t count = 0;
    uint32_t lanes[kMaxQueues];
    uint64_t values[kMaxQueues];
    VkSemaphore semaphores[kMaxQueues];
    VkPipelineStageFlags stages[kMaxQueues];
  };

  // What new work on a stream must wait for.
  struct Stream {
    uint64_t newest = 0;                // event
    uint64_t ordered[kMaxQueues] = {};  // values by lane; 0 if the lane has none
  };

  // Finds what a submission to lane `index` waits for: the stream's work on other queues, and what
  // the CPU has seen done elsewhere, which only a semaphore makes visible to this queue.
  void FindWaits(uint32_t index, const Stream& stream, Waits* waits) const;
  Status CreateTimelines(uint32_t count);
  static uint32_t LaneOf(uint64_t event) { return event & ((1 << kQueueBits) - 1); }
  static uint64_t ValueOf(uint64_t event) { return event >> kQueueBits; }
  static void NoteReached(Lane* lane, uint64_t value);

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  ApplicationDevice application_;
  uint32_t compute_family_ = 0, transfer_family_ = 0;
  uint32_t num_compute_ = 0;
  uint32_t transfer_ = UINT32_MAX;  // index into lanes_
  Lane lanes_[kMaxQueues];

  gpu::Mutex mutex_;  // guards the members below and the queues, each of which one thread uses at a
                      // time
  uint64_t submitted_ = 0;
  Stream streams_[kStreams];
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_QUEUE_H_
