#include "runtime/x86/thread_pool.h"

#include <string.h>

#include <new>

#include "runtime/forks.h"
#include "runtime/host.h"
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

// The scratch of a worker or task while it runs a loop.
struct ThreadPool::TaskScratch {
  ScratchRegion region;
  TaskScratch* next = nullptr;
};

bool ThreadPool::HasForked() const { return ForkCount() != forks_; }

Status ThreadPool::New(uint32_t threads, uint32_t scratches, ThreadPool** pool) {
  if (threads > kMostThreads)
    return MakeStatus(Code::kInvalidArgument, "%u threads: at most %u", threads, kMostThreads);
  void* memory = HeapAllocate(sizeof(ThreadPool));
  if (memory == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a thread pool");
  ThreadPool* made = new (memory) ThreadPool();
  made->host_ = CurrentHost();
  made->threads_ = threads;
  made->forks_ = ForkCount();
  for (uint32_t i = 0; i < scratches; ++i) {
    void* scratch = HeapAllocate(sizeof(TaskScratch));
    if (scratch == nullptr) {
      made->FreeSelf();
      return MakeStatus(Code::kResourceExhausted, "no memory for a thread pool");
    }
    made->GiveBackScratch(new (scratch) TaskScratch());
    made->num_scratches_.fetch_add(1, std::memory_order_relaxed);
  }
  *pool = made;
  return Status();
}

Status ThreadPool::Create(uint32_t threads, bool spin, ThreadPool** pool) {
  if (threads == 0) threads = 1;
  ThreadPool* made = nullptr;
  HY_RETURN_IF_ERROR(New(threads, threads - 1, &made));
  made->spin_ = spin;
  Status status = made->StartWorkers();
  if (!status.ok()) {
    made->Destroy();
    return status;
  }
  *pool = made;
  return Status();
}

Status ThreadPool::Create(const ApplicationThreads& application, ThreadPool** pool) {
  HY_RETURN_IF_ERROR(New(application.threads, application.threads, pool));
  (*pool)->application_ = application;
  return Status();
}

Status ThreadPool::StartWorkers() {
  if (threads_ == 1) return Status();
  workers_ = static_cast<pthread_t*>(HeapAllocateZeroed(threads_ - 1, sizeof(pthread_t)));
  for (uint32_t i = 0; i + 1 < threads_; ++i) {
    const int error =
        workers_ == nullptr ? -1 : pthread_create(&workers_[i], nullptr, WorkerMain, this);
    if (error != 0) {
      return MakeStatus(Code::kResourceExhausted, "cannot start thread %u of %u: %s", i + 1,
                        threads_, error > 0 ? strerror(error) : "no memory");
    }
    ++started_;
  }
  return Status();
}

void ThreadPool::FreeSelf() {
  while (scratches_ != nullptr) {
    TaskScratch* next = scratches_->next;
    scratches_->~TaskScratch();
    HeapFree(scratches_);
    scratches_ = next;
  }
  HeapFree(workers_);
  this->~ThreadPool();
  HeapFree(this);
}

void ThreadPool::Destroy() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (HasForked()) {  // no worker is in this process, and one may have held the mutex at the fork
    FreeSelf();
    return;
  }
  pthread_mutex_lock(&mutex_);
  stop_ = true;
  epoch_.fetch_add(1);
  pthread_cond_broadcast(&work_);
  pthread_mutex_unlock(&mutex_);
  for (uint32_t i = 0; i < started_; ++i) pthread_join(workers_[i], nullptr);
  pthread_mutex_destroy(&mutex_);
  pthread_cond_destroy(&work_);
  pthread_cond_destroy(&done_);
  FreeSelf();
}

void ThreadPool::RequireTaskScratch(uint64_t bytes) {
  uint64_t seen = task_scratch_.load();
  while (seen < bytes && !task_scratch_.compare_exchange_weak(seen, bytes)) {
  }
  if (seen >= bytes || HasForked()) return;
  const HostScope scope(&host_);
  pthread_mutex_lock(&mutex_);
  // If there is no memory for this, pieces come from the heap one by one.
  for (TaskScratch* at = scratches_; at != nullptr; at = at->next)
    (void)at->region.Reserve(bytes).ok();
  pthread_mutex_unlock(&mutex_);
}

uint64_t ThreadPool::scratch_bytes() const {
  return num_scratches_.load(std::memory_order_relaxed) *
         ScratchRegion::SizeFor(task_scratch_.load(std::memory_order_relaxed));
}

ThreadPool::TaskScratch* ThreadPool::TakeScratch() {
  TaskScratch* taken = scratches_;
  if (taken != nullptr) scratches_ = taken->next;
  return taken;
}

void ThreadPool::GiveBackScratch(TaskScratch* used) {
  used->next = scratches_;
  scratches_ = used;
}

// Runs what is left of the loop on this thread, whose state is `state`.
void ThreadPool::Participate(Job* job, ThreadState* state, TaskScratch* scratch) {
  ScratchRegion& region = scratch->region;
  state->scratch = &region;
  state->message = job->message;
  state->message_mutex = job->message_mutex;
  (void)region.Reserve(task_scratch_.load(std::memory_order_relaxed)).ok();
  const uint64_t before = region.heap_allocations();
  job->Run();
  heap_allocations_.fetch_add(region.heap_allocations() - before, std::memory_order_relaxed);
  region.GrowToPeak();
}

struct ThreadPool::ApplicationLoop {
  ThreadPool* pool;
  Job* job;
};

// A task may begin when others have done all work, or run on the thread that called the loop.
void ThreadPool::ApplicationTask(void* data, int) {
  const ApplicationLoop& loop = *static_cast<ApplicationLoop*>(data);
  ThreadPool* pool = loop.pool;
  if (!loop.job->HasWork()) return;
  const HostScope scope(&pool->host_);
  pthread_mutex_lock(&pool->mutex_);
  TaskScratch* scratch = pool->TakeScratch();
  pthread_mutex_unlock(&pool->mutex_);
  if (scratch == nullptr) {  // loops of several callers run at once
    void* memory = HeapAllocate(sizeof(TaskScratch));
    if (memory == nullptr) return;  // the caller of the loop does the work
    scratch = new (memory) TaskScratch();
    pool->num_scratches_.fetch_add(1, std::memory_order_relaxed);
  }
  {
    const FloatEnvironment environment;
    ThreadState* outer = CurrentThreadState();
    ThreadState state;
    state.pool = pool;
    state.in_task = true;
    SetCurrentThreadState(&state);
    pool->Participate(loop.job, &state, scratch);
    SetCurrentThreadState(outer);
  }
  pthread_mutex_lock(&pool->mutex_);
  pool->GiveBackScratch(scratch);
  pthread_mutex_unlock(&pool->mutex_);
}

void ThreadPool::RunWithApplication(Job* job, int32_t size) {
  ApplicationLoop loop{this, job};
  const uint32_t count = static_cast<uint32_t>(size) < threads_ ? size : threads_;
  application_.parallel_for(application_.user, static_cast<int>(count), &ApplicationTask, &loop);
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
  if (application_.parallel_for != nullptr) {
    RunWithApplication(&job, size);
    state->in_task = true;
    job.Run();  // what no task had memory for
    state->in_task = false;
    return job.result.load();
  }

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
  const HostScope scope(&host_);
  FloatEnvironment environment;
  ThreadState state;
  state.pool = this;
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
    TaskScratch* scratch = TakeScratch();  // there is one for each worker
    pthread_mutex_unlock(&mutex_);
    Participate(job, &state, scratch);
    pthread_mutex_lock(&mutex_);
    GiveBackScratch(scratch);
    // This is the last access to the job, which goes away once its caller has the mutex and sees 0.
    if (job->active.fetch_sub(1, std::memory_order_release) == 1) pthread_cond_broadcast(&done_);
  }
  pthread_mutex_unlock(&mutex_);
  SetCurrentThreadState(nullptr);
}

}  // namespace halyard::runtime::x86
