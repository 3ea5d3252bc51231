// The device's queue and the timeline semaphore that counts what was submitted to it.
#ifndef HALYARD_RUNTIME_VULKAN_QUEUE_H_
#define HALYARD_RUNTIME_VULKAN_QUEUE_H_

#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"

namespace halyard::runtime::vulkan {

// Thread-safe. Work is known by the value that the semaphore reaches when it is done; 0 is reached
// from the start.
class Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  Status Init(const Api* api, VkDevice device, uint32_t family);
  void Destroy();

  // Runs the buffers in order, after what was submitted on `stream` before.
  Status Submit(const VkCommandBuffer* buffers, uint32_t count, uint32_t stream, uint64_t* value);
  Status Wait(uint64_t value);
  // What the semaphore has reached.
  Status Reached(uint64_t* value);
  // The newest work on a stream.
  uint64_t Newest(uint32_t stream);

 private:
  // More streams than this share: they are ordered more than asked.
  static constexpr uint32_t kStreams = 64;

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  VkSemaphore timeline_ = VK_NULL_HANDLE;

  gpu::Mutex mutex_;  // guards what follows: a VkQueue is used by one thread at a time
  VkQueue queue_ = VK_NULL_HANDLE;
  uint64_t submitted_ = 0;
  uint64_t newest_[kStreams] = {};
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_QUEUE_H_
