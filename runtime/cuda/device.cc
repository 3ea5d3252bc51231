#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/cuda/api.h"
#include "runtime/cuda/cuda.h"
#include "runtime/cuda/describe.h"
#include "runtime/cuda/kernel.h"
#include "runtime/cuda/libraries/library.h"
#include "runtime/cuda/libraries/nccl.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/recording.h"
#include "runtime/cuda/streams.h"
#include "runtime/gpu/memory.h"
#include "runtime/gpu/open.h"

namespace halyard::runtime::cuda {
namespace {

constexpr int32_t kOldestCapability = 61;

class CudaDevice final : public Device {
 public:
  CudaDevice() = default;
  ~CudaDevice();

  Status Describe(uint32_t index, const Options& options);  // everything that needs no context
  Status Open(uint32_t index, const Options& options);

  const DeviceInfo& info() const override { return info_; }
  int32_t ordinal() const override { return device_; }
  Status Allocate(uint64_t bytes, Space space, Block* block) override;
  void Free(Block* block) override;
  Status Wrap(uint64_t handle, uint64_t offset, uint64_t bytes, Block* block) override;
  Status LoadKernel(const KernelObjectView& object, Kernel** kernel) override;
  void FreeKernel(Kernel* kernel) override;
  Status Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                Recording** recording) override;
  Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                uint32_t stream, Event* done) override;
  Status SubmitTimed(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                     uint32_t stream, StepSpan* spans) override;
  void FreeRecording(Recording* recording) override;
  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                uint32_t stream, Event* done) override;
  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t stream,
                  Event* done) override;
  Status CopyFromPeer(Device* peer, const Block& from, const Block& to, uint64_t bytes,
                      uint32_t stream, Event* done) override;
  Status Order(Event event, uint32_t stream) override;
  Status Wait(Event event) override;
  bool IsDone(Event event) override;
  DeviceLinks* links() override { return (info_.libraries & kNccl) != 0 ? &links_ : nullptr; }
  MemoryUse memory_use(Space space) const override;
  void Destroy() override { gpu::DeleteObject(this); }

 private:
  Status FindDevice(uint32_t index, CUcontext application);
  Status TakeContext(const ApplicationDevice& application);
  Status CopyOnHost(void* to, const void* from, uint64_t bytes, uint32_t stream, Event* done);
  template <typename OnHost, typename Staged>
  Status Copy(const Block& block, uint64_t offset, uint64_t bytes, uint32_t stream, Event* done,
              OnHost on_host, Staged staged);

  Api api_;
  DeviceInfo info_;
  CUdevice device_ = 0;
  bool has_pools_ = false;
  // the application's, or the primary context of the device, which the whole process shares
  CUcontext context_ = nullptr;
  bool is_primary_ = false;
  Memory memory_;
  Libraries libraries_;
  KernelCache kernels_;
  Streams streams_;
  NcclLinks links_;
};

CudaDevice::~CudaDevice() {
  if (context_ != nullptr) {
    {
      ContextScope scope(api_, context_);
      if (scope.current()) {
        links_.Close();
        streams_.Destroy();
        libraries_.Close();
        memory_.Close();
      }
    }
    if (is_primary_) api_.cuDevicePrimaryCtxRelease(device_);
  }
  UnloadDriver(&api_);
}

Status CudaDevice::FindDevice(uint32_t index, CUcontext application) {
  if (application == nullptr)
    return ToStatus(api_, api_.cuDeviceGet(&device_, static_cast<int>(index)), "cuDeviceGet");
  ContextScope scope(api_, application);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  return ToStatus(api_, api_.cuCtxGetDevice(&device_), "cuCtxGetDevice");
}

// Takes the application's context, or the primary one.
Status CudaDevice::TakeContext(const ApplicationDevice& application) {
  if (application.context != nullptr) {
    context_ = static_cast<CUcontext>(application.context);
  } else {
    HY_RETURN_IF_ERROR(ToStatus(api_, api_.cuDevicePrimaryCtxRetain(&context_, device_),
                                "cuDevicePrimaryCtxRetain"));
    is_primary_ = true;
  }
  if (application.stream == nullptr) return Status();
  if (application.stream == CU_STREAM_PER_THREAD) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_cuda_device: CU_STREAM_PER_THREAD is another stream in every thread; the "
                      "runtime's threads use the stream, too: give CU_STREAM_LEGACY or one of your "
                      "own");
  }
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  CUcontext owner = nullptr;
  HY_RETURN_IF_ERROR(
      ToStatus(api_, api_.cuStreamGetCtx(static_cast<CUstream>(application.stream), &owner),
               "cuStreamGetCtx"));
  if (owner != context_) {
    return MakeStatus(Code::kInvalidArgument,
                      "hy_cuda_device: the stream belongs to another context");
  }
  return Status();
}

Status CudaDevice::Describe(uint32_t index, const Options& options) {
  HY_RETURN_IF_ERROR(LoadDriver(options.library, &api_));
  int count = 0;
  HY_RETURN_IF_ERROR(ToStatus(api_, api_.cuDeviceGetCount(&count), "cuDeviceGetCount"));
  if (index >= static_cast<uint32_t>(count)) {
    return MakeStatus(Code::kNotFound, "CUDA device %u asked, there are %d", index, count);
  }
  HY_RETURN_IF_ERROR(FindDevice(index, static_cast<CUcontext>(options.application.context)));
  HY_RETURN_IF_ERROR(DescribeDevice(api_, device_, &info_, &has_pools_));
  if (info_.cuda_capability < kOldestCapability) {
    return MakeStatus(Code::kUnavailable,
                      "%s has compute capability %d.%d; kernels need %d.%d at least", info_.name,
                      info_.cuda_capability / 10, info_.cuda_capability % 10,
                      kOldestCapability / 10, kOldestCapability % 10);
  }
  int version = 0;
  HY_RETURN_IF_ERROR(ToStatus(api_, api_.cuDriverGetVersion(&version), "cuDriverGetVersion"));
  libraries_.Init(&api_, version);
  info_.libraries = libraries_.Find();
  return Status();
}

Status CudaDevice::Open(uint32_t index, const Options& options) {
  HY_RETURN_IF_ERROR(Describe(index, options));
  HY_RETURN_IF_ERROR(TakeContext(options.application));
  streams_.Init(&api_, static_cast<CUstream>(options.application.stream));
  links_.Init(&api_, device_, context_, &libraries_, &memory_, &streams_);
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  return memory_.Open(&api_, device_, &info_, has_pools_);
}

Status CudaDevice::Allocate(uint64_t bytes, Space space, Block* block) {
  *block = Block();
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  return memory_.Allocate(bytes, space, block);
}

void CudaDevice::Free(Block* block) {
  ContextScope scope(api_, context_);
  if (scope.current()) memory_.Free(block);
  *block = Block();
}

Status CudaDevice::Wrap(uint64_t handle, uint64_t offset, uint64_t bytes, Block* block) {
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  if (offset != 0) {
    return MakeStatus(Code::kInvalidArgument, "an offset of %" PRIu64 " in memory of CUDA", offset);
  }
  return memory_.Wrap(handle, bytes, context_, block);
}

MemoryUse CudaDevice::memory_use(Space space) const {
  MemoryUse use = memory_.use(space);
  if (space == Space::kHost) use.own_bytes = streams_.staging_bytes();
  return use;
}

Status CudaDevice::LoadKernel(const KernelObjectView& object, Kernel** result) {
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  CudaKernel* kernel = nullptr;
  HY_RETURN_IF_ERROR(kernels_.Load(api_, object, info_, &libraries_, &kernel));
  *result = reinterpret_cast<Kernel*>(kernel);
  return Status();
}

void CudaDevice::FreeKernel(Kernel* kernel) {
  if (kernel == nullptr) return;
  ContextScope scope(api_, context_);
  kernels_.Release(api_, scope.current(), reinterpret_cast<CudaKernel*>(kernel));
}

Status CudaDevice::Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                          Recording** result) {
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  CudaRecording* recording =
      gpu::NewObject<CudaRecording>(&api_, context_, &libraries_, info_.buffer_alignment);
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
  Streams::Work work;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &work));
  return streams_.End(stream, recording->Launch(work.handle), &done->id);
}

Status CudaDevice::SubmitTimed(Recording* opaque, const Binding* bindings, uint32_t num_bindings,
                               uint32_t stream, StepSpan* spans) {
  CudaRecording* recording = reinterpret_cast<CudaRecording*>(opaque);
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  HY_RETURN_IF_ERROR(recording->Prepare(bindings, num_bindings));
  Streams::Work work;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &work));
  Event done;
  HY_RETURN_IF_ERROR(
      streams_.End(stream, recording->LaunchTimed(work.handle, bindings, spans), &done.id));
  return streams_.Wait(done.id);
}

void CudaDevice::FreeRecording(Recording* opaque) {
  CudaRecording* recording = reinterpret_cast<CudaRecording*>(opaque);
  ContextScope scope(api_, context_);
  if (recording != nullptr && !scope.current()) recording->Abandon();
  gpu::DeleteObject(recording);
}

// Copies between CPU memory and pinned memory: now if the stream is idle, else on the driver's
// thread after the work that the stream has.
Status CudaDevice::CopyOnHost(void* to, const void* from, uint64_t bytes, uint32_t stream,
                              Event* done) {
  Streams::Work work;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &work));
  if (streams_.IsIdle(stream)) {
    memcpy(to, from, bytes);
    streams_.Leave(stream);
    *done = Event();
    return Status();
  }
  return streams_.End(stream, work.staging->CopyOnHost(to, from, bytes), &done->id);
}

// Calls `on_host` with the block's bytes if the CPU reaches the block, and otherwise `staged` with
// staging memory.
template <typename OnHost, typename Staged>
Status CudaDevice::Copy(const Block& block, uint64_t offset, uint64_t bytes, uint32_t stream,
                        Event* done, OnHost on_host, Staged staged) {
  HY_RETURN_IF_ERROR(gpu::CheckRange(block, offset, bytes));
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  if (bytes == 0) {
    *done = Event();
    return Status();
  }
  if (block.host != nullptr) return on_host(static_cast<uint8_t*>(block.host) + offset);
  Streams::Work work;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &work));
  return streams_.End(stream, staged(*work.staging), &done->id);
}

Status CudaDevice::Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                          uint32_t stream, Event* done) {
  return Copy(
      block, offset, bytes, stream, done,
      [&](uint8_t* to) { return CopyOnHost(to, host, bytes, stream, done); },
      [&](auto& staging) { return staging.Upload(host, block.device_address + offset, bytes); });
}

Status CudaDevice::Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                            uint32_t stream, Event* done) {
  return Copy(
      block, offset, bytes, stream, done,
      [&](uint8_t* from) { return CopyOnHost(host, from, bytes, stream, done); },
      [&](auto& staging) { return staging.Download(block.device_address + offset, host, bytes); });
}

// The driver finds the way: directly, or through the CPU's memory if the devices do not reach each
// other.
Status CudaDevice::CopyFromPeer(Device* peer, const Block& from, const Block& to, uint64_t bytes,
                                uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(gpu::CheckRange(from, 0, bytes));
  HY_RETURN_IF_ERROR(gpu::CheckRange(to, 0, bytes));
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  const CUcontext other = static_cast<CudaDevice*>(peer)->context_;
  Streams::Work work;
  HY_RETURN_IF_ERROR(streams_.Begin(stream, &work));
  const CUresult copied = api_.cuMemcpyPeerAsync(to.device_address, context_, from.device_address,
                                                 other, bytes, work.handle);
  return streams_.End(stream, ToStatus(api_, copied, "cuMemcpyPeerAsync"), &done->id);
}

Status CudaDevice::Order(Event event, uint32_t stream) {
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  return event.id == 0 ? Status() : streams_.Order(event.id, stream);
}

Status CudaDevice::Wait(Event event) {
  ContextScope scope(api_, context_);
  HY_RETURN_IF_ERROR(scope.TakeStatus());
  return event.id == 0 ? Status() : streams_.Wait(event.id);
}

bool CudaDevice::IsDone(Event event) {
  if (event.id == 0) return true;
  ContextScope scope(api_, context_);
  // In a broken context nothing is running; Wait reports the error.
  return !scope.TakeStatus().ok() || streams_.IsDone(event.id);
}

Status LoadAndCount(Api* api, int* count) {
  HY_RETURN_IF_ERROR(LoadDriver(nullptr, api));
  return ToStatus(*api, api->cuDeviceGetCount(count), "cuDeviceGetCount");
}

}  // namespace

Status OpenDevice(uint32_t index, const Options& options, Device** device) {
  return gpu::OpenDevice<CudaDevice>(index, options, device);
}

Status DescribeDevice(uint32_t index, const Options& options, DeviceInfo* info) {
  return gpu::DescribeDevice<CudaDevice>(index, options, info);
}

Status CountDevices(uint32_t* count) {
  *count = 0;
  Api api;
  int found = 0;
  // Without a driver, or with one that is too old, there are no devices. DescribeAbsence says
  // which.
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
  const bool loaded = api.cuInit != nullptr;
  if (status.code() == Code::kNotFound && loaded) return "the CUDA driver sees no GPU";
  static thread_local char text[2048];
  snprintf(text, sizeof(text), "%s", status.message());
  return text;
}

}  // namespace halyard::runtime::cuda
