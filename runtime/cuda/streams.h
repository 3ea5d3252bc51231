// Numbers CUDA streams and events.
#ifndef HALYARD_RUNTIME_CUDA_STREAMS_H_
#define HALYARD_RUNTIME_CUDA_STREAMS_H_

#include <stdint.h>

#include <atomic>

#include "runtime/cuda/api.h"
#include "runtime/cuda/staging.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

// Thread-safe; the context is current in every call. Streams do not wait for one another, neither
// here nor on the device.
class Streams {
 public:
  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  // If `application` is not null, all work goes to this stream, which belongs to the application.
  void Init(const Api* api, CUstream application);
  void Destroy();  // waits for all work

  // What Begin returns: the stream, and what copies through it use.
  struct Work {
    CUstream handle = nullptr;
    Staging* staging = nullptr;
  };
  // To put work on a stream, call Begin, enqueue on the CUstream, and then call End, which puts an
  // event after the work. Call End even if enqueuing failed. In between, the stream belongs to the
  // thread.
  Status Begin(uint32_t stream, Work* work);
  Status End(uint32_t stream, Status enqueued, uint64_t* event);
  // Between Begin and End: returns whether it is known that nothing is in flight on the stream.
  bool IsIdle(uint32_t stream);
  // Call this in place of End if nothing was enqueued.
  void Leave(uint32_t stream) { streams_[Index(stream)].mutex.Unlock(); }

  // Work that is put on the stream from now on comes after `event`, of any stream.
  Status Order(uint64_t event, uint32_t stream);
  Status Wait(uint64_t event);
  bool IsDone(uint64_t event);
  uint64_t staging_bytes() const;  // pinned memory of all streams

 private:
  // If there are more streams than this, they share, which orders them more than was asked.
  static constexpr uint32_t kStreams = 32;
  // The number of events in flight on a stream that are distinguished. An older event is waited for
  // by a newer one.
  static constexpr uint32_t kEvents = 64;

  struct Stream {
    gpu::Mutex mutex;  // held from Begin to End
    CUstream handle = nullptr;
    std::atomic<uint64_t> count{0};             // number of works submitted
    std::atomic<uint64_t> done{0};              // number of works known to be done
    std::atomic<CUevent> events[kEvents] = {};  // of work number n, at n % kEvents
    Staging staging;
  };
  uint32_t Index(uint32_t stream) const { return shared_ ? 0 : stream % kStreams; }
  // Event number: work number and stream.
  static uint64_t Number(uint64_t work, uint32_t stream) { return work * kStreams + stream; }
  Status Prepare(Stream* stream);
  CUresult Query(Stream* stream, uint64_t work);
  void NoteDone(Stream* stream, uint64_t work);

  const Api* api_ = nullptr;
  bool shared_ = false;  // the one stream is the application's
  Stream streams_[kStreams];
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_STREAMS_H_
