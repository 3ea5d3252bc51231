#include "runtime/vulkan/memory_pool.h"

#include <inttypes.h>

namespace halyard::runtime::vulkan {

using gpu::AlignUp;
using gpu::MutexLock;

struct MemoryChunk {
  struct Range {
    uint64_t offset = 0, bytes = 0;
  };
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint32_t type = 0;
  Space space = Space::kDevice;
  uint64_t bytes = 0;
  uint8_t* mapped = nullptr;
  gpu::Array<Range> free;  // by offset, never touching
};

namespace {

constexpr uint64_t kChunkBytes = 64 << 20;
constexpr uint64_t kPadding = kBlockPadding;
constexpr VkMemoryPropertyFlags kMappable =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

bool IsWhole(const MemoryChunk& chunk) {
  return chunk.free.size() == 1 && chunk.free[0].bytes == chunk.bytes;
}

}  // namespace

void MemoryPool::Init(const Api* api, VkPhysicalDevice physical, VkDevice device,
                      const DeviceInfo* info, const Options& options) {
  api_ = api;
  device_ = device;
  info_ = info;
  options_ = options;
  api->GetPhysicalDeviceMemoryProperties(physical, &memory_);
}

void MemoryPool::Clear() {
  MutexLock lock(&mutex_);
  while (!chunks_.empty()) DeleteChunk(chunks_[chunks_.size() - 1]);
}

bool MemoryPool::HasFlags(uint32_t type, VkMemoryPropertyFlags flags) const {
  return (memory_.memoryTypes[type].propertyFlags & flags) == flags;
}

Status MemoryPool::FindType(uint32_t allowed, Space space, uint32_t* type) const {
  // The preferred sets of properties, best first.
  VkMemoryPropertyFlags wishes[3] = {};
  if (space == Space::kHost) {
    wishes[0] = kMappable | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    wishes[1] = kMappable;
    wishes[2] = kMappable;
  } else if (options_.map_device_memory) {
    wishes[0] = kMappable | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    wishes[1] = kMappable;
    wishes[2] = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  } else {
    wishes[0] = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    wishes[1] = 0;
    wishes[2] = 0;
  }
  for (VkMemoryPropertyFlags wish : wishes) {
    for (uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
      if ((allowed & (1u << i)) != 0 && HasFlags(i, wish)) {
        *type = i;
        return Status();
      }
    }
  }
  return MakeStatus(Code::kFailedPrecondition, "%s has no memory for %s buffers", info_->name,
                    space == Space::kHost ? "host" : "device");
}

Status MemoryPool::NewChunk(uint32_t type, Space space, uint64_t bytes, MemoryChunk** result) {
  if (chunks_.size() >= options_.max_chunks) {
    return MakeStatus(Code::kResourceExhausted, "%s allows %u pieces of memory, all in use",
                      info_->name, options_.max_chunks);
  }
  MemoryChunk* chunk = gpu::NewObject<MemoryChunk>();
  if (chunk == nullptr || !chunk->free.Append({0, bytes}) || !chunks_.Append(chunk)) {
    gpu::DeleteObject(chunk);
    return gpu::OutOfHostMemory("a piece of device memory");
  }
  chunk->type = type;
  chunk->space = space;
  chunk->bytes = bytes;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = bytes;
  info.memoryTypeIndex = type;
  VkResult vk = api_->AllocateMemory(device_, &info, nullptr, &chunk->memory);
  if (vk == VK_SUCCESS) chunk_bytes_[static_cast<int>(space)] += bytes;
  if (vk == VK_SUCCESS && HasFlags(type, kMappable)) {
    void* mapped = nullptr;
    vk = api_->MapMemory(device_, chunk->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    chunk->mapped = static_cast<uint8_t*>(mapped);
  }
  if (vk == VK_SUCCESS) {
    *result = chunk;
    return Status();
  }
  DeleteChunk(chunk);
  return ToStatus(vk, "vkAllocateMemory");
}

void MemoryPool::DeleteChunk(MemoryChunk* chunk) {
  for (size_t i = 0; i < chunks_.size(); ++i) {
    if (chunks_[i] == chunk) {
      chunks_.Remove(i);
      break;
    }
  }
  if (chunk->memory != VK_NULL_HANDLE) {
    api_->FreeMemory(device_, chunk->memory, nullptr);  // unmaps
    chunk_bytes_[static_cast<int>(chunk->space)] -= chunk->bytes;
  }
  gpu::DeleteObject(chunk);
}

bool MemoryPool::FreeEmptyChunks() {
  bool freed = false;
  for (size_t i = chunks_.size(); i-- > 0;) {
    if (!IsWhole(*chunks_[i])) continue;
    DeleteChunk(chunks_[i]);
    freed = true;
  }
  return freed;
}

bool MemoryPool::ReserveFrom(MemoryChunk* chunk, uint64_t bytes, uint64_t alignment,
                             BufferRecord* record) {
  for (size_t i = 0; i < chunk->free.size(); ++i) {
    MemoryChunk::Range& range = chunk->free[i];
    const uint64_t offset = AlignUp(range.offset, alignment);
    const uint64_t end = range.offset + range.bytes;
    if (offset + bytes > end) continue;
    // The bytes that the alignment skips belong to the reservation, so that chunks stay in few
    // pieces.
    record->chunk = chunk;
    record->offset = range.offset;
    record->reserved_bytes = offset + bytes - range.offset;
    if (offset + bytes == end) {
      chunk->free.Remove(i);
    } else {
      range.offset = offset + bytes;
      range.bytes = end - range.offset;
    }
    return true;
  }
  return false;
}

Status MemoryPool::Reserve(uint32_t type, Space space, uint64_t bytes, uint64_t alignment,
                           BufferRecord* record) {
  for (MemoryChunk* chunk : chunks_) {
    if (chunk->type == type && chunk->space == space &&
        ReserveFrom(chunk, bytes, alignment, record)) {
      return Status();
    }
  }
  uint64_t chunk_bytes = kChunkBytes;
  const uint64_t heap = memory_.memoryHeaps[memory_.memoryTypes[type].heapIndex].size;
  if (chunk_bytes > heap / 16) chunk_bytes = AlignUp(heap / 16, kPadding);
  if (bytes > chunk_bytes / 2) chunk_bytes = bytes;  // a large block gets its own chunk
  MemoryChunk* chunk = nullptr;
  Status status = NewChunk(type, space, chunk_bytes, &chunk);
  if (!status.ok() && FreeEmptyChunks()) status = NewChunk(type, space, chunk_bytes, &chunk);
  if (!status.ok() && chunk_bytes > bytes) status = NewChunk(type, space, bytes, &chunk);
  HY_RETURN_IF_ERROR(static_cast<Status&&>(status));
  if (!ReserveFrom(chunk, bytes, alignment, record)) {
    return MakeStatus(Code::kInternal, "a new piece of device memory is too small");
  }
  return Status();
}

void MemoryPool::Release(const BufferRecord& record) {
  gpu::Array<MemoryChunk::Range>& free = record.chunk->free;
  size_t i = 0;
  while (i < free.size() && free[i].offset < record.offset) ++i;
  if (!free.Insert(i, {record.offset, record.reserved_bytes})) return;  // lost with the chunk
  if (i + 1 < free.size() && free[i].offset + free[i].bytes == free[i + 1].offset) {
    free[i].bytes += free[i + 1].bytes;
    free.Remove(i + 1);
  }
  if (i > 0 && free[i - 1].offset + free[i - 1].bytes == free[i].offset) {
    free[i - 1].bytes += free[i].bytes;
    free.Remove(i);
  }
  if (!IsWhole(*record.chunk)) return;
  // One empty chunk of a type is kept, so that a lone buffer made again and again is cheap.
  for (MemoryChunk* other : chunks_) {
    const bool spare = other != record.chunk && other->type == record.chunk->type &&
                       other->space == record.chunk->space && IsWhole(*other);
    if (spare || record.chunk->bytes > kChunkBytes) {
      DeleteChunk(record.chunk);
      return;
    }
  }
}

Status MemoryPool::CreateBuffer(uint64_t padded, VkBuffer* buffer) const {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = padded;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (options_.families[0] != options_.families[1]) {
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = options_.families;
  }
  return ToStatus(api_->CreateBuffer(device_, &info, nullptr, buffer), "vkCreateBuffer");
}

Status MemoryPool::Place(uint64_t bytes, Space space, BufferRecord* record, uint64_t* offset) {
  VkMemoryRequirements needs;
  api_->GetBufferMemoryRequirements(device_, record->buffer, &needs);
  const uint64_t alignment = needs.alignment < kPadding ? kPadding : needs.alignment;
  uint32_t type = 0;
  HY_RETURN_IF_ERROR(FindType(needs.memoryTypeBits, space, &type));
  Status status = Reserve(type, space, AlignUp(needs.size, kPadding), alignment, record);
  if (status.code() == Code::kResourceExhausted) {
    return MakeStatus(Code::kResourceExhausted,
                      "%s has no room for %" PRIu64 " bytes more (%" PRIu64 " of %" PRIu64
                      " are in use; %s): free buffers or use a smaller batch",
                      info_->name, bytes, use(Space::kDevice).bytes + use(Space::kHost).bytes,
                      info_->memory_bytes, status.message());
  }
  HY_RETURN_IF_ERROR(static_cast<Status&&>(status));
  *offset = AlignUp(record->offset, alignment);
  status = ToStatus(api_->BindBufferMemory(device_, record->buffer, record->chunk->memory, *offset),
                    "vkBindBufferMemory");
  if (!status.ok()) Release(*record);
  return status;
}

Status MemoryPool::Allocate(uint64_t bytes, Space space, bool own, Block* block) {
  *block = Block();
  const uint64_t padded = PaddedBlockBytes(bytes);
  if (padded < bytes ||
      (info_->max_allocation_bytes != 0 && padded > info_->max_allocation_bytes)) {
    return MakeStatus(Code::kResourceExhausted,
                      "%" PRIu64 " bytes asked, but %s allocates at most %" PRIu64 " at once",
                      bytes, info_->name, info_->max_allocation_bytes);
  }
  BufferRecord* record = gpu::NewObject<BufferRecord>();
  if (record == nullptr) return gpu::OutOfHostMemory("a buffer");
  uint64_t offset = 0;
  Status status = CreateBuffer(padded, &record->buffer);
  MutexLock lock(&mutex_);
  if (status.ok()) status = Place(bytes, space, record, &offset);
  if (!status.ok()) {
    if (record->buffer != VK_NULL_HANDLE) api_->DestroyBuffer(device_, record->buffer, nullptr);
    gpu::DeleteObject(record);
    return status;
  }
  record->serial = next_serial_++;
  record->padded_bytes = padded;
  record->own = own;
  if (!own) given_[static_cast<int>(space)].Add(padded);
  block->space = space;
  block->bytes = bytes;
  const bool reachable = space == Space::kHost || options_.map_device_memory;
  if (reachable && record->chunk->mapped != nullptr) block->host = record->chunk->mapped + offset;
  block->device_address = reinterpret_cast<uint64_t>(record->buffer);
  block->backend = record;
  return Status();
}

Status MemoryPool::Wrap(VkBuffer buffer, uint64_t offset, uint64_t bytes, Block* block) {
  if (offset % kPadding != 0) {
    return MakeStatus(Code::kInvalidArgument,
                      "an offset of %" PRIu64 " in a VkBuffer, which is no multiple of %" PRIu64,
                      offset, kPadding);
  }
  const uint64_t padded = PaddedBlockBytes(bytes);
  VkMemoryRequirements needs;
  api_->GetBufferMemoryRequirements(device_, buffer, &needs);
  if (padded < bytes || offset > needs.size || padded > needs.size - offset) {
    return MakeStatus(Code::kInvalidArgument,
                      "a VkBuffer of %" PRIu64 " bytes is too small for %" PRIu64 " at %" PRIu64
                      ": sizes are rounded up to multiples of %" PRIu64,
                      needs.size, bytes, offset, kPadding);
  }
  BufferRecord* record = gpu::NewObject<BufferRecord>();
  if (record == nullptr) return gpu::OutOfHostMemory("a buffer");
  record->buffer = buffer;
  record->padded_bytes = padded;
  record->own = true;  // so that it is not counted
  record->begin = offset;
  {
    MutexLock lock(&mutex_);
    record->serial = next_serial_++;
  }
  *block = Block();
  block->bytes = bytes;
  block->device_address = reinterpret_cast<uint64_t>(buffer);
  block->backend = record;
  block->handle_offset = offset;
  return Status();
}

void MemoryPool::Free(Block* block) {
  BufferRecord* record = RecordOf(*block);
  if (record == nullptr) return;
  if (record->chunk == nullptr) {
    gpu::DeleteObject(record);
    *block = Block();
    return;
  }
  MutexLock lock(&mutex_);
  if (!record->own) given_[static_cast<int>(block->space)].Subtract(record->padded_bytes);
  api_->DestroyBuffer(device_, record->buffer, nullptr);
  Release(*record);
  gpu::DeleteObject(record);
  *block = Block();
}

MemoryUse MemoryPool::use(Space space) const {
  MemoryUse use = given_[static_cast<int>(space)].use();
  const uint64_t taken = chunk_bytes_[static_cast<int>(space)].load();
  use.own_bytes = taken > use.bytes ? taken - use.bytes : 0;
  return use;
}

}  // namespace halyard::runtime::vulkan
