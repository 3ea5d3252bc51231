// CUDA streams by number, and events by number.
#ifndef HALYARD_RUNTIME_CUDA_STREAMS_H_
#define HALYARD_RUNTIME_CUDA_STREAMS_H_

#include <stdint.h>

#include "runtime/cuda/api.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

// Thread-safe; the context is current in every call.
class Streams {
 public:
  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  void Init(const Api* api) { api_ = api; }
  void Destroy();  // waits for all work

  // Puts work on a stream, and an event after it: Begin, enqueue on the CUstream, then End (also
  // when that failed).
  Status Begin(uint32_t stream, CUstream* handle);
  Status End(uint32_t stream, Status enqueued, uint64_t* event);

  Status Wait(uint64_t event);
  bool IsDone(uint64_t event);
  // The newest event of a stream, 0 if none.
  uint64_t Newest(uint32_t stream);

 private:
  // More streams than this share: they are ordered more than asked.
  static constexpr uint32_t kStreams = 32;
  // Events in flight on a stream that are told apart. Older ones are waited for by a newer one's
  // event.
  static constexpr uint32_t kEvents = 64;

  struct Stream {
    CUstream handle = nullptr;
    uint64_t count = 0;            // work submitted
    CUevent events[kEvents] = {};  // of work number n, at n % kEvents
  };
  // Event number: work number and stream.
  static uint64_t Number(uint64_t work, uint32_t stream) { return work * kStreams + stream; }
  CUevent Find(uint64_t event);

  const Api* api_ = nullptr;
  gpu::Mutex mutex_;  // guards what follows; held from Begin to End
  Stream streams_[kStreams];
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_STREAMS_H_
