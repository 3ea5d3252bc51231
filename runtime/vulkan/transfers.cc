#include "runtime/vulkan/transfers.h"

#include <string.h>

namespace halyard::runtime::vulkan {

using gpu::MutexLock;

void Transfers::Init(const Api* api, VkDevice device, MemoryPool* pool, Queues* queues) {
  api_ = api;
  device_ = device;
  pool_ = pool;
  queues_ = queues;
}

void Transfers::Destroy() {
  while (!lanes_.empty()) DeleteLane(lanes_[lanes_.size() - 1]);
  reads_.Clear();
}

Status Transfers::Finish() {
  if (unread_.load() == 0) return Status();
  MutexLock lock(&mutex_);
  return FinishLocked();
}

Status Transfers::FinishLocked() {
  bool done = false;
  for (Lane* lane : lanes_) {
    if (lane->busy || lane->host == nullptr) continue;
    HY_RETURN_IF_ERROR(queues_->IsDone(lane->event, &done));
    if (!done) continue;
    memcpy(lane->host, lane->staging.host, lane->bytes);
    lane->host = nullptr;
    --unread_;
  }
  for (size_t i = 0; i < reads_.size();) {
    HY_RETURN_IF_ERROR(queues_->IsDone(reads_[i].event, &done));
    if (!done) {
      ++i;
      continue;
    }
    memcpy(reads_[i].to, reads_[i].from, reads_[i].bytes);
    --reads_[i].record->unread;
    reads_.Remove(i);
    --unread_;
  }
  return Status();
}

Status Transfers::FinishReads(BufferRecord* record) {
  if (record->unread.load(std::memory_order_relaxed) == 0) return Status();
  uint64_t newest = 0;
  {
    MutexLock lock(&mutex_);
    for (const Read& read : reads_) {
      if (read.record == record && read.event > newest) newest = read.event;
    }
  }
  HY_RETURN_IF_ERROR(queues_->Wait(newest));
  return Finish();
}

void Transfers::Forget(BufferRecord* record) {
  if (record->unread.load(std::memory_order_relaxed) == 0) return;
  if (FinishReads(record).ok()) return;
  MutexLock lock(&mutex_);
  for (size_t i = reads_.size(); i-- > 0;) {
    if (reads_[i].record != record) continue;
    reads_.Remove(i);
    --unread_;
  }
}

// Returns what a copy of the block on the stream must wait for, or 0 if nothing is pending.
Status Transfers::FindUse(const BufferRecord& record, uint32_t stream, uint64_t* event) {
  const uint64_t last = record.last_use.load(std::memory_order_relaxed);
  *event = 0;
  if (last == 0) return Status();
  if (last % Queues::kStreams == stream % Queues::kStreams && !queues_->HasOrders(stream)) {
    *event = last / Queues::kStreams;
  } else {
    HY_RETURN_IF_ERROR(queues_->Tail(stream, event));
  }
  bool done = false;
  HY_RETURN_IF_ERROR(queues_->IsDone(*event, &done));
  if (done) *event = 0;
  return Status();
}

Status Transfers::Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                         uint32_t stream, uint64_t* event) {
  BufferRecord* record = RecordOf(block);
  HY_RETURN_IF_ERROR(FinishReads(record));
  if (block.host != nullptr) {
    uint64_t use = 0;
    HY_RETURN_IF_ERROR(FindUse(*record, stream, &use));
    if (use == 0) {
      if (bytes != 0) memcpy(static_cast<uint8_t*>(block.host) + offset, host, bytes);
      return Status();
    }
  }
  return UploadStaged(host, block, offset, bytes, stream, event);
}

Status Transfers::Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                           uint32_t stream, uint64_t* event) {
  if (block.host == nullptr) return DownloadStaged(block, offset, bytes, host, stream, event);
  BufferRecord* record = RecordOf(block);
  const uint8_t* from = static_cast<const uint8_t*>(block.host) + offset;
  uint64_t use = 0;
  HY_RETURN_IF_ERROR(FindUse(*record, stream, &use));
  if (use == 0) {
    if (bytes != 0) memcpy(host, from, bytes);
    return Status();
  }
  Read read;
  read.record = record;
  read.from = from;
  read.to = host;
  read.bytes = bytes;
  read.event = use;
  MutexLock lock(&mutex_);
  if (!reads_.Append(read)) return gpu::OutOfHostMemory("a download");
  ++record->unread;
  ++unread_;
  *event = read.event;
  return Status();
}

Status Transfers::NewLane(uint64_t bytes, Lane** result) {
  Lane* lane = gpu::NewObject<Lane>();
  if (lane == nullptr) return gpu::OutOfHostMemory("a staging buffer");
  // Sizes are powers of two, so that later copies of similar size fit.
  uint64_t size = 64 << 10;
  while (size < bytes) size *= 2;
  Status status = pool_->Allocate(size, Space::kHost, /*own=*/true, &lane->staging);
  VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.queueFamilyIndex = queues_->family(Queues::Engine::kTransfer);
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
  if (!status.ok()) {
    DeleteLane(lane);
    return status;
  }
  staging_bytes_ += lane->staging.bytes;
  *result = lane;
  return status;
}

void Transfers::DeleteLane(Lane* lane) {
  for (size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i] != lane) continue;
    lanes_.Remove(i);
    staging_bytes_ -= lane->staging.bytes;
    break;
  }
  if (lane->commands != VK_NULL_HANDLE) api_->DestroyCommandPool(device_, lane->commands, nullptr);
  if (lane->staging.backend != nullptr) pool_->Free(&lane->staging);
  gpu::DeleteObject(lane);
}

// Finds the smallest idle lane that is large enough, or null.
Status Transfers::FindLane(uint64_t bytes, Lane** result) {
  HY_RETURN_IF_ERROR(FinishLocked());
  *result = nullptr;
  for (Lane* lane : lanes_) {
    if (lane->busy || lane->host != nullptr || lane->staging.bytes < bytes) continue;
    if (*result != nullptr && (*result)->staging.bytes <= lane->staging.bytes) continue;
    bool done = false;
    HY_RETURN_IF_ERROR(queues_->IsDone(lane->event, &done));
    if (done) *result = lane;
  }
  return Status();
}

// Frees idle lanes until there is room for `bytes` more.
void Transfers::FreeIdleLanes(uint64_t bytes) {
  for (size_t i = lanes_.size(); i-- > 0 && staging_bytes_ + bytes > kMaxStagingBytes;) {
    Lane* lane = lanes_[i];
    bool done = false;
    if (lane->busy || lane->host != nullptr || !queues_->IsDone(lane->event, &done).ok()) continue;
    if (done) DeleteLane(lane);
  }
}

// Sets `*event` to the event of the lane in flight that is done first, or to 0 if none is in
// flight.
Status Transfers::OldestLane(uint64_t* event) {
  *event = 0;
  for (Lane* lane : lanes_) {
    if (!lane->busy && lane->event != 0 && (*event == 0 || lane->event < *event)) {
      bool done = false;
      HY_RETURN_IF_ERROR(queues_->IsDone(lane->event, &done));
      if (!done) *event = lane->event;
    }
  }
  return Status();
}

Status Transfers::TakeLane(uint64_t bytes, Lane** result) {
  for (;;) {
    uint64_t oldest = 0;
    {
      MutexLock lock(&mutex_);
      Lane* lane = nullptr;
      HY_RETURN_IF_ERROR(FindLane(bytes, &lane));
      if (lane == nullptr) {
        FreeIdleLanes(bytes);
        if (staging_bytes_ + bytes > kMaxStagingBytes) HY_RETURN_IF_ERROR(OldestLane(&oldest));
        if (oldest == 0) HY_RETURN_IF_ERROR(NewLane(bytes, &lane));
      }
      if (lane != nullptr) {
        lane->busy = true;
        *result = lane;
        return Status();
      }
    }
    HY_RETURN_IF_ERROR(queues_->Wait(oldest));
  }
}

// Forgets the pieces of a download that has failed, because nobody waits for them.
void Transfers::Cancel(const void* host, uint64_t bytes) {
  MutexLock lock(&mutex_);
  const uint8_t* begin = static_cast<const uint8_t*>(host);
  for (Lane* lane : lanes_) {
    const uint8_t* goal = static_cast<const uint8_t*>(lane->host);
    if (goal == nullptr || goal < begin || goal >= begin + bytes) continue;
    lane->host = nullptr;
    --unread_;
  }
}

void Transfers::GiveBack(Lane* lane, void* host, uint64_t bytes, uint64_t event) {
  MutexLock lock(&mutex_);
  lane->host = host;
  lane->bytes = bytes;
  if (host != nullptr) ++unread_;
  if (event != 0) lane->event = event;
  lane->busy = false;
}

Status Transfers::Copy(Lane* lane, VkBuffer from, uint64_t from_offset, VkBuffer to,
                       uint64_t to_offset, uint64_t bytes, uint32_t stream, uint64_t* event) {
  HY_RETURN_IF_ERROR(
      ToStatus(api_->ResetCommandPool(device_, lane->commands, 0), "vkResetCommandPool"));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  HY_RETURN_IF_ERROR(
      ToStatus(api_->BeginCommandBuffer(lane->buffer, &begin), "vkBeginCommandBuffer"));
  // The barrier makes the copy wait for all work that the queue was given before.
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  if (!queues_->has_transfer_queue()) {
    stages |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    barrier.srcAccessMask |= VK_ACCESS_SHADER_WRITE_BIT;
  }
  if (queues_->shared()) {
    stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  }
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  api_->CmdPipelineBarrier(lane->buffer, stages, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
                           nullptr, 0, nullptr);
  const VkBufferCopy region = {from_offset, to_offset, bytes};
  api_->CmdCopyBuffer(lane->buffer, from, to, 1, &region);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  stages = VK_PIPELINE_STAGE_HOST_BIT;
  if (queues_->shared()) {
    stages |= VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    barrier.dstAccessMask |= VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  }
  api_->CmdPipelineBarrier(lane->buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, stages, 0, 1, &barrier, 0,
                           nullptr, 0, nullptr);
  HY_RETURN_IF_ERROR(ToStatus(api_->EndCommandBuffer(lane->buffer), "vkEndCommandBuffer"));
  return queues_->Submit(Queues::Engine::kTransfer, &lane->buffer, 1, stream, event);
}

Status Transfers::UploadStaged(const void* host, const Block& block, uint64_t offset,
                               uint64_t bytes, uint32_t stream, uint64_t* event) {
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t piece = bytes - done < kLaneBytes ? bytes - done : kLaneBytes;
    Lane* lane = nullptr;
    HY_RETURN_IF_ERROR(TakeLane(piece, &lane));
    memcpy(lane->staging.host, static_cast<const uint8_t*>(host) + done, piece);
    Status status = Copy(lane, RecordOf(lane->staging)->buffer, 0, RecordOf(block)->buffer,
                         RecordOf(block)->begin + offset + done, piece, stream, event);
    GiveBack(lane, nullptr, 0, status.ok() ? *event : 0);
    HY_RETURN_IF_ERROR(static_cast<Status&&>(status));
    done += piece;
  }
  NoteUse(RecordOf(block), *event, stream);
  return Status();
}

Status Transfers::DownloadStaged(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                                 uint32_t stream, uint64_t* event) {
  Status status;
  for (uint64_t done = 0; done < bytes && status.ok();) {
    const uint64_t piece = bytes - done < kLaneBytes ? bytes - done : kLaneBytes;
    Lane* lane = nullptr;
    status = TakeLane(piece, &lane);
    if (!status.ok()) break;
    status = Copy(lane, RecordOf(block)->buffer, RecordOf(block)->begin + offset + done,
                  RecordOf(lane->staging)->buffer, 0, piece, stream, event);
    GiveBack(lane, status.ok() ? static_cast<uint8_t*>(host) + done : nullptr, piece,
             status.ok() ? *event : 0);
    done += piece;
  }
  if (!status.ok()) Cancel(host, bytes);
  NoteUse(RecordOf(block), *event, stream);
  return status;
}

}  // namespace halyard::runtime::vulkan
