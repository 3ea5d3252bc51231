#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/cuda/api.h"
#include "runtime/cuda/cuda.h"
#include "runtime/cuda/kernel.h"
#include "runtime/cuda/recording.h"
#include "runtime/cuda/streams.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {
namespace {

constexpr uint64_t kPadding = 256;
constexpr int32_t kOldestCapability = 61;

class CudaDevice final : public Device {
 public:
  CudaDevice() = default;
  ~CudaDevice();

  Status Open(uint32_t index, const Options& options);

  const DeviceInfo& info() const override { return info_; }
  Status Allocate(uint64_t bytes, Space space, Block* block) override;
  void Free(Block* block) override;
  Status LoadKernel(const KernelObjectView& object, Kernel** kernel) override;
  void FreeKernel(Kernel* kernel) override;
  Status Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                Recording** recording) override;
  Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                uint32_t stream, Event* done) override;
  void FreeRecording(Recording* recording) override;
  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                uint32_t stream, Event* done) override;
  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t stream,
                  Event* done) override;
  Status Wait(Event event) override;
  bool IsDone(Event event) override;
  void Destroy() override { gpu::DeleteObject(this); }

 private:
  Status Describe();
  Status Attribute(CUdevice_attribute attribute, int* value);
  Status PrepareMemoryPool();
  Status AllocateDevice(uint64_t bytes, Block* block);
  Status AllocateHost(uint64_t bytes, Block* block);

  Api api_;
  DeviceInfo info_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  bool pooled_ = false;               // device memory comes from the driver's pool
  CUstream memory_stream_ = nullptr;  // orders the pool's work
  Streams streams_;
};

CudaDevice::~CudaDevice() {
  if (context_ != nullptr) {
    {
      ContextScope scope(api_, context_);
      streams_.Destroy();
      if (memory_stream_ != nullptr) {
        api_.cuStreamSynchronize(memory_stream_);
        api_.cuStreamDestroy(memory_stream_);
      }
    }
    api_.cuDevicePrimaryCtxRelease(device_);
  }
  UnloadDriver(&api_);
}

Status CudaDevice::Attribute(CUdevice_attribute attribute, int* value) {
  *value = 0;
  return ToStatus(api_, api_.cuDeviceGetAttribute(value, attribute, device_),
                  "cuDeviceGetAttribute");
}

Status CudaDevice::Describe() {
  info_.kind = DeviceKind::kCuda;
  HY_RETURN_IF_ERROR(ToStatus(
      api_, api_.cuDeviceGetName(info_.name, sizeof(info_.name) - 1, device_), "cuDeviceGetName"));
  size_t memory = 0;
  HY_RETURN_IF_ERROR(ToStatus(api_, api_.cuDeviceTotalMem(&memory, device_), "cuDeviceTotalMem"));
  info_.memory_bytes = info_.max_allocation_bytes = memory;
  int major = 0, minor = 0;
  HY_RETURN_IF_ERROR(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major));
  HY_RETURN_IF_ERROR(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor));
  info_.cuda_capability = major * 10 + minor;
  const struct {
    CUdevice_attribute attribute;
    uint32_t* value;
  } kLimits[] = {
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &info_.compute_units},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &info_.last_level_cache_bytes},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &info_.max_threads_per_group},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &info_.max_group[0]},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &info_.max_group[1]},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &info_.max_group[2]},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &info_.max_grid[0]},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &info_.max_grid[1]},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &info_.max_grid[2]},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &info_.max_shared_bytes},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &info_.subgroup_size},
  };
  for (const auto& limit : kLimits) {
    int value = 0;
    HY_RETURN_IF_ERROR(Attribute(limit.attribute, &value));
    *limit.value = static_cast<uint32_t>(value);
  }
  info_.has_f64 = info_.has_f16 = info_.has_i64 = info_.has_i16 = info_.has_i8 = true;
  return Status();
}

Status CudaDevice::Open(uint32_t index, const Options& options) {
  HY_RETURN_IF_ERROR(LoadDriver(options.library, &api_));
  int count = 0;
  HY_RETURN_IF_ERROR(ToStatus(api_, api_.cuDeviceGetCount(&count), "cuDeviceGetCount"));
  if (index >= static_cast<uint32_t>(count)) {
    return MakeStatus(Code::kNotFound, "CUDA device %u asked, there are %d", index, count);
  }
  HY_RETURN_IF_ERROR(
      ToStatus(api_, api_.cuDeviceGet(&device_, static_cast<int>(index)), "cuDeviceGet"));
  HY_RETURN_IF_ERROR(Describe());
  if (info_.cuda_capability < kOldestCapability) {
    return MakeStatus(Code::kUnavailable,
                      "%s has compute capability %d.%d; kernels need %d.%d at least", info_.name,
                      info_.cuda_capability / 10, info_.cuda_capability % 10,
                      kOldestCapability / 10, kOldestCapability % 10);
  }
  HY_RETURN_IF_ERROR(ToStatus(api_, api_.cuDevicePrimaryCtxRetain(&context_, device_),
                              "cuDevicePrimaryCtxRetain"));
  streams_.Init(&api_);
  return PrepareMemoryPool();
}

Status CudaDevice::PrepareMemoryPool() {
  int pools = 0;
  HY_RETURN_IF_ERROR(Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, &pools));
  if (pools == 0) return Status();
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  HY_RETURN_IF_ERROR(ToStatus(api_, api_.cuStreamCreate(&memory_stream_, CU_STREAM_NON_BLOCKING),
                              "cuStreamCreate"));
  CUmemoryPool pool = nullptr;
  HY_RETURN_IF_ERROR(
      ToStatus(api_, api_.cuDeviceGetDefaultMemPool(&pool, device_), "cuDeviceGetDefaultMemPool"));
  // Freed memory stays with the process: allocating it again then takes microseconds.
  cuuint64_t keep = UINT64_MAX;
  HY_RETURN_IF_ERROR(
      ToStatus(api_, api_.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep),
               "cuMemPoolSetAttribute"));
  pooled_ = true;
  return Status();
}

Status CudaDevice::AllocateDevice(uint64_t bytes, Block* block) {
  CUdeviceptr address = 0;
  CUresult result;
  const char* call = pooled_ ? "cuMemAllocAsync" : "cuMemAlloc";
  if (pooled_) {
    result = api_.cuMemAllocAsync(&address, bytes, memory_stream_);
    // Usable on every stream once the pool's own stream has done it.
    if (result == CUDA_SUCCESS) result = api_.cuStreamSynchronize(memory_stream_);
  } else {
    result = api_.cuMemAlloc(&address, bytes);
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    return MakeStatus(Code::kResourceExhausted,
                      "%s has no room for %" PRIu64 " bytes more (%" PRIu64
                      " in all): free buffers, use a smaller batch, or end other programs on it",
                      info_.name, bytes, info_.memory_bytes);
  }
  HY_RETURN_IF_ERROR(ToStatus(api_, result, call));
  block->device_address = address;
  return Status();
}

Status CudaDevice::AllocateHost(uint64_t bytes, Block* block) {
  void* host = nullptr;
  HY_RETURN_IF_ERROR(ToStatus(
      api_, api_.cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
      "cuMemHostAlloc"));
  CUdeviceptr address = 0;
  Status status = ToStatus(api_, api_.cuMemHostGetDevicePointer(&address, host, 0),
                           "cuMemHostGetDevicePointer");
  if (!status.ok()) {
    api_.cuMemFreeHost(host);
    return status;
  }
  block->host = host;
  block->device_address = address;
  return Status();
}

Status CudaDevice::Allocate(uint64_t bytes, Space space, Block* block) {
  *block = Block();
  const uint64_t padded = gpu::AlignUp(bytes == 0 ? 1 : bytes, kPadding);
  if (padded < bytes || (space == Space::kDevice && padded > info_.max_allocation_bytes)) {
    return MakeStatus(Code::kResourceExhausted,
                      "%" PRIu64 " bytes asked, but %s has %" PRIu64 " in all", bytes, info_.name,
                      info_.memory_bytes);
  }
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  HY_RETURN_IF_ERROR(space == Space::kHost ? AllocateHost(padded, block)
                                           : AllocateDevice(padded, block));
  block->space = space;
  block->bytes = bytes;
  return Status();
}

void CudaDevice::Free(Block* block) {
  if (block->device_address == 0) return;
  ContextScope scope(api_, context_);
  if (block->space == Space::kHost) {
    api_.cuMemFreeHost(block->host);
  } else if (pooled_) {
    api_.cuMemFreeAsync(block->device_address, memory_stream_);
  } else {
    api_.cuMemFree(block->device_address);
  }
  *block = Block();
}

Status CudaDevice::LoadKernel(const KernelObjectView& object, Kernel** result) {
  CudaKernel* kernel = gpu::NewObject<CudaKernel>();
  if (kernel == nullptr) return gpu::OutOfHostMemory("a kernel");
  Status status = gpu::PlanKernel(object, info_, &kernel->plan);
  if (status.ok()) {
    ContextScope scope(api_, context_);
    status = scope.TakeStatus();
    if (status.ok()) status = LoadModules(api_, object, kernel);
  }
  if (!status.ok()) {
    FreeKernel(reinterpret_cast<Kernel*>(kernel));
    return status;
  }
  *result = reinterpret_cast<Kernel*>(kernel);
  return Status();
}

void CudaDevice::FreeKernel(Kernel* opaque) {
  CudaKernel* kernel = reinterpret_cast<CudaKernel*>(opaque);
  if (kernel == nullptr) return;
  ContextScope scope(api_, context_);
  UnloadModules(api_, kernel);
  gpu::DeleteObject(kernel);
}

Status CudaDevice::Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                          Recording** result) {
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  CudaRecording* recording = gpu::NewObject<CudaRecording>(&api_, context_, info_.buffer_alignment);
  if (recording == nullptr) return gpu::OutOfHostMemory("a recording");
  Status status = recording->Init(segment);
  if (status.ok()) status = recording->Prepare(bindings, num_bindings);
  if (!status.ok()) {
    gpu::DeleteObject(recording);
    return status;
  }
  *result = reinterpret_cast<Recording*>(recording);
  return Status();
}

Status CudaDevice::Submit(Recording* opaque, const Binding* bindings, uint32_t num_bindings,
                          uint32_t stream, Event* done) {
  CudaRecording* recording = reinterpret_cast<CudaRecording*>(opaque);
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  HY_RETURN_IF_ERROR(recording->Prepare(bindings, num_bindings));
  CUstream handle = nullptr;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &handle));
  return streams_.End(stream, recording->Launch(handle), &done->id);
}

void CudaDevice::FreeRecording(Recording* recording) {
  ContextScope scope(api_, context_);
  gpu::DeleteObject(reinterpret_cast<CudaRecording*>(recording));
}

Status CheckRange(const Block& block, uint64_t offset, uint64_t bytes) {
  if (offset <= block.bytes && bytes <= block.bytes - offset) return Status();
  return MakeStatus(Code::kInvalidArgument,
                    "copy of %" PRIu64 " bytes at %" PRIu64 " of a block of %" PRIu64, bytes,
                    offset, block.bytes);
}

Status CudaDevice::Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                          uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(CheckRange(block, offset, bytes));
  *done = Event();
  if (bytes == 0) return Status();
  if (block.host != nullptr) {
    // Earlier work of the stream may still read the block.
    HY_RETURN_IF_ERROR(Wait({streams_.Newest(stream)}));
    memcpy(static_cast<uint8_t*>(block.host) + offset, host, bytes);
    return Status();
  }
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  CUstream handle = nullptr;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &handle));
  Status status =
      ToStatus(api_, api_.cuMemcpyHtoDAsync(block.device_address + offset, host, bytes, handle),
               "cuMemcpyHtoDAsync");
  return streams_.End(stream, static_cast<Status&&>(status), &done->id);
}

Status CudaDevice::Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                            uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(CheckRange(block, offset, bytes));
  *done = Event();
  if (bytes == 0) return Status();
  if (block.host != nullptr) {
    HY_RETURN_IF_ERROR(Wait({streams_.Newest(stream)}));
    memcpy(host, static_cast<const uint8_t*>(block.host) + offset, bytes);
    return Status();
  }
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  CUstream handle = nullptr;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &handle));
  Status status =
      ToStatus(api_, api_.cuMemcpyDtoHAsync(host, block.device_address + offset, bytes, handle),
               "cuMemcpyDtoHAsync");
  return streams_.End(stream, static_cast<Status&&>(status), &done->id);
}

Status CudaDevice::Wait(Event event) {
  if (event.id == 0) return Status();
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  return streams_.Wait(event.id);
}

bool CudaDevice::IsDone(Event event) {
  if (event.id == 0) return true;
  ContextScope scope(api_, context_);
  return streams_.IsDone(event.id);
}

Status LoadAndCount(Api* api, int* count) {
  HY_RETURN_IF_ERROR(LoadDriver(nullptr, api));
  return ToStatus(*api, api->cuDeviceGetCount(count), "cuDeviceGetCount");
}

}  // namespace

Status OpenDevice(uint32_t index, const Options& options, Device** device) {
  CudaDevice* opened = gpu::NewObject<CudaDevice>();
  if (opened == nullptr) return gpu::OutOfHostMemory("a device");
  Status status = opened->Open(index, options);
  if (!status.ok()) {
    gpu::DeleteObject(opened);
    return status;
  }
  *device = opened;
  return Status();
}

Status OpenDevice(uint32_t index, Device** device) { return OpenDevice(index, Options(), device); }

Status CountDevices(uint32_t* count) {
  *count = 0;
  Api api;
  int found = 0;
  // No driver, or one too old: no devices, and DescribeAbsence says which.
  if (LoadAndCount(&api, &found).ok()) *count = static_cast<uint32_t>(found);
  UnloadDriver(&api);
  return Status();
}

const char* DescribeAbsence() {
  Api api;
  int found = 0;
  const Status status = LoadAndCount(&api, &found);
  UnloadDriver(&api);
  if (status.ok()) return found == 0 ? "the CUDA driver sees no GPU" : "";
  if (status.code() == Code::kNotFound && api.cuInit == nullptr) {
    return "libcuda.so.1 not found: install NVIDIA's driver";
  }
  if (status.code() == Code::kNotFound) return "the CUDA driver sees no GPU";
  return "the CUDA driver does not start, or is older than 525 (CUDA 12.0): check it with "
         "nvidia-smi, update it";
}

}  // namespace halyard::runtime::cuda
