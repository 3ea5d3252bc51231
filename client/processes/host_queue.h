// Queues for what the host exchanges with a running program: infeed, outfeed, and transfers on
// channels.
#ifndef HALYARD_CLIENT_PROCESSES_HOST_QUEUE_H_
#define HALYARD_CLIENT_PROCESSES_HOST_QUEUE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/values/literal.h"

namespace halyard {

// A queue of items, first in, first out. An item consists of the arrays, leaf by leaf, that one op
// gives or takes. Thread-safe.
class HostQueue {
 public:
  static constexpr size_t kUnbounded = SIZE_MAX;
  explicit HostQueue(size_t capacity = kUnbounded) : capacity_(capacity) {}

  // Waits while the queue is full. Returns kFailedPrecondition once it is closed.
  absl::Status Push(std::vector<hlo::Literal> item);
  // Waits while the queue is empty. Returns kOutOfRange once it is closed and empty.
  absl::StatusOr<std::vector<hlo::Literal>> Pop();
  // Declares that no further item will come. Items that are in the queue can still be taken.
  void Close();
  // Takes all items that are in the queue, without waiting.
  std::vector<std::vector<hlo::Literal>> TakeAll();

 private:
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<hlo::Literal>> items_;
  bool closed_ = false;
};

// The queues of one process. A run closes all of them when it ends, even with an error, so that
// nobody waits for them any longer. If a host closes a queue early, the program's next use of it is
// an error.
class ProcessHost {
 public:
  explicit ProcessHost(size_t capacity = HostQueue::kUnbounded)
      : infeed(capacity), outfeed(capacity), capacity_(capacity) {}
  HostQueue infeed, outfeed;
  // The queues of host transfers on a channel, made when they are first used.
  HostQueue& to_device(int64_t channel) { return QueueOf(&to_device_, channel); }
  HostQueue& to_host(int64_t channel) { return QueueOf(&to_host_, channel); }
  // Returns the channels on which something was sent to the host.
  std::vector<int64_t> sent_channels();
  void CloseAll();

 private:
  HostQueue& QueueOf(std::map<int64_t, HostQueue>* queues, int64_t channel);

  const size_t capacity_;
  std::mutex mutex_;
  std::map<int64_t, HostQueue> to_device_, to_host_;
  bool closed_ = false;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_PROCESSES_HOST_QUEUE_H_
