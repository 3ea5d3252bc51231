#include "runtime/vulkan/transfers.h"

#include <string.h>

namespace halyard::runtime::vulkan {

using gpu::MutexLock;

void Transfers::Init(const Api* api, VkDevice device, uint32_t family, MemoryPool* pool,
                     Queue* queue) {
  api_ = api;
  device_ = device;
  family_ = family;
  pool_ = pool;
  queue_ = queue;
}

void Transfers::Destroy() {
  for (Lane* lane : lanes_) {
    api_->DestroyCommandPool(device_, lane->commands, nullptr);
    pool_->Free(&lane->staging);
    gpu::DeleteObject(lane);
  }
  lanes_.Clear();
}

void Transfers::Finish(uint64_t reached) {
  MutexLock lock(&mutex_);
  FinishLocked(reached);
}

void Transfers::FinishLocked(uint64_t reached) {
  for (Lane* lane : lanes_) {
    if (lane->busy || lane->host == nullptr || lane->value > reached) continue;
    memcpy(lane->host, lane->staging.host, lane->bytes);
    lane->host = nullptr;
  }
}

Status Transfers::NewLane(uint64_t bytes, Lane** result) {
  Lane* lane = gpu::NewObject<Lane>();
  if (lane == nullptr) return gpu::OutOfHostMemory("a staging buffer");
  // Powers of two, so that later copies of like size fit.
  uint64_t size = 64 << 10;
  while (size < bytes) size *= 2;
  Status status = pool_->Allocate(size, Space::kHost, &lane->staging);
  VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.queueFamilyIndex = family_;
  if (status.ok()) {
    status = ToStatus(api_->CreateCommandPool(device_, &info, nullptr, &lane->commands),
                      "vkCreateCommandPool");
  }
  if (status.ok()) {
    VkCommandBufferAllocateInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    buffer.commandPool = lane->commands;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    status = ToStatus(api_->AllocateCommandBuffers(device_, &buffer, &lane->buffer),
                      "vkAllocateCommandBuffers");
  }
  if (status.ok() && !lanes_.Append(lane)) status = gpu::OutOfHostMemory("a staging buffer");
  if (status.ok()) {
    *result = lane;
    return status;
  }
  if (lane->commands != VK_NULL_HANDLE) api_->DestroyCommandPool(device_, lane->commands, nullptr);
  if (lane->staging.backend != nullptr) pool_->Free(&lane->staging);
  gpu::DeleteObject(lane);
  return status;
}

Status Transfers::TakeLane(uint64_t bytes, Lane** result) {
  uint64_t reached = 0;
  HY_RETURN_IF_ERROR(queue_->Reached(&reached));
  MutexLock lock(&mutex_);
  FinishLocked(reached);
  Lane* lane = nullptr;
  for (Lane* candidate : lanes_) {
    if (!candidate->busy && candidate->host == nullptr && candidate->value <= reached &&
        candidate->staging.bytes >= bytes &&
        (lane == nullptr || candidate->staging.bytes < lane->staging.bytes)) {
      lane = candidate;
    }
  }
  if (lane == nullptr) HY_RETURN_IF_ERROR(NewLane(bytes, &lane));
  lane->busy = true;
  *result = lane;
  return Status();
}

void Transfers::GiveBack(Lane* lane, void* host, uint64_t bytes, uint64_t value) {
  MutexLock lock(&mutex_);
  lane->host = host;
  lane->bytes = bytes;
  if (value != 0) lane->value = value;
  lane->busy = false;
}

Status Transfers::Copy(Lane* lane, VkBuffer from, uint64_t from_offset, VkBuffer to,
                       uint64_t to_offset, uint64_t bytes, uint32_t stream, uint64_t* value) {
  HY_RETURN_IF_ERROR(
      ToStatus(api_->ResetCommandPool(device_, lane->commands, 0), "vkResetCommandPool"));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  HY_RETURN_IF_ERROR(
      ToStatus(api_->BeginCommandBuffer(lane->buffer, &begin), "vkBeginCommandBuffer"));
  const VkBufferCopy region = {from_offset, to_offset, bytes};
  api_->CmdCopyBuffer(lane->buffer, from, to, 1, &region);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  api_->CmdPipelineBarrier(lane->buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                           0, 1, &barrier, 0, nullptr, 0, nullptr);
  HY_RETURN_IF_ERROR(ToStatus(api_->EndCommandBuffer(lane->buffer), "vkEndCommandBuffer"));
  return queue_->Submit(&lane->buffer, 1, stream, value);
}

Status Transfers::Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                         uint32_t stream, uint64_t* value) {
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t piece = bytes - done < kLaneBytes ? bytes - done : kLaneBytes;
    Lane* lane = nullptr;
    HY_RETURN_IF_ERROR(TakeLane(piece, &lane));
    memcpy(lane->staging.host, static_cast<const uint8_t*>(host) + done, piece);
    Status status = Copy(lane, RecordOf(lane->staging)->buffer, 0, RecordOf(block)->buffer,
                         offset + done, piece, stream, value);
    GiveBack(lane, nullptr, 0, status.ok() ? *value : 0);
    HY_RETURN_IF_ERROR(static_cast<Status&&>(status));
    done += piece;
  }
  return Status();
}

Status Transfers::Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                           uint32_t stream, uint64_t* value) {
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t piece = bytes - done < kLaneBytes ? bytes - done : kLaneBytes;
    Lane* lane = nullptr;
    HY_RETURN_IF_ERROR(TakeLane(piece, &lane));
    Status status = Copy(lane, RecordOf(block)->buffer, offset + done,
                         RecordOf(lane->staging)->buffer, 0, piece, stream, value);
    GiveBack(lane, status.ok() ? static_cast<uint8_t*>(host) + done : nullptr, piece,
             status.ok() ? *value : 0);
    HY_RETURN_IF_ERROR(static_cast<Status&&>(status));
    done += piece;
  }
  return Status();
}

}  // namespace halyard::runtime::vulkan
