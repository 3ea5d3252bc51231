#include "runtime/cuda/streams.h"

namespace halyard::runtime::cuda {

using gpu::MutexLock;

void Streams::Destroy() {
  for (Stream& stream : streams_) {
    if (stream.handle == nullptr) continue;
    api_->cuStreamSynchronize(stream.handle);
    for (CUevent event : stream.events) {
      if (event != nullptr) api_->cuEventDestroy(event);
    }
    api_->cuStreamDestroy(stream.handle);
    stream = Stream();
  }
}

Status Streams::Begin(uint32_t index, CUstream* handle) {
  mutex_.Lock();
  Stream& stream = streams_[index % kStreams];
  if (stream.handle == nullptr) {
    Status status = ToStatus(*api_, api_->cuStreamCreate(&stream.handle, CU_STREAM_NON_BLOCKING),
                             "cuStreamCreate");
    if (!status.ok()) {
      mutex_.Unlock();
      return status;
    }
  }
  CUevent& event = stream.events[(stream.count + 1) % kEvents];
  if (event == nullptr) {
    Status status =
        ToStatus(*api_, api_->cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    if (!status.ok()) {
      mutex_.Unlock();
      return status;
    }
  }
  *handle = stream.handle;
  return Status();
}

Status Streams::End(uint32_t index, Status enqueued, uint64_t* event) {
  Stream& stream = streams_[index % kStreams];
  Status status = static_cast<Status&&>(enqueued);
  if (status.ok()) {
    const uint64_t work = stream.count + 1;
    status = ToStatus(*api_, api_->cuEventRecord(stream.events[work % kEvents], stream.handle),
                      "cuEventRecord");
    if (status.ok()) {
      stream.count = work;
      *event = Number(work, index % kStreams);
    }
  }
  // What was enqueued before the failure has no event to wait for.
  if (!status.ok()) api_->cuStreamSynchronize(stream.handle);
  mutex_.Unlock();
  return status;
}

CUevent Streams::Find(uint64_t event) {
  MutexLock lock(&mutex_);
  return streams_[event % kStreams].events[event / kStreams % kEvents];
}

Status Streams::Wait(uint64_t event) {
  if (event < kStreams) return Status();  // work number 0
  return ToStatus(*api_, api_->cuEventSynchronize(Find(event)), "cuEventSynchronize");
}

bool Streams::IsDone(uint64_t event) {
  // An error counts as done: Wait tells.
  return event < kStreams || api_->cuEventQuery(Find(event)) != CUDA_ERROR_NOT_READY;
}

uint64_t Streams::Newest(uint32_t index) {
  MutexLock lock(&mutex_);
  const Stream& stream = streams_[index % kStreams];
  return stream.count == 0 ? 0 : Number(stream.count, index % kStreams);
}

}  // namespace halyard::runtime::cuda
