// CUDA streams by number, and events by number.
#ifndef HALYARD_RUNTIME_CUDA_STREAMS_H_
#define HALYARD_RUNTIME_CUDA_STREAMS_H_

#include <stdint.h>

#include <atomic>

#include "runtime/cuda/api.h"
#include "runtime/cuda/staging.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

// Thread-safe; the context is current in every call. Streams do not wait for one another, here as
// on the device.
class Streams {
 public:
  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  void Init(const Api* api) { api_ = api; }
  void Destroy();  // waits for all work

  // What Begin gives: the stream and what copies through it use.
  struct Work {
    CUstream handle = nullptr;
    Staging* staging = nullptr;
  };
  // Puts work on a stream, and an event after it: Begin, enqueue on the CUstream, then End (also
  // when that failed). The stream is the thread's own in between.
  Status Begin(uint32_t stream, Work* work);
  Status End(uint32_t stream, Status enqueued, uint64_t* event);
  // In between: whether nothing is in flight on it.
  bool IsIdle(uint32_t stream);
  // In place of End, when nothing was enqueued.
  void Leave(uint32_t stream) { streams_[stream % kStreams].mutex.Unlock(); }

  // What is put on the stream from now on comes after `event`, of any stream.
  Status Order(uint64_t event, uint32_t stream);
  Status Wait(uint64_t event);
  bool IsDone(uint64_t event);
  uint64_t staging_bytes() const;  // pinned memory of all streams

 private:
  // More streams than this share: they are ordered more than asked.
  static constexpr uint32_t kStreams = 32;
  // Events in flight on a stream that are told apart. Older ones are waited for by a newer one's
  // event.
  static constexpr uint32_t kEvents = 64;

  struct Stream {
    gpu::Mutex mutex;  // held from Begin to End
    CUstream handle = nullptr;
    std::atomic<uint64_t> count{0};             // work submitted
    std::atomic<uint64_t> done{0};              // work known to be done
    std::atomic<CUevent> events[kEvents] = {};  // of work number n, at n % kEvents
    Staging staging;
  };
  // Event number: work number and stream.
  static uint64_t Number(uint64_t work, uint32_t stream) { return work * kStreams + stream; }
  Status Prepare(Stream* stream);
  CUresult Query(Stream* stream, uint64_t work);
  void NoteDone(Stream* stream, uint64_t work);

  const Api* api_ = nullptr;
  Stream streams_[kStreams];
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_STREAMS_H_
