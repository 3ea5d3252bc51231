#include "runtime/execute/task_queue.h"

#include <string.h>

#include <new>

namespace halyard::runtime {
namespace {

__thread TaskQueue* queue_of_this_task = nullptr;

}  // namespace

Status TaskQueue::Create(const Application& application, TaskQueue** queue) {
  void* memory = HeapAllocate(sizeof(TaskQueue));
  if (memory == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for a queue of runs");
  TaskQueue* made = new (memory) TaskQueue();
  made->host_ = CurrentHost();
  made->application_ = application;
  *queue = made;
  return Status();
}

void TaskQueue::Release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  while (spare_ != nullptr) {
    Task* next = spare_->next;
    HeapFree(spare_);
    spare_ = next;
  }
  if (!HasForked()) {
    pthread_mutex_destroy(&mutex_);
    pthread_cond_destroy(&pushed_);
    pthread_cond_destroy(&finished_);
  }
  this->~TaskQueue();
  HeapFree(this);
}

void TaskQueue::Close() {
  if (!HasForked()) {
    pthread_mutex_lock(&mutex_);
    stop_ = true;
    const bool started = started_;
    pthread_cond_signal(&pushed_);
    pthread_mutex_unlock(&mutex_);
    if (started && queue_of_this_task == this) {
      pthread_detach(thread_);
    } else if (started) {
      pthread_join(thread_, nullptr);
    } else {
      WaitFor(nullptr);
    }
  }
  Release();
}

TaskQueue::Task* TaskQueue::NewTask(uint64_t bytes) {
  if (HasForked()) return nullptr;
  pthread_mutex_lock(&mutex_);
  Task** at = &spare_;
  while (*at != nullptr && (*at)->bytes < bytes) at = &(*at)->next;
  Task* task = *at;
  if (task != nullptr) *at = task->next;
  pthread_mutex_unlock(&mutex_);
  if (task != nullptr) return task;
  const HostScope scope(&host_);
  task = static_cast<Task*>(HeapAllocate(bytes));
  if (task != nullptr) task->bytes = bytes;
  return task;
}

void TaskQueue::FreeTask(Task* task) {
  pthread_mutex_lock(&mutex_);
  task->next = spare_;
  spare_ = task;
  pthread_mutex_unlock(&mutex_);
}

Status TaskQueue::Push(Task* task) {
  if (HasForked()) {
    return MakeStatus(Code::kFailedPrecondition,
                      "the device was opened before this process was forked: open it anew");
  }
  task->queue = this;
  task->next = nullptr;
  pthread_mutex_lock(&mutex_);
  if (application_.submit == nullptr && !started_) {
    const int error = pthread_create(&thread_, nullptr, ThreadMain, this);
    if (error != 0) {
      pthread_mutex_unlock(&mutex_);
      return MakeStatus(Code::kResourceExhausted, "cannot start the thread of a queue: %s",
                        strerror(error));
    }
    started_ = true;
    references_.fetch_add(1, std::memory_order_relaxed);
  }
  (first_ == nullptr ? first_ : last_->next) = task;
  last_ = task;
  const bool submit = application_.submit != nullptr && !draining_;
  if (submit) {
    draining_ = true;
    references_.fetch_add(1, std::memory_order_relaxed);
  }
  pthread_cond_signal(&pushed_);
  pthread_mutex_unlock(&mutex_);
  if (submit) application_.submit(application_.user, &Drain, this);
  return Status();
}

bool TaskQueue::RunNext() {
  Task* task = first_;
  if (task == nullptr) return false;
  first_ = task->next;
  running_ = task->owner;
  pthread_mutex_unlock(&mutex_);
  TaskQueue* outer = queue_of_this_task;
  queue_of_this_task = this;
  {
    const HostScope scope(&host_);
    task->run(task);
  }
  queue_of_this_task = outer;
  pthread_mutex_lock(&mutex_);
  running_ = nullptr;
  pthread_cond_broadcast(&finished_);
  return true;
}

void TaskQueue::Drain(void* data) {
  TaskQueue* queue = static_cast<TaskQueue*>(data);
  pthread_mutex_lock(&queue->mutex_);
  while (queue->RunNext()) {
  }
  queue->draining_ = false;
  pthread_cond_broadcast(&queue->finished_);
  pthread_mutex_unlock(&queue->mutex_);
  queue->Release();
}

void* TaskQueue::ThreadMain(void* data) {
  pthread_setname_np(pthread_self(), "halyard-async");
  TaskQueue* queue = static_cast<TaskQueue*>(data);
  pthread_mutex_lock(&queue->mutex_);
  for (;;) {
    if (queue->RunNext()) continue;
    if (queue->stop_) break;
    pthread_cond_wait(&queue->pushed_, &queue->mutex_);
  }
  pthread_mutex_unlock(&queue->mutex_);
  queue->Release();
  return nullptr;
}

// While tasks are left over, the application's Drain is running or will be.
bool TaskQueue::HasTasksOf(const void* owner) const {
  if (owner == nullptr) return first_ != nullptr || running_ != nullptr || draining_;
  for (const Task* task = first_; task != nullptr; task = task->next) {
    if (task->owner == owner) return true;
  }
  return running_ == owner;
}

void TaskQueue::WaitFor(const void* owner) {
  if (HasForked() || queue_of_this_task == this) return;
  pthread_mutex_lock(&mutex_);
  while (HasTasksOf(owner)) pthread_cond_wait(&finished_, &mutex_);
  pthread_mutex_unlock(&mutex_);
}

}  // namespace halyard::runtime
