// The threads that run parallel loops of kernels. Free-standing: it uses pthreads.
#ifndef HALYARD_RUNTIME_X86_THREAD_POOL_H_
#define HALYARD_RUNTIME_X86_THREAD_POOL_H_

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "runtime/host.h"
#include "runtime/status.h"
#include "runtime/x86/halide_abi.h"
#include "runtime/x86/scratch.h"

namespace halyard::runtime::x86 {

class ThreadPool;

// The surroundings of kernel code on this thread. It is set during each submit, and in each worker.
struct ThreadState {
  ThreadPool* pool = nullptr;
  ScratchRegion* scratch = nullptr;
  char* message = nullptr;  // kMessageBytes of the submit's first error text, "" if none; may be
                            // written by any thread of it
  pthread_mutex_t* message_mutex = nullptr;
  bool in_task = false;  // inside a parallel loop, where further ones run inline
};
inline constexpr int kMessageBytes = 256;
ThreadState* CurrentThreadState();
void SetCurrentThreadState(ThreadState* state);

// Threads of the application, as hy_pool has them (c_api/halyard_rt.h).
struct ApplicationThreads {
  void* user = nullptr;
  uint32_t threads = 0;
  void (*parallel_for)(void* user, int count, void (*task)(void* data, int i),
                       void* data) = nullptr;
};

// `threads` includes the caller of a loop, who takes part. Loops of several callers may run at
// once. Their iterations are distributed dynamically in chunks. What the threads allocate comes
// from the host of the thread that made the pool.
//
// A child of fork() has none of the workers, so there each loop runs in its caller alone.
class ThreadPool {
 public:
  static constexpr uint32_t kMostThreads = 4096;
  // Returns kInvalidArgument for more than kMostThreads.
  static Status Create(uint32_t threads, bool spin, ThreadPool** pool);
  // Makes a pool that starts no threads. Each loop is at most `threads` tasks of the application.
  static Status Create(const ApplicationThreads& application, ThreadPool** pool);
  void AddRef() { references_.fetch_add(1, std::memory_order_relaxed); }
  void Destroy();  // gives up a reference; with the last one, no loop may be running

  // Runs body(user_context, i, closure) for i in [min, min + size). Returns 0, or the first
  // non-zero result (the remaining iterations may then be left out).
  int ParallelFor(ThreadState* state, ParallelBody body, void* user_context, int32_t min,
                  int32_t size, uint8_t* closure);

  uint32_t threads() const { return threads_; }
  // Makes room for this much in the scratch of every worker or task that is not busy now. (Busy
  // ones make room before their next loop, and more once a kernel has needed more.)
  void RequireTaskScratch(uint64_t bytes);
  uint64_t scratch_bytes() const;  // of all workers or tasks, as required
  uint64_t heap_allocations() const { return heap_allocations_.load(std::memory_order_relaxed); }

 private:
  struct Job;
  struct TaskScratch;
  struct ApplicationLoop;
  ThreadPool() = default;
  ~ThreadPool() = default;
  static Status New(uint32_t threads, uint32_t scratches, ThreadPool** pool);
  Status StartWorkers();
  void FreeSelf();
  TaskScratch* TakeScratch();               // with mutex_ held; null if all are taken
  void GiveBackScratch(TaskScratch* used);  // with mutex_ held
  void Participate(Job* job, ThreadState* state, TaskScratch* scratch);
  static void ApplicationTask(void* loop, int index);
  void RunWithApplication(Job* job, int32_t size);
  static void* WorkerMain(void* pool);
  void Work();
  void WaitForWork(uint64_t seen);  // with mutex_ held
  Job* FindJob();                   // with mutex_ held

  bool HasForked() const;  // since it was made

  Host host_;
  ApplicationThreads application_;  // if its parallel_for is not null
  std::atomic<uint32_t> references_{1};
  uint32_t threads_ = 1;
  uint32_t started_ = 0;  // workers
  uint32_t forks_ = 0;    // ForkCount when it was made
  bool spin_ = true;
  pthread_t* workers_ = nullptr;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t work_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done_ = PTHREAD_COND_INITIALIZER;
  Job* jobs_ = nullptr;
  uint32_t sleepers_ = 0;
  TaskScratch* scratches_ = nullptr;  // those that nobody uses now
  std::atomic<uint32_t> num_scratches_{0};
  bool stop_ = false;
  std::atomic<uint64_t> epoch_{0};  // increases with every job, for workers that spin
  std::atomic<uint64_t> task_scratch_{0};
  std::atomic<uint64_t> heap_allocations_{0};
};

// Sets the float environment so that denormals are kept, exceptions are masked and results are
// rounded to nearest, whatever the application has set, and restores it.
class FloatEnvironment {
 public:
  FloatEnvironment() : saved_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(0x1F80); }
  ~FloatEnvironment() { __builtin_ia32_ldmxcsr(saved_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  uint32_t saved_;
};

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_THREAD_POOL_H_
