#include "runtime/x86/thread_pool.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "runtime/forks.h"
#include "runtime/spin.h"

namespace halyard::runtime::x86 {
namespace {

constexpr int kChunksPerThread = 8;

__thread ThreadState* current_state = nullptr;

}  // namespace

ThreadState* CurrentThreadState() { return current_state; }
void SetCurrentThreadState(ThreadState* state) { current_state = state; }

// One loop, which lies on its caller's stack. mutex_ guards `active`, `next_job` and `previous`.
struct ThreadPool::Job {
  ParallelBody body;
  void* user_context;
  uint8_t* closure;
  int64_t end;
  int64_t chunk;
  char* message;
  pthread_mutex_t* message_mutex;
  std::atomic<int64_t> next;
  std::atomic<int> result{0};
  std::atomic<int> active{
      0};  // workers inside; written under mutex_, read without it by the spinning caller
  Job* next_job = nullptr;
  Job* previous = nullptr;

  bool HasWork() const { return next.load(std::memory_order_relaxed) < end; }
  void Run() {
    for (;;) {
      const int64_t from = next.fetch_add(chunk, std::memory_order_relaxed);
      if (from >= end) return;
      const int64_t to = from + chunk < end ? from + chunk : end;
      for (int64_t i = from; i < to; ++i) {
        const int error = body(user_context, static_cast<int>(i), closure);
        if (error == 0) continue;
        int none = 0;
        result.compare_exchange_strong(none, error);
        next.store(end, std::memory_order_relaxed);
        return;
      }
    }
  }
};

bool ThreadPool::HasForked() const { return ForkCount() != forks_; }

Status ThreadPool::Create(uint32_t threads, bool spin, ThreadPool** pool) {
  if (threads > kMostThreads)
    return MakeStatus(Code::kInvalidArgument, "%u threads: at most %u", threads, kMostThreads);
  void* memory = malloc(sizeof(ThreadPool));
  if (memory == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a thread pool");
  ThreadPool* made = new (memory) ThreadPool();
  made->threads_ = threads == 0 ? 1 : threads;
  made->spin_ = spin;
  made->forks_ = ForkCount();
  if (made->threads_ > 1) {
    made->workers_ = static_cast<pthread_t*>(calloc(made->threads_ - 1, sizeof(pthread_t)));
  }
  Status status;
  for (uint32_t i = 0; i + 1 < made->threads_; ++i) {
    const int error = made->workers_ == nullptr
                          ? -1
                          : pthread_create(&made->workers_[i], nullptr, WorkerMain, made);
    if (error != 0) {
      status = MakeStatus(Code::kResourceExhausted, "cannot start thread %u of %u: %s", i + 1,
                          made->threads_, error > 0 ? strerror(error) : "no memory");
      break;
    }
    ++made->started_;
  }
  if (!status.ok()) {
    made->Destroy();
    return status;
  }
  *pool = made;
  return Status();
}

void ThreadPool::Destroy() {
  if (HasForked()) {  // no worker is in this process, and one may have held the mutex at the fork
    free(workers_);
    this->~ThreadPool();
    free(this);
    return;
  }
  pthread_mutex_lock(&mutex_);
  stop_ = true;
  epoch_.fetch_add(1);
  pthread_cond_broadcast(&work_);
  pthread_mutex_unlock(&mutex_);
  for (uint32_t i = 0; i < started_; ++i) pthread_join(workers_[i], nullptr);
  free(workers_);
  pthread_mutex_destroy(&mutex_);
  pthread_cond_destroy(&work_);
  pthread_cond_destroy(&done_);
  this->~ThreadPool();
  free(this);
}

void ThreadPool::RequireTaskScratch(uint64_t bytes) {
  uint64_t seen = task_scratch_.load();
  while (seen < bytes && !task_scratch_.compare_exchange_weak(seen, bytes)) {
  }
}

uint64_t ThreadPool::scratch_bytes() const {
  return started_ * ScratchRegion::SizeFor(task_scratch_.load(std::memory_order_relaxed));
}

int ThreadPool::ParallelFor(ThreadState* state, ParallelBody body, void* user_context, int32_t min,
                            int32_t size, uint8_t* closure) {
  if (size <= 0) return 0;
  if (size == 1 || threads_ == 1 || state->in_task || HasForked()) {
    for (int64_t i = min; i < int64_t{min} + size; ++i) {
      const int error = body(user_context, static_cast<int>(i), closure);
      if (error != 0) return error;
    }
    return 0;
  }
  Job job;
  job.body = body;
  job.user_context = user_context;
  job.closure = closure;
  job.end = int64_t{min} + size;
  job.chunk = size / (int64_t{threads_} * kChunksPerThread);
  if (job.chunk == 0) job.chunk = 1;
  job.message = state->message;
  job.message_mutex = state->message_mutex;
  job.next.store(min, std::memory_order_relaxed);

  pthread_mutex_lock(&mutex_);
  job.next_job = jobs_;
  if (jobs_ != nullptr) jobs_->previous = &job;
  jobs_ = &job;
  epoch_.fetch_add(1, std::memory_order_release);
  const uint32_t wanted = static_cast<uint32_t>(size) - 1;
  const uint32_t wake = wanted < sleepers_ ? wanted : sleepers_;
  if (wake >= started_) {
    pthread_cond_broadcast(&work_);
  } else {
    for (uint32_t i = 0; i < wake; ++i) pthread_cond_signal(&work_);
  }
  pthread_mutex_unlock(&mutex_);

  state->in_task = true;
  job.Run();
  state->in_task = false;

  if (spin_) SpinUntil([&job] { return job.active.load(std::memory_order_acquire) == 0; });
  // Removes the job, so that no other worker finds it, and waits for those that are inside.
  pthread_mutex_lock(&mutex_);
  if (job.previous != nullptr) {
    job.previous->next_job = job.next_job;
  } else {
    jobs_ = job.next_job;
  }
  if (job.next_job != nullptr) job.next_job->previous = job.previous;
  while (job.active.load(std::memory_order_relaxed) != 0) pthread_cond_wait(&done_, &mutex_);
  pthread_mutex_unlock(&mutex_);
  return job.result.load();
}

void* ThreadPool::WorkerMain(void* pool) {
  pthread_setname_np(pthread_self(), "halyard-worker");
  static_cast<ThreadPool*>(pool)->Work();
  return nullptr;
}

ThreadPool::Job* ThreadPool::FindJob() {
  for (Job* job = jobs_; job != nullptr; job = job->next_job) {
    if (job->HasWork()) return job;
  }
  return nullptr;
}

void ThreadPool::WaitForWork(uint64_t seen) {
  if (spin_) {
    pthread_mutex_unlock(&mutex_);
    SpinUntil([&] { return epoch_.load(std::memory_order_acquire) != seen; });
    pthread_mutex_lock(&mutex_);
  }
  if (epoch_.load(std::memory_order_relaxed) != seen || stop_) return;
  ++sleepers_;
  pthread_cond_wait(&work_, &mutex_);
  --sleepers_;
}

void ThreadPool::Work() {
  FloatEnvironment environment;
  ScratchRegion scratch;
  ThreadState state;
  state.pool = this;
  state.scratch = &scratch;
  state.in_task = true;
  SetCurrentThreadState(&state);
  pthread_mutex_lock(&mutex_);
  while (!stop_) {
    const uint64_t seen = epoch_.load(std::memory_order_relaxed);
    Job* job = FindJob();
    if (job == nullptr) {
      WaitForWork(seen);
      continue;
    }
    job->active.fetch_add(1, std::memory_order_relaxed);
    pthread_mutex_unlock(&mutex_);
    state.message = job->message;
    state.message_mutex = job->message_mutex;
    // If there is no memory for this, pieces come from the heap one by one.
    (void)scratch.Reserve(task_scratch_.load(std::memory_order_relaxed)).ok();
    const uint64_t before = scratch.heap_allocations();
    job->Run();
    heap_allocations_.fetch_add(scratch.heap_allocations() - before, std::memory_order_relaxed);
    scratch.GrowToPeak();
    pthread_mutex_lock(&mutex_);
    // This is the last access to the job, which goes away once its caller has the mutex and sees 0.
    if (job->active.fetch_sub(1, std::memory_order_release) == 1) pthread_cond_broadcast(&done_);
  }
  pthread_mutex_unlock(&mutex_);
  SetCurrentThreadState(nullptr);
}

}  // namespace halyard::runtime::x86
