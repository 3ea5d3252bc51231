#include "runtime/cuda/memory.h"

#include <inttypes.h>
#include <string.h>

namespace halyard::runtime::cuda {
Status Memory::Open(const Api* api, CUdevice device, const DeviceInfo* info, bool has_pools) {
  api_ = api;
  device_ = device;
  info_ = info;
  if (!has_pools) return Status();
  HY_RETURN_IF_ERROR(
      ToStatus(*api_, api_->cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate"));
  CUmemPoolProps properties;
  memset(&properties, 0, sizeof(properties));
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  HY_RETURN_IF_ERROR(
      ToStatus(*api_, api_->cuMemPoolCreate(&pool_, &properties), "cuMemPoolCreate"));
  // Freed memory stays with the pool: allocating it again then takes microseconds.
  cuuint64_t keep = UINT64_MAX;
  return ToStatus(*api_,
                  api_->cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep),
                  "cuMemPoolSetAttribute");
}

Status Memory::ShareWithPeers() {
  int count = 0;
  if (pool_ == nullptr) return Status();
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuDeviceGetCount(&count), "cuDeviceGetCount"));
  for (int index = 0; index < count; ++index) {
    CUdevice other = 0;
    HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuDeviceGet(&other, index), "cuDeviceGet"));
    int reaches = 0;
    if (other == device_) continue;
    HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuDeviceCanAccessPeer(&reaches, other, device_),
                                "cuDeviceCanAccessPeer"));
    if (reaches == 0) continue;
    CUmemAccessDesc access;
    memset(&access, 0, sizeof(access));
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = other;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    HY_RETURN_IF_ERROR(
        ToStatus(*api_, api_->cuMemPoolSetAccess(pool_, &access, 1), "cuMemPoolSetAccess"));
  }
  return Status();
}

void Memory::Close() {
  if (stream_ != nullptr) api_->cuStreamSynchronize(stream_);
  if (pool_ != nullptr) api_->cuMemPoolDestroy(pool_);
  if (stream_ != nullptr) api_->cuStreamDestroy(stream_);
  pool_ = nullptr;
  stream_ = nullptr;
}

Status Memory::NoRoom(uint64_t bytes, const char* what) const {
  size_t free_bytes = 0, total = 0;
  if (api_->cuMemGetInfo(&free_bytes, &total) != CUDA_SUCCESS) free_bytes = 0;
  const MemoryUse used = use(Space::kDevice);
  return MakeStatus(Code::kResourceExhausted,
                    "%s has no room for %" PRIu64 " bytes more of %s (%" PRIu64 " in all, %" PRIu64
                    " used here, %zu free): free buffers, use a smaller "
                    "batch, or end other programs on it",
                    info_->name, bytes, what, info_->memory_bytes, used.bytes, free_bytes);
}

Status Memory::AllocateDevice(uint64_t bytes, CUdeviceptr* address) {
  if (pool_ == nullptr) {
    const CUresult result = api_->cuMemAlloc(address, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return NoRoom(bytes, "device memory");
    return ToStatus(*api_, result, "cuMemAlloc");
  }
  CUresult result = api_->cuMemAllocFromPoolAsync(address, bytes, pool_, stream_);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    // The pool may hold memory in pieces that do not fit.
    api_->cuMemPoolTrimTo(pool_, 0);
    result = api_->cuMemAllocFromPoolAsync(address, bytes, pool_, stream_);
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return NoRoom(bytes, "device memory");
  HY_RETURN_IF_ERROR(ToStatus(*api_, result, "cuMemAllocFromPoolAsync"));
  // Every stream may use the memory once the pool's stream has provided it.
  Status status = ToStatus(*api_, api_->cuStreamSynchronize(stream_), "cuStreamSynchronize");
  if (!status.ok()) api_->cuMemFreeAsync(*address, stream_);
  return status;
}

Status Memory::AllocateHost(uint64_t bytes, Block* block) {
  void* host = nullptr;
  const CUresult result =
      api_->cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return NoRoom(bytes, "pinned host memory");
  HY_RETURN_IF_ERROR(ToStatus(*api_, result, "cuMemHostAlloc"));
  CUdeviceptr address = 0;
  Status status = ToStatus(*api_, api_->cuMemHostGetDevicePointer(&address, host, 0),
                           "cuMemHostGetDevicePointer");
  if (!status.ok()) {
    api_->cuMemFreeHost(host);
    return status;
  }
  block->host = host;
  block->device_address = address;
  return Status();
}

Status Memory::Allocate(uint64_t bytes, Space space, Block* block) {
  *block = Block();
  const uint64_t padded = PaddedBlockBytes(bytes);
  if (padded < bytes || (space == Space::kDevice && padded > info_->max_allocation_bytes)) {
    return MakeStatus(Code::kResourceExhausted,
                      "%" PRIu64 " bytes asked, but %s has %" PRIu64 " in all", bytes, info_->name,
                      info_->memory_bytes);
  }
  if (space == Space::kHost) {
    HY_RETURN_IF_ERROR(AllocateHost(padded, block));
  } else {
    CUdeviceptr address = 0;
    HY_RETURN_IF_ERROR(AllocateDevice(padded, &address));
    block->device_address = address;
  }
  block->space = space;
  block->bytes = bytes;
  counters_[static_cast<int>(space)].Add(padded);
  return Status();
}

Status Memory::Wrap(CUdeviceptr address, uint64_t bytes, CUcontext context, Block* block) const {
  const auto wrong = [&](const char* what) {
    return MakeStatus(Code::kInvalidArgument, "memory at %#" PRIx64 " %s",
                      static_cast<uint64_t>(address), what);
  };
  if (address % kWrapAlignment != 0) return wrong("is not at a multiple of 16 bytes");
  CUcontext owner = nullptr;
  if (MemoryTypeOf(*api_, address) != CU_MEMORYTYPE_DEVICE)
    return wrong("is not device memory of CUDA");
  // Memory of pools, and what cuMemMap maps, has no context.
  if (api_->cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address) == CUDA_SUCCESS &&
      owner != nullptr && owner != context)
    return wrong("belongs to another context");
  int ordinal = 0;
  if (api_->cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) ==
          CUDA_SUCCESS &&
      ordinal != device_)
    return wrong("belongs to another GPU");
  size_t range = 0;
  CUdeviceptr start = 0;
  if (api_->cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) ==
          CUDA_SUCCESS &&
      api_->cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) ==
          CUDA_SUCCESS &&
      bytes > range - (address - start))
    return wrong("ends before the buffer does");
  *block = Block();
  block->bytes = bytes;
  block->device_address = address;
  block->backend = const_cast<Memory*>(this);  // says that it is the application's
  return Status();
}

void Memory::Free(Block* block) {
  if (block->device_address == 0) return;
  if (block->backend != nullptr) {
    *block = Block();
    return;
  }
  if (block->space == Space::kHost) {
    api_->cuMemFreeHost(block->host);
  } else if (pool_ != nullptr) {
    api_->cuMemFreeAsync(block->device_address, stream_);
  } else {
    api_->cuMemFree(block->device_address);
  }
  counters_[static_cast<int>(block->space)].Subtract(PaddedBlockBytes(block->bytes));
  *block = Block();
}

}  // namespace halyard::runtime::cuda
