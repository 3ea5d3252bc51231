// What the host gives to a running program and takes from it: infeed, outfeed, and transfers on
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

// A queue of items, first in, first out. An item is what one op gives or takes: its arrays, leaf by
// leaf. Thread-safe.
class HostQueue {
 public:
  static constexpr size_t kUnbounded = SIZE_MAX;
  explicit HostQueue(size_t capacity = kUnbounded) : capacity_(capacity) {}

  // Waits while the queue is full. kFailedPrecondition once it is closed.
  absl::Status Push(std::vector<hlo::Literal> item);
  // Waits while the queue is empty. kOutOfRange once it is closed and empty.
  absl::StatusOr<std::vector<hlo::Literal>> Pop();
  // No further item will come. Items that are in the queue can still be taken.
  void Close();
  // Takes all items that are there, without waiting.
  std::vector<std::vector<hlo::Literal>> TakeAll();

 private:
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<hlo::Literal>> items_;
  bool closed_ = false;
};

// The queues of one process. A run closes all of them when it ends, however it ends, so that nobody
// waits for it longer. A host that closes a queue early makes the program's next use of it an
// error.
class ProcessHost {
 public:
  explicit ProcessHost(size_t capacity = HostQueue::kUnbounded)
      : infeed(capacity), outfeed(capacity), capacity_(capacity) {}
  HostQueue infeed, outfeed;
  // What host transfers on a channel receive and send. Made at their first use.
  HostQueue& to_device(int64_t channel) { return QueueOf(&to_device_, channel); }
  HostQueue& to_host(int64_t channel) { return QueueOf(&to_host_, channel); }
  // Channels on which something was sent to the host.
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
