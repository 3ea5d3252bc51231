// Records a segment as Vulkan command buffers and descriptor sets.
#ifndef HALYARD_RUNTIME_VULKAN_RECORDING_H_
#define HALYARD_RUNTIME_VULKAN_RECORDING_H_

#include "runtime/backend.h"
#include "runtime/gpu/segment_plan.h"
#include "runtime/vulkan/api.h"
#include "runtime/vulkan/device_clock.h"
#include "runtime/vulkan/queue.h"
#include "runtime/vulkan/transfers.h"

namespace halyard::runtime::vulkan {

// The pipeline stages that run commands, and the barrier that makes later commands wait for earlier
// ones. SegmentPlan::Group (runtime/gpu/segment_plan.cc) decides where a recording has barriers; it
// also decides on the edges of CUDA's graphs.
inline constexpr VkPipelineStageFlags kCommandStages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
VkMemoryBarrier CommandBarrier();

// The segment recorded for one set of bindings.
struct RecordedVariant {
  struct Bound {
    uint64_t serial = 0;  // BufferRecord::serial
    uint64_t offset = 0;
  };
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  gpu::Array<VkDescriptorSet> sets;  // one for each launch, in the order of the commands
  VkCommandPool commands = VK_NULL_HANDLE;
  VkCommandBuffer buffers[2] = {};         // a piece of the rounds, and the remaining rounds
  gpu::Array<Bound> bound;                 // for each of SegmentPlan::used_allocations
  gpu::Array<VkCommandBuffer> submission;  // what to submit: the piece as often as needed, and the
                                           // rest
  bool ready = false;
  uint64_t last_event = 0;   // of its last submission
  uint64_t last_wanted = 0;  // VulkanRecording::wanted_ at its last use
};

class VulkanRecording {
 public:
  VulkanRecording(const Api* api, VkDevice device, Queues* queues, Transfers* transfers,
                  const DeviceClock* clock, uint32_t alignment, uint64_t max_range)
      : api_(api),
        device_(device),
        queues_(queues),
        transfers_(transfers),
        clock_(clock),
        alignment_(alignment),
        max_range_(max_range) {}
  VulkanRecording(const VulkanRecording&) = delete;
  VulkanRecording& operator=(const VulkanRecording&) = delete;
  ~VulkanRecording();  // waits for its work

  Status Init(const Segment& segment, const Binding* bindings, uint32_t num_bindings);
  // Makes one submission.
  Status Submit(const Binding* bindings, uint32_t num_bindings, uint32_t stream, uint64_t* event);
  // Device::SubmitTimed.
  Status SubmitTimed(const Binding* bindings, uint32_t num_bindings, uint32_t stream,
                     StepSpan* spans);

 private:
  // Number of recordings that are kept for runs that alternate between buffers, and the most that
  // may exist while all of the kept ones are in flight.
  static constexpr uint32_t kKeptVariants = 4, kMaxVariants = 16;

  // Finds or makes the variant for `bindings`.
  Status Prepare(const Binding* bindings, uint32_t num_bindings, RecordedVariant** variant);
  bool Matches(const RecordedVariant& variant, const Binding* bindings,
               uint32_t num_bindings) const;
  Status ChooseVariant(RecordedVariant** variant);
  Status CreateVariant(RecordedVariant* variant);
  Status CreateDescriptorSets(RecordedVariant* variant);
  Status WriteDescriptorSets(const Binding* bindings, RecordedVariant* variant);
  Status RecordRounds(const Binding* bindings, uint32_t rounds, const RecordedVariant& variant,
                      VkCommandBuffer buffer);
  void RecordCommand(const gpu::Command& command, VkDescriptorSet set, const Binding* bindings,
                     VkCommandBuffer buffer, const void** bound_pipeline);
  Status FillSubmission(RecordedVariant* variant);
  // Call Prepare first.
  Status FinishReads(const Binding* bindings);
  void NoteUse(const Binding* bindings, uint64_t event, uint32_t stream);

  // Records steps [first, last) one after the other, each followed by a timestamp if there are any.
  Status RecordTimed(const Binding* bindings, const RecordedVariant& variant, uint32_t first,
                     uint32_t last, TimedCommands* commands);
  Status TimeOnDevice(const Binding* bindings, const RecordedVariant& variant, uint32_t stream,
                      StepSpan* spans);
  Status TimeOnHost(const Binding* bindings, const RecordedVariant& variant, uint32_t stream,
                    StepSpan* spans);

  const Api* api_;
  VkDevice device_;
  Queues* queues_;
  Transfers* transfers_;
  const DeviceClock* clock_;
  uint32_t alignment_;
  uint64_t max_range_;
  gpu::SegmentPlan plan_;
  RecordedVariant variants_[kMaxVariants];
  uint32_t num_variants_ = 0;
  uint64_t wanted_ = 0;  // number of calls of Prepare
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_RECORDING_H_
