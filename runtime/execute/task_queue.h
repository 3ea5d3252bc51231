// Tasks that happen one after the other, in the order in which they were pushed: on a thread of the
// queue, which the first task starts, or on threads of the application.
#ifndef HALYARD_RUNTIME_EXECUTE_TASK_QUEUE_H_
#define HALYARD_RUNTIME_EXECUTE_TASK_QUEUE_H_

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "runtime/forks.h"
#include "runtime/host.h"
#include "runtime/status.h"

namespace halyard::runtime {

class TaskQueue {
 public:
  // Whoever pushes a task fills it. `run` takes it over.
  struct Task {
    void (*run)(Task* self);
    const void* owner;  // for WaitFor
    TaskQueue* queue;
    Task* next;
    uint64_t bytes;  // see NewTask
  };
  // As hy_pool's submit. If the function is null, the queue has a thread of its own.
  struct Application {
    void* user = nullptr;
    void (*submit)(void* user, void (*task)(void* data), void* data) = nullptr;
  };

  // What the queue allocates comes from the host of this thread.
  static Status Create(const Application& application, TaskQueue** queue);
  // Gives the queue up. Nothing may be pushed any more. If this is called in a task, the queue ends
  // with that task; otherwise, its thread has ended when this returns.
  void Close();

  // Returns a piece of memory of at least `bytes`, which begins with a Task, or null. Freed tasks
  // are used again.
  Task* NewTask(uint64_t bytes);
  void FreeTask(Task* task);
  // Returns kResourceExhausted if no thread can be started, and kFailedPrecondition in a child of
  // the process that made the queue. The task is then still the caller's.
  Status Push(Task* task);
  // Waits until no task of the owner is left; null stands for all owners. Does nothing in a task of
  // this queue, which would wait for itself, and in a child of the process that made the queue.
  void WaitFor(const void* owner);

 private:
  TaskQueue() = default;
  ~TaskQueue() = default;
  static void* ThreadMain(void* queue);
  static void Drain(void* queue);
  bool RunNext();  // with mutex_ held, which is given up meanwhile
  bool HasTasksOf(const void* owner) const;
  bool HasForked() const { return ForkCount() != forks_; }
  void Release();

  Host host_;
  Application application_;
  const uint32_t forks_ = ForkCount();
  std::atomic<uint32_t> references_{1};  // the owner, and the thread or the Drain that runs
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t pushed_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t finished_ = PTHREAD_COND_INITIALIZER;
  pthread_t thread_;
  bool started_ = false, stop_ = false;
  bool draining_ = false;  // the application has been asked to call Drain
  Task* first_ = nullptr;
  Task* last_ = nullptr;
  const void* running_ = nullptr;  // owner of the task that runs
  Task* spare_ = nullptr;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_TASK_QUEUE_H_
