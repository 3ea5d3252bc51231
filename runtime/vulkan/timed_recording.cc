// Implements VulkanRecording::SubmitTimed.
#include "runtime/vulkan/device_clock.h"
#include "runtime/vulkan/recording.h"

namespace halyard::runtime::vulkan {
namespace {

constexpr uint32_t kBuffersPerSubmission = 1024;

}  // namespace

Status VulkanRecording::SubmitTimed(const Binding* bindings, uint32_t num_bindings, uint32_t stream,
                                    StepSpan* spans) {
  RecordedVariant* variant = nullptr;
  HY_RETURN_IF_ERROR(Prepare(bindings, num_bindings, &variant));
  HY_RETURN_IF_ERROR(FinishReads(bindings));
  uint64_t before = 0;
  HY_RETURN_IF_ERROR(queues_->Tail(stream, &before));
  HY_RETURN_IF_ERROR(queues_->Wait(before));
  return clock_->has_timestamps() ? TimeOnDevice(bindings, *variant, stream, spans)
                                  : TimeOnHost(bindings, *variant, stream, spans);
}

Status VulkanRecording::RecordTimed(const Binding* bindings, const RecordedVariant& variant,
                                    uint32_t first, uint32_t last, TimedCommands* commands) {
  HY_RETURN_IF_ERROR(commands->Begin());
  const VkCommandBuffer buffer = commands->buffer();
  VkMemoryBarrier barrier = CommandBarrier();
  const auto wait = [&] {
    api_->CmdPipelineBarrier(buffer, kCommandStages, kCommandStages, 0, 1, &barrier, 0, nullptr, 0,
                             nullptr);
  };
  wait();
  if (clock_->has_timestamps()) {
    commands->ResetTimestamps();
    commands->WriteTimestamp(0);
  }
  const void* bound_pipeline = nullptr;
  size_t set = 0, command = 0;
  for (uint32_t step = 0; step < last; ++step) {
    for (; command < plan_.commands().size() && plan_.commands()[command].step == step; ++command) {
      const bool launch = plan_.commands()[command].kernel != nullptr;
      const VkDescriptorSet descriptors = launch ? variant.sets[set++] : VK_NULL_HANDLE;
      if (step < first) continue;
      RecordCommand(plan_.commands()[command], descriptors, bindings, buffer, &bound_pipeline);
      wait();
    }
    if (step >= first && clock_->has_timestamps()) commands->WriteTimestamp(step - first + 1);
  }
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  api_->CmdPipelineBarrier(buffer, kCommandStages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                           nullptr, 0, nullptr);
  return commands->End();
}

// The whole line runs as often as it repeats. Each round's timestamps replace those of the round
// before.
Status VulkanRecording::TimeOnDevice(const Binding* bindings, const RecordedVariant& variant,
                                     uint32_t stream, StepSpan* spans) {
  const uint32_t steps = plan_.num_steps();
  TimedCommands commands(*api_, device_);
  HY_RETURN_IF_ERROR(commands.Init(queues_->family(Queues::Engine::kCompute), steps + 1));
  HY_RETURN_IF_ERROR(RecordTimed(bindings, variant, 0, steps, &commands));
  gpu::Array<VkCommandBuffer> buffers;
  const uint32_t repeat = plan_.repeat();
  if (!buffers.Resize(repeat < kBuffersPerSubmission ? repeat : kBuffersPerSubmission)) {
    return gpu::OutOfHostMemory("a timed run");
  }
  for (VkCommandBuffer& buffer : buffers) buffer = commands.buffer();
  for (uint32_t done = 0; done < repeat;) {
    const uint32_t left = repeat - done;
    const uint32_t count = left < kBuffersPerSubmission ? left : kBuffersPerSubmission;
    uint64_t event = 0;
    Status status =
        queues_->Submit(Queues::Engine::kCompute, buffers.data(), count, stream, &event);
    if (event != 0) NoteUse(bindings, event, stream);
    if (status.ok()) status = queues_->Wait(event);
    HY_RETURN_IF_ERROR(static_cast<Status&&>(status));
    done += count;
  }
  if (repeat == 0) return Status();
  gpu::Array<uint64_t> ticks;
  HY_RETURN_IF_ERROR(commands.ReadTimestamps(&ticks));
  DeviceClock::Origin origin;
  HY_RETURN_IF_ERROR(clock_->Look(queues_, stream, &origin));
  for (uint32_t i = 0; i < steps; ++i) {
    spans[i].begin_ns = clock_->ToMonotonic(ticks[i], origin);
    spans[i].end_ns = clock_->ToMonotonic(ticks[i + 1], origin);
  }
  return Status();
}

// On a device without timestamps, each step is submitted and waited for alone.
Status VulkanRecording::TimeOnHost(const Binding* bindings, const RecordedVariant& variant,
                                   uint32_t stream, StepSpan* spans) {
  TimedCommands commands(*api_, device_);
  HY_RETURN_IF_ERROR(commands.Init(queues_->family(Queues::Engine::kCompute), 0));
  for (uint32_t round = 0; round < plan_.repeat(); ++round) {
    for (uint32_t step = 0; step < plan_.num_steps(); ++step) {
      HY_RETURN_IF_ERROR(RecordTimed(bindings, variant, step, step + 1, &commands));
      const VkCommandBuffer buffer = commands.buffer();
      uint64_t event = 0;
      spans[step].begin_ns = MonotonicNanoseconds();
      HY_RETURN_IF_ERROR(queues_->Submit(Queues::Engine::kCompute, &buffer, 1, stream, &event));
      NoteUse(bindings, event, stream);
      HY_RETURN_IF_ERROR(queues_->Wait(event));
      spans[step].end_ns = MonotonicNanoseconds();
    }
  }
  return Status();
}

}  // namespace halyard::runtime::vulkan
