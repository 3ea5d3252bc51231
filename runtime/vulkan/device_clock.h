// Converts the device's timestamps to the CPU's clock.
#ifndef HALYARD_RUNTIME_VULKAN_DEVICE_CLOCK_H_
#define HALYARD_RUNTIME_VULKAN_DEVICE_CLOCK_H_

#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"
#include "runtime/vulkan/queue.h"

namespace halyard::runtime::vulkan {

class DeviceClock {
 public:
  // One moment on both clocks.
  struct Origin {
    uint64_t ticks = 0;
    uint64_t nanoseconds = 0;  // CLOCK_MONOTONIC
  };

  // `timestamp_bits` is that of the compute queues; 0 means that there are no timestamps.
  // `calibrated` says that the device was made with VK_EXT_calibrated_timestamps.
  void Init(const Api* api, VkPhysicalDevice physical, VkDevice device, uint32_t timestamp_bits,
            bool calibrated);

  bool has_timestamps() const { return bits_ != 0; }
  // Finds an Origin. Asks the driver if it can tell; otherwise brackets a timestamp between two
  // readings of the CPU's clock, on an idle queue, and is as exact as the shortest of a few
  // brackets.
  Status Look(Queues* queues, uint32_t stream, Origin* origin) const;
  // Converts `ticks` that were taken before `origin`.
  uint64_t ToMonotonic(uint64_t ticks, const Origin& origin) const;

 private:
  Status LookBracketed(Queues* queues, uint32_t stream, Origin* origin) const;

  const Api* api_ = nullptr;
  VkDevice device_ = VK_NULL_HANDLE;
  uint32_t bits_ = 0;
  double period_ = 1;  // nanoseconds per tick
  bool calibrated_ = false;
};

// Command buffers and timestamps of one timed run.
class TimedCommands {
 public:
  TimedCommands(const Api& api, VkDevice device) : api_(api), device_(device) {}
  TimedCommands(const TimedCommands&) = delete;
  TimedCommands& operator=(const TimedCommands&) = delete;
  ~TimedCommands();

  Status Init(uint32_t family, uint32_t num_timestamps);  // 0 for none
  // Resets the buffer and starts to record. The buffer must not be running.
  Status Begin();
  VkCommandBuffer buffer() const { return buffer_; }
  void ResetTimestamps();
  void WriteTimestamp(uint32_t index);  // taken when all work before it is done
  Status End();
  // Reads the timestamps of a run that has been waited for.
  Status ReadTimestamps(gpu::Array<uint64_t>* ticks) const;

 private:
  const Api& api_;
  VkDevice device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  uint32_t num_timestamps_ = 0;
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_DEVICE_CLOCK_H_
