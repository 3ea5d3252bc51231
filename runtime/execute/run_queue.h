// Runs that wait for their turn. There is one queue and one thread for each stream of a Context, so
// that Run can return before the host part of a run (on x86, all of it) is done. Queued runs of one
// stream are done in order. An Event whose top bit is set is a ticket, the number of such a run;
// until the run has been submitted, there is no event of the device.
#ifndef HALYARD_RUNTIME_EXECUTE_RUN_QUEUE_H_
#define HALYARD_RUNTIME_EXECUTE_RUN_QUEUE_H_

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "runtime/backend.h"
#include "runtime/forks.h"
#include "runtime/status.h"

namespace halyard::runtime {

class Buffer;
class Executable;

// The work of `event` uses a buffer.
struct BufferUse {
  Event event;
  uint32_t stream = 0;
};

class Grid;
class RunQueue;

// Something for the thread of a queue to do: a run, or a copy from another device.
struct QueuedWork {
  QueuedWork* next;  // in the queue or in its owner's list
  RunQueue* queue;
  uint32_t stream;
  Event ticket;  // set once the work is queued
  // Marks the buffers as used by the ticket, which is set.
  void (*mark)(QueuedWork* self);
  // Does the work, and gives the marks the event that it returns instead: what goes on after it.
  Event (*run)(QueuedWork* self);
  // Called last, when whoever waits has been told. Frees the work.
  void (*end)(QueuedWork* self);
};

// Who is told that a process of a queued grid has ended (Executable::QueueGrid).
struct GridEnd {
  void* user = nullptr;
  void (*ended)(void* user, uint32_t process, const Status& status) = nullptr;
};

// One call of Executable::Run. The Executable makes and keeps it, with arrays for its arguments and
// results.
struct RunRecord : QueuedWork {
  // With more dependencies than these, Run waits.
  static constexpr uint32_t kMaxDependencies = 16;

  Executable* executable;
  Grid* grid;  // null unless it is one process of a queued grid
  uint32_t process;
  GridEnd grid_end;
  Buffer** arguments;
  bool* donated;           // whether the argument's memory has become a result's
  Block* argument_blocks;  // the memory of the arguments, which a later run may move to another
                           // Buffer
  Buffer** results;
  Block* result_blocks;
  bool* made;  // results that this run made itself, and takes back if it fails
  struct Dependency {
    Event event;
    bool on_host;  // whether the host itself touches the buffer
  } dependencies[kMaxDependencies];
  uint32_t num_dependencies;
  bool needs_queued;  // whether a buffer of this run is in use by one that was queued
};

// Asks to be called when a queued run has been submitted. Until then, whoever asks owns it.
struct RunNotice {
  void (*call)(RunNotice* self);
  uint64_t number = 0;  // of the run in its queue
  RunNotice* next = nullptr;
};

class RunQueue {
 public:
  RunQueue() = default;
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;
  // All runs must have been waited for before.
  ~RunQueue();

  static bool IsTicket(Event event) { return (event.id >> 63) != 0; }
  // Returns the number of a ticket's queue. Later tickets of the same queue are submitted later.
  static uint32_t QueueNumber(Event ticket) { return ticket.id >> 48 & 0x7FFF; }
  // If there are more streams than this, they share queues, which orders them more than was asked.
  // The logical devices of a Context have a queue each, so it has no more of them.
  static constexpr uint32_t kQueues = 64;
  static bool IsOfStream(Event ticket, uint32_t stream) {
    return QueueNumber(ticket) == stream % kQueues;
  }
  // Returns whether this process is a child of the one that made the queues. It then has none of
  // their threads, and nothing may be pushed.
  bool HasForked() const { return ForkCount() != forks_; }
  // Returns whether this thread belongs to a queue.
  static bool OnQueueThread();
  // Returns whether this thread executes a queued run. A custom call that runs a program must not
  // wait for itself.
  static bool InQueuedRun();

  // Queues the work. Waits while kMaxQueued pieces of work are before it, but not on a queue's
  // thread, which other runs wait for. Returns kResourceExhausted if no thread can be started.
  Status Push(QueuedWork* work);
  // Queues all pieces of work, which wait for each other, so no two may have the same queue. They
  // may be of several Contexts. No other work comes between: if two threads queue work for the same
  // queues, that of one thread comes first in all of them. On an error, none is queued. Sorts the
  // array.
  static Status PushAll(QueuedWork** work, uint32_t count);
  // Returns whether runs of the stream are queued.
  bool IsBusy(uint32_t stream);
  // Waits until the run has been submitted. If its work goes on, returns the event at or before
  // which it ends.
  Event WaitUntilSubmitted(Event ticket);
  // Does the same without waiting. Returns false if the run is still queued.
  bool IsSubmitted(Event ticket, Event* event);
  // Has the queue's thread call the notice once the run has been submitted. The notice may start
  // runs, but must not wait for any: later runs of the queue come after it. Returns false, and
  // leaves the notice alone, if the run has been submitted already.
  bool Notify(Event ticket, RunNotice* notice);
  // Waits for all runs, and for their notices.
  void WaitUntilIdle();

 private:
  static constexpr uint64_t kMaxQueued = 256;

  struct Queue {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t pushed = PTHREAD_COND_INITIALIZER;
    pthread_cond_t finished_one = PTHREAD_COND_INITIALIZER;
    pthread_t thread;
    bool started = false, stop = false;
    bool asleep = false;                    // the thread waits for `pushed`
    std::atomic<uint64_t> pushed_count{0};  // written under `mutex`
    uint64_t finished_count = 0;
    QueuedWork* first = nullptr;
    QueuedWork* last = nullptr;
    RunNotice* notices = nullptr;
    bool ending = false;  // a finished run releases its buffers, and its notices are being called
    Event newest;         // of the work that the runs have submitted
  };

  static void* ThreadMain(void* queue);
  static Queue& QueueFor(QueuedWork* work) { return work->queue->queues_[work->stream % kQueues]; }
  // These three need the mutex. AwaitRoom releases it while it waits.
  static Status Start(Queue& queue);
  static void AwaitRoom(Queue& queue);
  static bool Append(Queue& queue, QueuedWork* work);  // returns whether the thread must be woken
  static void AwaitPush(Queue& queue);                 // with the mutex held; ends with `stop`, too
  static RunNotice* TakeDueNotices(Queue& queue);      // with the mutex held
  Queue& QueueOf(Event ticket) { return queues_[QueueNumber(ticket)]; }

  const uint32_t forks_ = ForkCount();  // when they were made
  Queue queues_[kQueues];
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_RUN_QUEUE_H_
