#include "runtime/vulkan/queue.h"

namespace halyard::runtime::vulkan {

using gpu::MutexLock;

Status Queues::Init(const Api* api, VkDevice device, uint32_t compute_family,
                    uint32_t compute_queues, uint32_t transfer_family) {
  api_ = api;
  device_ = device;
  compute_family_ = compute_family;
  transfer_family_ = transfer_family;
  num_compute_ = compute_queues;
  for (uint32_t i = 0; i < compute_queues; ++i) {
    api->GetDeviceQueue(device, compute_family, i, &lanes_[i].queue);
  }
  uint32_t count = compute_queues;
  if (transfer_family != UINT32_MAX) {
    transfer_ = count++;
    api->GetDeviceQueue(device, transfer_family, 0, &lanes_[transfer_].queue);
  }
  return CreateTimelines(count);
}

Status Queues::Init(const Api* api, const ApplicationDevice& application) {
  api_ = api;
  application_ = application;
  device_ = static_cast<VkDevice>(application.device);
  compute_family_ = application.queue_family;
  num_compute_ = 1;
  lanes_[0].queue = static_cast<VkQueue>(application.queue);
  return CreateTimelines(1);
}

void Queues::WaitUntilIdle() {
  for (uint32_t i = 0; i < kMaxQueues; ++i) {
    if (lanes_[i].timeline == VK_NULL_HANDLE) continue;
    uint64_t newest = 0;
    {
      MutexLock lock(&mutex_);
      newest = lanes_[i].submitted;
    }
    if (newest != 0) (void)Wait(newest << kQueueBits | i).ok();
  }
}

Status Queues::CreateTimelines(uint32_t count) {
  const Api* api = api_;
  const VkDevice device = device_;
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  info.pNext = &type;
  for (uint32_t i = 0; i < count; ++i) {
    HY_RETURN_IF_ERROR(ToStatus(api->CreateSemaphore(device, &info, nullptr, &lanes_[i].timeline),
                                "vkCreateSemaphore"));
  }
  return Status();
}

void Queues::Destroy() {
  for (Lane& lane : lanes_) {
    if (lane.timeline != VK_NULL_HANDLE) {
      api_->DestroySemaphore(device_, lane.timeline, nullptr);
    }
    lane.timeline = VK_NULL_HANDLE;
  }
}

void Queues::FindWaits(uint32_t index, const Stream& stream, Waits* waits) const {
  for (uint32_t i = 0; i < kMaxQueues; ++i) {
    if (i == index || lanes_[i].timeline == VK_NULL_HANDLE) continue;
    uint64_t value = lanes_[i].reached.load();
    if (value < stream.ordered[i]) value = stream.ordered[i];
    if (stream.newest != 0 && LaneOf(stream.newest) == i && value < ValueOf(stream.newest)) {
      value = ValueOf(stream.newest);
    }
    if (value <= lanes_[index].waited[i]) continue;
    waits->lanes[waits->count] = i;
    waits->values[waits->count] = value;
    waits->semaphores[waits->count] = lanes_[i].timeline;
    waits->stages[waits->count++] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  }
}

void Queues::Order(uint64_t event, uint32_t stream) {
  if (event == 0) return;
  MutexLock lock(&mutex_);
  uint64_t& value = streams_[stream % kStreams].ordered[LaneOf(event)];
  if (value < ValueOf(event)) value = ValueOf(event);
}

bool Queues::HasOrders(uint32_t stream) {
  MutexLock lock(&mutex_);
  for (uint64_t value : streams_[stream % kStreams].ordered) {
    if (value != 0) return true;
  }
  return false;
}

Status Queues::Tail(uint32_t stream, uint64_t* event) {
  bool covered = true;
  {
    MutexLock lock(&mutex_);
    const Stream& state = streams_[stream % kStreams];
    *event = state.newest;
    for (uint32_t i = 0; i < kMaxQueues; ++i) {
      const bool same = state.newest != 0 && LaneOf(state.newest) == i;
      covered &= state.ordered[i] <= (same ? ValueOf(state.newest) : 0) ||
                 state.ordered[i] <= lanes_[i].reached.load();
    }
  }
  return covered ? Status() : Submit(Engine::kCompute, nullptr, 0, stream, event);
}

Status Queues::Submit(Engine engine, const VkCommandBuffer* buffers, uint32_t count,
                      uint32_t stream, uint64_t* event) {
  stream %= kStreams;
  const uint32_t index =
      engine == Engine::kTransfer && has_transfer_queue() ? transfer_ : stream % num_compute_;
  Lane& lane = lanes_[index];
  MutexLock lock(&mutex_);
  const uint64_t signal = submitted_ + 1;
  VkTimelineSemaphoreSubmitInfo timeline = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &signal;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &timeline;
  info.commandBufferCount = count;
  info.pCommandBuffers = buffers;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &lane.timeline;
  Waits waits;
  FindWaits(index, streams_[stream], &waits);
  timeline.waitSemaphoreValueCount = waits.count;
  timeline.pWaitSemaphoreValues = waits.values;
  info.waitSemaphoreCount = waits.count;
  info.pWaitSemaphores = waits.semaphores;
  info.pWaitDstStageMask = waits.stages;
  if (application_.lock_queue != nullptr) application_.lock_queue(application_.user);
  const VkResult result = api_->QueueSubmit(lane.queue, 1, &info, VK_NULL_HANDLE);
  if (application_.unlock_queue != nullptr) application_.unlock_queue(application_.user);
  HY_RETURN_IF_ERROR(ToStatus(result, "vkQueueSubmit"));
  for (uint32_t i = 0; i < waits.count; ++i) lane.waited[waits.lanes[i]] = waits.values[i];
  submitted_ = lane.submitted = signal;
  *event = signal << kQueueBits | index;
  streams_[stream] = Stream();  // all work that it named comes before this submission
  streams_[stream].newest = *event;
  return Status();
}

void Queues::NoteReached(Lane* lane, uint64_t value) {
  uint64_t seen = lane->reached.load();
  while (seen < value && !lane->reached.compare_exchange_weak(seen, value)) {
  }
}

Status Queues::Wait(uint64_t event) {
  if (event == 0) return Status();
  Lane& lane = lanes_[LaneOf(event)];
  const uint64_t value = ValueOf(event);
  if (lane.reached.load() >= value) return Status();
  VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &lane.timeline;
  info.pValues = &value;
  HY_RETURN_IF_ERROR(
      ToStatus(api_->WaitSemaphores(device_, &info, UINT64_MAX), "vkWaitSemaphores"));
  NoteReached(&lane, value);
  return Status();
}

Status Queues::IsDone(uint64_t event, bool* done) {
  *done = true;
  if (event == 0) return Status();
  Lane& lane = lanes_[LaneOf(event)];
  if (lane.reached.load() >= ValueOf(event)) return Status();
  uint64_t reached = 0;
  HY_RETURN_IF_ERROR(ToStatus(api_->GetSemaphoreCounterValue(device_, lane.timeline, &reached),
                              "vkGetSemaphoreCounterValue"));
  NoteReached(&lane, reached);
  *done = reached >= ValueOf(event);
  return Status();
}

}  // namespace halyard::runtime::vulkan
