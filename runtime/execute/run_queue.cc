#include "runtime/execute/run_queue.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/execute/context.h"
#include "runtime/execute/executor.h"
#include "runtime/spin.h"

namespace halyard::runtime {
namespace {

constexpr uint64_t kCountMask = (uint64_t{1} << 48) - 1;

__thread bool on_queue_thread = false;
__thread bool in_queued_run = false;

Event Ticket(uint64_t queue, uint64_t number) {
  return Event{uint64_t{1} << 63 | queue << 48 | (number & kCountMask)};
}

}  // namespace

bool RunQueue::OnQueueThread() { return on_queue_thread; }
bool RunQueue::InQueuedRun() { return in_queued_run; }

RunQueue::~RunQueue() {
  if (HasForked()) return;
  for (Queue& queue : queues_) {
    if (queue.started) {
      pthread_mutex_lock(&queue.mutex);
      queue.stop = true;
      pthread_cond_signal(&queue.pushed);
      pthread_mutex_unlock(&queue.mutex);
      pthread_join(queue.thread, nullptr);
    }
    pthread_mutex_destroy(&queue.mutex);
    pthread_cond_destroy(&queue.pushed);
    pthread_cond_destroy(&queue.finished_one);
  }
}

Status RunQueue::Start(Queue& queue) {
  if (queue.started) return Status();
  const int error = pthread_create(&queue.thread, nullptr, ThreadMain, &queue);
  if (error != 0) {
    return MakeStatus(Code::kResourceExhausted, "cannot start a stream's thread: %s",
                      strerror(error));
  }
  queue.started = true;
  return Status();
}

void RunQueue::AwaitRoom(Queue& queue) {
  while (!on_queue_thread && queue.pushed_count - queue.finished_count >= kMaxQueued)
    pthread_cond_wait(&queue.finished_one, &queue.mutex);
}

bool RunQueue::Append(Queue& queue, QueuedWork* work) {
  work->ticket = Ticket(work->stream % kQueues, ++queue.pushed_count);
  work->mark(work);
  work->next = nullptr;
  (queue.first == nullptr ? queue.first : queue.last->next) = work;
  queue.last = work;
  return queue.asleep;
}

Status RunQueue::Push(QueuedWork* work) {
  Queue& queue = QueueFor(work);
  pthread_mutex_lock(&queue.mutex);
  Status started = Start(queue);
  if (!started.ok()) {
    pthread_mutex_unlock(&queue.mutex);
    return started;
  }
  AwaitRoom(queue);
  const bool wake = Append(queue, work);
  pthread_mutex_unlock(&queue.mutex);
  if (wake) pthread_cond_signal(&queue.pushed);
  return Status();
}

// Takes the mutexes in the order of their addresses. Room is awaited before, one queue at a time,
// so a queue may exceed kMaxQueued by the number of threads that do this at once.
Status RunQueue::PushAll(QueuedWork** work, uint32_t count) {
  qsort(work, count, sizeof(*work), [](const void* a, const void* b) {
    const Queue* first = &QueueFor(*static_cast<QueuedWork* const*>(a));
    const Queue* second = &QueueFor(*static_cast<QueuedWork* const*>(b));
    return first < second ? -1 : first > second ? 1 : 0;
  });
  for (uint32_t i = 0; i < count; ++i) {
    Queue& queue = QueueFor(work[i]);
    if (i > 0 && &queue == &QueueFor(work[i - 1])) {
      return MakeStatus(Code::kInvalidArgument,
                        "two processes of a queued run would wait for each other on one device");
    }
    pthread_mutex_lock(&queue.mutex);
    Status started = Start(queue);
    if (started.ok()) AwaitRoom(queue);
    pthread_mutex_unlock(&queue.mutex);
    if (!started.ok()) return started;
  }
  for (uint32_t i = 0; i < count; ++i) pthread_mutex_lock(&QueueFor(work[i]).mutex);
  for (uint32_t i = 0; i < count; ++i) {
    Queue& queue = QueueFor(work[i]);
    if (Append(queue, work[i])) pthread_cond_signal(&queue.pushed);
  }
  // Work is not touched after its mutex is released, because it may have ended and been freed.
  for (uint32_t i = 0; i < count; ++i) pthread_mutex_unlock(&QueueFor(work[i]).mutex);
  return Status();
}

void RunQueue::AwaitPush(Queue& queue) {
  if (queue.first != nullptr || queue.stop) return;
  const uint64_t seen = queue.pushed_count.load(std::memory_order_relaxed);
  pthread_mutex_unlock(&queue.mutex);
  SpinUntil([&] { return queue.pushed_count.load(std::memory_order_acquire) != seen; });
  pthread_mutex_lock(&queue.mutex);
  queue.asleep = true;
  while (queue.first == nullptr && !queue.stop) pthread_cond_wait(&queue.pushed, &queue.mutex);
  queue.asleep = false;
}

RunNotice* RunQueue::TakeDueNotices(Queue& queue) {
  RunNotice* due = nullptr;
  for (RunNotice** at = &queue.notices; *at != nullptr;) {
    RunNotice* notice = *at;
    if (notice->number > queue.finished_count) {
      at = &notice->next;
      continue;
    }
    *at = notice->next;
    notice->next = due;
    due = notice;
  }
  return due;
}

void* RunQueue::ThreadMain(void* argument) {
  pthread_setname_np(pthread_self(), "halyard-queue");
  Queue& queue = *static_cast<Queue*>(argument);
  on_queue_thread = true;
  pthread_mutex_lock(&queue.mutex);
  while (true) {
    AwaitPush(queue);
    QueuedWork* work = queue.first;
    if (work == nullptr) break;
    queue.first = work->next;
    pthread_mutex_unlock(&queue.mutex);
    in_queued_run = true;
    const Event done = work->run(work);
    in_queued_run = false;
    pthread_mutex_lock(&queue.mutex);
    if (done.id != 0) queue.newest = done;
    ++queue.finished_count;
    RunNotice* due = TakeDueNotices(queue);
    queue.ending = true;
    pthread_cond_broadcast(&queue.finished_one);
    pthread_mutex_unlock(&queue.mutex);
    // Whoever waits for the Executable may then destroy it, and the Context unless it waits for
    // notices.
    work->end(work);
    while (due != nullptr) {
      RunNotice* notice = due;
      due = notice->next;
      notice->call(notice);
    }
    pthread_mutex_lock(&queue.mutex);
    queue.ending = false;
    pthread_cond_broadcast(&queue.finished_one);
  }
  pthread_mutex_unlock(&queue.mutex);
  return nullptr;
}

bool RunQueue::Notify(Event ticket, RunNotice* notice) {
  Queue& queue = QueueOf(ticket);
  notice->number = ticket.id & kCountMask;
  pthread_mutex_lock(&queue.mutex);
  const bool waits = queue.finished_count < notice->number;
  if (waits) {
    notice->next = queue.notices;
    queue.notices = notice;
  }
  pthread_mutex_unlock(&queue.mutex);
  return waits;
}

bool RunQueue::IsBusy(uint32_t stream) {
  Queue& queue = queues_[stream % kQueues];
  pthread_mutex_lock(&queue.mutex);
  const bool busy = queue.pushed_count != queue.finished_count;
  pthread_mutex_unlock(&queue.mutex);
  return busy;
}

Event RunQueue::WaitUntilSubmitted(Event ticket) {
  Queue& queue = QueueOf(ticket);
  pthread_mutex_lock(&queue.mutex);
  while (queue.finished_count < (ticket.id & kCountMask))
    pthread_cond_wait(&queue.finished_one, &queue.mutex);
  const Event newest = queue.newest;
  pthread_mutex_unlock(&queue.mutex);
  return newest;
}

bool RunQueue::IsSubmitted(Event ticket, Event* event) {
  Queue& queue = QueueOf(ticket);
  pthread_mutex_lock(&queue.mutex);
  const bool submitted = queue.finished_count >= (ticket.id & kCountMask);
  *event = queue.newest;
  pthread_mutex_unlock(&queue.mutex);
  return submitted;
}

void RunQueue::WaitUntilIdle() {
  if (on_queue_thread) return;
  for (Queue& queue : queues_) {
    pthread_mutex_lock(&queue.mutex);
    while (queue.pushed_count != queue.finished_count || queue.ending)
      pthread_cond_wait(&queue.finished_one, &queue.mutex);
    pthread_mutex_unlock(&queue.mutex);
  }
}

}  // namespace halyard::runtime
