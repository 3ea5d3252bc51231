// A segment as Vulkan command buffers and descriptor sets.
#ifndef HALYARD_RUNTIME_VULKAN_RECORDING_H_
#define HALYARD_RUNTIME_VULKAN_RECORDING_H_

#include "runtime/backend.h"
#include "runtime/gpu/segment_plan.h"
#include "runtime/vulkan/api.h"
#include "runtime/vulkan/queue.h"

namespace halyard::runtime::vulkan {

// The segment recorded for one set of bindings.
struct RecordedVariant {
  struct Bound {
    uint64_t serial = 0;  // BufferRecord::serial
    uint64_t offset = 0;
  };
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  gpu::Array<VkDescriptorSet> sets;  // one for each command; null for copies
  VkCommandPool commands = VK_NULL_HANDLE;
  VkCommandBuffer buffers[2] = {};         // a piece of the rounds, and the rounds left over
  gpu::Array<Bound> bound;                 // for each of SegmentPlan::used_allocations
  gpu::Array<VkCommandBuffer> submission;  // what to submit: the piece, so often, and the rest
  bool ready = false;
  uint64_t last_value = 0;  // when it was submitted last
};

class VulkanRecording {
 public:
  VulkanRecording(const Api* api, VkDevice device, uint32_t family, Queue* queue,
                  uint32_t alignment, uint64_t max_range)
      : api_(api),
        device_(device),
        family_(family),
        queue_(queue),
        alignment_(alignment),
        max_range_(max_range) {}
  VulkanRecording(const VulkanRecording&) = delete;
  VulkanRecording& operator=(const VulkanRecording&) = delete;
  ~VulkanRecording();  // waits for its work

  Status Init(const Segment& segment);
  // Finds or makes the variant for `bindings`. A few are kept: runs that take turns between buffers
  // record each once.
  Status Prepare(const Binding* bindings, uint32_t num_bindings, RecordedVariant** variant);

 private:
  static constexpr int kVariants = 4;

  bool Matches(const RecordedVariant& variant, const Binding* bindings,
               uint32_t num_bindings) const;
  Status CreateVariant(RecordedVariant* variant);
  Status CreateDescriptorSets(RecordedVariant* variant);
  Status WriteDescriptorSets(const Binding* bindings, RecordedVariant* variant);
  Status RecordRounds(const Binding* bindings, uint32_t rounds, const RecordedVariant& variant,
                      VkCommandBuffer buffer);
  void RecordCommand(const gpu::Command& command, VkDescriptorSet set, const Binding* bindings,
                     VkCommandBuffer buffer, const void** bound_pipeline);
  Status FillSubmission(RecordedVariant* variant);

  const Api* api_;
  VkDevice device_;
  uint32_t family_;
  Queue* queue_;
  uint32_t alignment_;
  uint64_t max_range_;
  gpu::SegmentPlan plan_;
  RecordedVariant variants_[kVariants];
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_RECORDING_H_
