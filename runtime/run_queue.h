// Runs that wait for their turn: one queue and one thread for each stream of a Context, so that Run
// can return before a run's host part (on x86: all of it) is done. Queued runs of one stream are
// done in order. An Event with its top bit set is the number of such a run, a ticket: until the run
// has been submitted there is no event of the device.
#ifndef HALYARD_RUNTIME_RUN_QUEUE_H_
#define HALYARD_RUNTIME_RUN_QUEUE_H_

#include <pthread.h>
#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/status.h"

namespace halyard::runtime {

class Buffer;
class Executable;

// Work of `event` uses a buffer.
struct BufferUse {
  Event event;
  uint32_t stream = 0;
};

// One call of Executable::Run. Made and kept by the Executable, with arrays for its arguments and
// results.
struct RunRecord {
  // Beyond these, Run waits.
  static constexpr uint32_t kMaxDependencies = 16;

  Executable* executable;
  RunRecord* next;  // in the queue, or in the Executable's list
  uint32_t stream;
  Event ticket;  // once queued
  Buffer** arguments;
  bool* donated;           // the argument's memory has become a result's
  Block* argument_blocks;  // the memory, which a later run may move to another Buffer
  Buffer** results;
  Block* result_blocks;
  bool* made;  // results that this run made itself, and so takes back when it fails
  struct Dependency {
    Event event;
    bool on_host;  // the host itself touches the buffer
  } dependencies[kMaxDependencies];
  uint32_t num_dependencies;
};

class RunQueue {
 public:
  RunQueue() = default;
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;
  // All runs have been waited for.
  ~RunQueue();

  static bool IsTicket(Event event) { return (event.id >> 63) != 0; }
  // Of a ticket: later ones of the same queue are submitted later.
  static uint32_t QueueNumber(Event ticket) { return ticket.id >> 48 & 0x7FFF; }
  // More streams than this share queues: they are ordered more than asked.
  static constexpr uint32_t kQueues = 16;
  static bool IsOfStream(Event ticket, uint32_t stream) {
    return QueueNumber(ticket) == stream % kQueues;
  }
  // Whether this thread is one of a queue: a custom call that runs a program must not wait for
  // itself.
  static bool OnQueueThread();

  // Queues the run, whose buffers are marked as used by the ticket, and are referenced until it is
  // done. Waits while kMaxQueued are before it. kResourceExhausted: no thread can be started.
  Status Push(RunRecord* run);
  // Whether runs of the stream are queued.
  bool IsBusy(uint32_t stream);
  // Until the run has been submitted; gives an event that the run's work, if it goes on, ends with
  // or before.
  Event WaitUntilSubmitted(Event ticket);
  // The same without waiting; false: it is queued.
  bool IsSubmitted(Event ticket, Event* event);
  void WaitUntilIdle();

 private:
  static constexpr uint64_t kMaxQueued = 256;

  struct Queue {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t pushed = PTHREAD_COND_INITIALIZER;
    pthread_cond_t finished_one = PTHREAD_COND_INITIALIZER;
    pthread_t thread;
    bool started = false, stop = false;
    uint64_t pushed_count = 0, finished_count = 0;
    RunRecord* first = nullptr;
    RunRecord* last = nullptr;
    Event newest;  // of the device's work that the runs submitted
  };

  static void* ThreadMain(void* queue);
  Queue& QueueOf(Event ticket) { return queues_[QueueNumber(ticket)]; }

  Queue queues_[kQueues];
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_RUN_QUEUE_H_
