#include "runtime/cuda/streams.h"

namespace halyard::runtime::cuda {

void Streams::Init(const Api* api, CUstream application) {
  api_ = api;
  shared_ = application != nullptr;
  if (!shared_) return;
  streams_[0].handle = application;
  streams_[0].staging.Init(api_, application);
}

void Streams::Destroy() {
  for (Stream& stream : streams_) {
    if (stream.handle == nullptr) continue;
    api_->cuStreamSynchronize(stream.handle);
    stream.staging.Destroy();
    for (std::atomic<CUevent>& event : stream.events) {
      if (event.load() != nullptr) api_->cuEventDestroy(event.load());
      event.store(nullptr);
    }
    if (!shared_) api_->cuStreamDestroy(stream.handle);
    stream.handle = nullptr;
  }
}

Status Streams::Prepare(Stream* stream) {
  if (stream->handle == nullptr) {
    HY_RETURN_IF_ERROR(ToStatus(
        *api_, api_->cuStreamCreate(&stream->handle, CU_STREAM_NON_BLOCKING), "cuStreamCreate"));
    stream->staging.Init(api_, stream->handle);
  }
  std::atomic<CUevent>& event = stream->events[(stream->count.load() + 1) % kEvents];
  if (event.load() != nullptr) return Status();
  CUevent made = nullptr;
  HY_RETURN_IF_ERROR(
      ToStatus(*api_, api_->cuEventCreate(&made, CU_EVENT_DISABLE_TIMING), "cuEventCreate"));
  event.store(made, std::memory_order_release);
  return Status();
}

Status Streams::Begin(uint32_t index, Work* work) {
  Stream& stream = streams_[Index(index)];
  stream.mutex.Lock();
  Status status = Prepare(&stream);
  if (!status.ok()) {
    stream.mutex.Unlock();
    return status;
  }
  work->handle = stream.handle;
  work->staging = &stream.staging;
  return Status();
}

// The application may have put work on its stream.
bool Streams::IsIdle(uint32_t index) {
  if (shared_) return false;
  Stream& stream = streams_[Index(index)];
  return Query(&stream, stream.count.load()) == CUDA_SUCCESS;
}

Status Streams::End(uint32_t index, Status enqueued, uint64_t* event) {
  Stream& stream = streams_[Index(index)];
  Status status = static_cast<Status&&>(enqueued);
  if (status.ok()) {
    const uint64_t work = stream.count.load() + 1;
    status =
        ToStatus(*api_, api_->cuEventRecord(stream.events[work % kEvents].load(), stream.handle),
                 "cuEventRecord");
    if (status.ok()) {
      stream.count.store(work);
      *event = Number(work, Index(index));
    }
  }
  if (!status.ok()) {
    // Work that was enqueued before the failure has no event to wait for.
    api_->cuStreamSynchronize(stream.handle);
    stream.staging.Synchronize();
  }
  stream.mutex.Unlock();
  return status;
}

void Streams::NoteDone(Stream* stream, uint64_t work) {
  uint64_t seen = stream->done.load(std::memory_order_relaxed);
  while (seen < work && !stream->done.compare_exchange_weak(seen, work)) {
  }
}

CUresult Streams::Query(Stream* stream, uint64_t work) {
  if (work <= stream->done.load(std::memory_order_acquire)) return CUDA_SUCCESS;
  const CUevent event = stream->events[work % kEvents].load(std::memory_order_acquire);
  const CUresult result = api_->cuEventQuery(event);
  if (result == CUDA_SUCCESS) NoteDone(stream, work);
  return result;
}

Status Streams::Order(uint64_t event, uint32_t index) {
  const uint32_t other = event % kStreams;
  const uint64_t work = event / kStreams;
  if (other == Index(index) || work <= streams_[other].done.load(std::memory_order_acquire)) {
    return Status();
  }
  const CUevent handle = streams_[other].events[work % kEvents].load(std::memory_order_acquire);
  Work begun;
  HY_RETURN_IF_ERROR(Begin(index, &begun));
  // The wait counts as work, so that the stream is not idle until the wait is done.
  uint64_t ordered = 0;
  return End(index,
             ToStatus(*api_, api_->cuStreamWaitEvent(begun.handle, handle, 0), "cuStreamWaitEvent"),
             &ordered);
}

Status Streams::Wait(uint64_t event) {
  Stream& stream = streams_[event % kStreams];
  const uint64_t work = event / kStreams;
  if (work <= stream.done.load(std::memory_order_acquire)) return Status();
  const CUevent handle = stream.events[work % kEvents].load(std::memory_order_acquire);
  HY_RETURN_IF_ERROR(ToStatus(*api_, api_->cuEventSynchronize(handle), "cuEventSynchronize"));
  NoteDone(&stream, work);
  return Status();
}

bool Streams::IsDone(uint64_t event) {
  // An error counts as done; Wait reports it.
  return Query(&streams_[event % kStreams], event / kStreams) != CUDA_ERROR_NOT_READY;
}

uint64_t Streams::staging_bytes() const {
  uint64_t bytes = 0;
  for (const Stream& stream : streams_) bytes += stream.staging.bytes();
  return bytes;
}

}  // namespace halyard::runtime::cuda
