#include "runtime/cuda/staging.h"

#include <string.h>

#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

void CUDA_CB Staging::RunTask(void* argument) {
  Task* task = static_cast<Task*>(argument);
  memcpy(task->to, task->from, task->bytes);
  task->done.store(true, std::memory_order_release);
}

void Staging::Synchronize() {
  if (helper_ != nullptr) api_->cuStreamSynchronize(helper_);
}

void Staging::Destroy() {
  Synchronize();
  FreeTasks(true);
  for (Piece& piece : pieces_) {
    if (piece.filled != nullptr) api_->cuEventDestroy(piece.filled);
    if (piece.freed != nullptr) api_->cuEventDestroy(piece.freed);
    piece = Piece();
  }
  if (memory_ != nullptr) api_->cuMemFreeHost(memory_);
  if (helper_ != nullptr) api_->cuStreamDestroy(helper_);
  memory_ = nullptr;
  helper_ = nullptr;
  bytes_.store(0);
}

void Staging::FreeTasks(bool all) {
  for (Task** at = &tasks_; *at != nullptr;) {
    Task* task = *at;
    if (!all && !task->done.load(std::memory_order_acquire)) {
      at = &task->next;
      continue;
    }
    *at = task->next;
    gpu::DeleteObject(task);
  }
}

// The first copy that needs it creates it. If a call fails, the next copy continues from there.
Status Staging::Prepare() {
  if (bytes_.load(std::memory_order_relaxed) != 0) return Status();
  if (helper_ == nullptr) {
    HY_RETURN_IF_ERROR(
        ToStatus(*api_, api_->cuStreamCreate(&helper_, CU_STREAM_NON_BLOCKING), "cuStreamCreate"));
  }
  for (Piece& piece : pieces_) {
    for (CUevent* event : {&piece.filled, &piece.freed}) {
      if (*event != nullptr) continue;
      HY_RETURN_IF_ERROR(
          ToStatus(*api_, api_->cuEventCreate(event, CU_EVENT_DISABLE_TIMING), "cuEventCreate"));
    }
  }
  HY_RETURN_IF_ERROR(ToStatus(
      *api_, api_->cuMemHostAlloc(&memory_, kPieces * kPieceBytes, CU_MEMHOSTALLOC_PORTABLE),
      "cuMemHostAlloc"));
  bytes_.store(kPieces * kPieceBytes);
  return Status();
}

// The driver copies no memory that is pinned in part, or in several registrations.
bool Staging::IsPinned(const void* host, uint64_t bytes) const {
  const auto address = reinterpret_cast<CUdeviceptr>(const_cast<void*>(host));
  if (MemoryTypeOf(*api_, address) != CU_MEMORYTYPE_HOST) return false;
  size_t range = 0;
  CUdeviceptr start = 0;
  return api_->cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) ==
             CUDA_SUCCESS &&
         api_->cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) ==
             CUDA_SUCCESS &&
         bytes <= range - (address - start);
}

bool Staging::IsFree(const Piece& piece) const {
  return !piece.used || api_->cuEventQuery(piece.freed) == CUDA_SUCCESS;
}

Status Staging::After(CUstream stream, CUevent event) {
  return ToStatus(*api_, api_->cuStreamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
}

Status Staging::Mark(CUevent event, CUstream stream) {
  return ToStatus(*api_, api_->cuEventRecord(event, stream), "cuEventRecord");
}

Status Staging::AddTask(CUstream stream, void* to, const void* from, size_t bytes) {
  FreeTasks(false);
  Task* task = gpu::NewObject<Task>();
  if (task == nullptr) return gpu::OutOfHostMemory("a copy");
  task->to = to;
  task->from = from;
  task->bytes = bytes;
  const CUresult result = api_->cuLaunchHostFunc(stream, RunTask, task);
  if (result != CUDA_SUCCESS) {
    gpu::DeleteObject(task);
    return ToStatus(*api_, result, "cuLaunchHostFunc");
  }
  task->next = tasks_;
  tasks_ = task;
  return Status();
}

Status Staging::CopyOnHost(void* to, const void* from, uint64_t bytes) {
  return AddTask(stream_, to, from, bytes);
}

Status Staging::Upload(const void* host, CUdeviceptr device, uint64_t bytes) {
  if (IsPinned(host, bytes)) {
    return ToStatus(*api_, api_->cuMemcpyHtoDAsync(device, host, bytes, stream_),
                    "cuMemcpyHtoDAsync");
  }
  HY_RETURN_IF_ERROR(Prepare());
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t part = bytes - done < kPieceBytes ? bytes - done : kPieceBytes;
    Piece& piece = pieces_[next_];
    void* memory = PieceMemory(next_);
    const uint8_t* from = static_cast<const uint8_t*>(host) + done;
    if (part == bytes && IsFree(piece)) {
      memcpy(memory, from, part);  // faster than another thread
    } else {
      if (piece.used) HY_RETURN_IF_ERROR(After(helper_, piece.freed));
      HY_RETURN_IF_ERROR(AddTask(helper_, memory, from, part));
      HY_RETURN_IF_ERROR(Mark(piece.filled, helper_));
      HY_RETURN_IF_ERROR(After(stream_, piece.filled));
    }
    HY_RETURN_IF_ERROR(ToStatus(
        *api_, api_->cuMemcpyHtoDAsync(device + done, memory, part, stream_), "cuMemcpyHtoDAsync"));
    HY_RETURN_IF_ERROR(Mark(piece.freed, stream_));
    piece.used = true;
    next_ = (next_ + 1) % kPieces;
    done += part;
  }
  return Status();
}

Status Staging::Download(CUdeviceptr device, void* host, uint64_t bytes) {
  if (IsPinned(host, bytes)) {
    return ToStatus(*api_, api_->cuMemcpyDtoHAsync(host, device, bytes, stream_),
                    "cuMemcpyDtoHAsync");
  }
  HY_RETURN_IF_ERROR(Prepare());
  CUevent last = nullptr;
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t part = bytes - done < kPieceBytes ? bytes - done : kPieceBytes;
    Piece& piece = pieces_[next_];
    void* memory = PieceMemory(next_);
    if (piece.used) HY_RETURN_IF_ERROR(After(stream_, piece.freed));
    HY_RETURN_IF_ERROR(ToStatus(
        *api_, api_->cuMemcpyDtoHAsync(memory, device + done, part, stream_), "cuMemcpyDtoHAsync"));
    HY_RETURN_IF_ERROR(Mark(piece.filled, stream_));
    HY_RETURN_IF_ERROR(After(helper_, piece.filled));
    HY_RETURN_IF_ERROR(AddTask(helper_, static_cast<uint8_t*>(host) + done, memory, part));
    HY_RETURN_IF_ERROR(Mark(piece.freed, helper_));
    piece.used = true;
    last = piece.freed;
    next_ = (next_ + 1) % kPieces;
    done += part;
  }
  return After(stream_, last);
}

}  // namespace halyard::runtime::cuda
