#include "runtime/vulkan/queue.h"

namespace halyard::runtime::vulkan {

using gpu::MutexLock;

Status Queue::Init(const Api* api, VkDevice device, uint32_t family) {
  api_ = api;
  device_ = device;
  api->GetDeviceQueue(device, family, 0, &queue_);
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  info.pNext = &type;
  return ToStatus(api->CreateSemaphore(device, &info, nullptr, &timeline_), "vkCreateSemaphore");
}

void Queue::Destroy() {
  if (timeline_ != VK_NULL_HANDLE) api_->DestroySemaphore(device_, timeline_, nullptr);
  timeline_ = VK_NULL_HANDLE;
}

Status Queue::Submit(const VkCommandBuffer* buffers, uint32_t count, uint32_t stream,
                     uint64_t* value) {
  MutexLock lock(&mutex_);
  uint64_t& newest = newest_[stream % kStreams];
  const uint64_t signal = submitted_ + 1;
  VkTimelineSemaphoreSubmitInfo timeline = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &signal;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &timeline;
  info.commandBufferCount = count;
  info.pCommandBuffers = buffers;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &timeline_;
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  if (newest != 0) {
    timeline.waitSemaphoreValueCount = 1;
    timeline.pWaitSemaphoreValues = &newest;
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &timeline_;
    info.pWaitDstStageMask = &stages;
  }
  HY_RETURN_IF_ERROR(
      ToStatus(api_->QueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit"));
  submitted_ = signal;
  newest = signal;
  *value = signal;
  return Status();
}

Status Queue::Wait(uint64_t value) {
  if (value == 0) return Status();
  VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline_;
  info.pValues = &value;
  return ToStatus(api_->WaitSemaphores(device_, &info, UINT64_MAX), "vkWaitSemaphores");
}

Status Queue::Reached(uint64_t* value) {
  return ToStatus(api_->GetSemaphoreCounterValue(device_, timeline_, value),
                  "vkGetSemaphoreCounterValue");
}

uint64_t Queue::Newest(uint32_t stream) {
  MutexLock lock(&mutex_);
  return newest_[stream % kStreams];
}

}  // namespace halyard::runtime::vulkan
