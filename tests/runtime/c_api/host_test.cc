// What an application provides: memory, threads, callbacks. The test's own malloc and mmap see what
// the runtime asks of the system itself.
#include <dirent.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/c_api/halyard_rt.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace {

std::atomic<bool> watching{false};
std::atomic<int> heap_calls{0}, anonymous_maps{0}, code_maps{0};

void Note() {
  if (watching.load(std::memory_order_relaxed)) heap_calls.fetch_add(1);
}

}  // namespace

// These replace the C library's functions in this process.
extern "C" {

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) {
  Note();
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  Note();
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, size_t bytes) {
  Note();
  return __libc_realloc(memory, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
  Note();
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (watching.load(std::memory_order_relaxed) && (flags & MAP_ANONYMOUS) != 0)
    anonymous_maps.fetch_add(1);
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

}  // extern "C"

namespace {

using halyard::testing::IncrementKernel;
using halyard::testing::MultiplyAddKernel;
using halyard::testing::ProgramBuilder;

constexpr int kN = 4096;
constexpr int kKernels = 2;

// out0 = (arg0 * 2 + arg1) * 2 + arg1, in loops that are parallel; out1 = arg2 + 5
std::string Model() {
  ProgramBuilder b("model");
  const auto x = b.Parameter("f32", {kN}, 4 * kN), y = b.Parameter("f32", {kN}, 4 * kN),
             z = b.Parameter("s32", {}, 4);
  const auto out = b.Result("f32", {kN}, 4 * kN), next = b.Result("s32", {}, 4);
  const auto temp = b.Temp(4 * kN);
  const int32_t multiply = b.Kernel(MultiplyAddKernel("hyk_madd", kN, 2.0f));
  b.Launch(0, multiply, {x, y}, {temp});
  b.Launch(0, multiply, {temp, y}, {out});
  b.Launch(0, b.Kernel(IncrementKernel("hyk_inc", 5)), {z}, {next});
  return b.Write();
}

// Counts what the runtime asks for, and gives it memory that is not the C library's.
struct Counter {
  std::atomic<int64_t> calls{0}, live_bytes{0}, live{0};
  std::atomic<bool> wrong{false};

  static void* Allocate(void* user, size_t bytes, size_t alignment) {
    Counter* self = static_cast<Counter*>(user);
    self->wrong = self->wrong || bytes == 0 || alignment < 16 || (alignment & (alignment - 1)) != 0;
    ++self->calls;
    ++self->live;
    self->live_bytes += static_cast<int64_t>(bytes);
    void* memory = __libc_memalign(alignment, bytes);
    memset(memory, 0xA5, bytes);
    return memory;
  }
  static void Free(void* user, void* memory, size_t bytes, size_t alignment) {
    Counter* self = static_cast<Counter*>(user);
    self->wrong =
        self->wrong || reinterpret_cast<uintptr_t>(memory) % alignment != 0 || memory == nullptr;
    --self->live;
    self->live_bytes -= static_cast<int64_t>(bytes);
    free(memory);
  }
  hy_allocator allocator() { return {sizeof(hy_allocator), this, &Allocate, &Free}; }
};

// An application's threads: each loop's tasks are dealt out to three of them and the caller.
class Pool {
 public:
  Pool() {
    for (pthread_t& thread : threads_) pthread_create(&thread, nullptr, &Main, this);
  }
  ~Pool() {
    pthread_mutex_lock(&mutex_);
    stop_ = true;
    pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&mutex_);
    for (pthread_t thread : threads_) pthread_join(thread, nullptr);
  }
  hy_pool pool() { return {sizeof(hy_pool), this, 4, &ParallelFor, &Submit}; }
  int loops() const { return loops_; }

 private:
  static void ParallelFor(void* user, int count, void (*task)(void*, int), void* data) {
    Pool* self = static_cast<Pool*>(user);
    pthread_mutex_lock(&self->mutex_);
    while (self->task_ != nullptr) pthread_cond_wait(&self->changed_, &self->mutex_);
    ++self->loops_;
    self->task_ = task;
    self->data_ = data;
    self->next_ = 0;
    self->count_ = self->left_ = count;
    pthread_cond_broadcast(&self->changed_);
    while (self->RunOne()) {
    }
    while (self->left_ != 0) pthread_cond_wait(&self->changed_, &self->mutex_);
    self->task_ = nullptr;
    pthread_cond_broadcast(&self->changed_);
    pthread_mutex_unlock(&self->mutex_);
  }
  static void Submit(void* user, void (*task)(void*), void* data) {
    Pool* self = static_cast<Pool*>(user);
    pthread_mutex_lock(&self->mutex_);
    self->submitted_ = task;
    self->submitted_data_ = data;
    pthread_cond_broadcast(&self->changed_);
    pthread_mutex_unlock(&self->mutex_);
  }
  bool RunOne() {
    if (task_ == nullptr || next_ == count_) return false;
    const int i = next_++;
    auto* task = task_;
    void* data = data_;
    pthread_mutex_unlock(&mutex_);
    task(data, i);
    pthread_mutex_lock(&mutex_);
    if (--left_ == 0) pthread_cond_broadcast(&changed_);
    return true;
  }
  static void* Main(void* data) {
    Pool* self = static_cast<Pool*>(data);
    pthread_mutex_lock(&self->mutex_);
    while (!self->stop_) {
      if (self->RunOne()) continue;
      if (self->submitted_ != nullptr) {
        auto* task = std::exchange(self->submitted_, nullptr);
        pthread_mutex_unlock(&self->mutex_);
        task(self->submitted_data_);
        pthread_mutex_lock(&self->mutex_);
        continue;
      }
      pthread_cond_wait(&self->changed_, &self->mutex_);
    }
    pthread_mutex_unlock(&self->mutex_);
    return nullptr;
  }

  pthread_t threads_[3];
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  bool stop_ = false;
  void (*task_)(void*, int) = nullptr;
  void* data_ = nullptr;
  int next_ = 0, count_ = 0, left_ = 0, loops_ = 0;
  void (*submitted_)(void*) = nullptr;
  void* submitted_data_ = nullptr;
};

int ThreadsOfThisProcess() {
  int count = 0;
  DIR* folder = opendir("/proc/self/task");
  while (const dirent* entry = readdir(folder)) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

hy_device_options Options() {
  hy_device_options options = {};
  options.struct_size = sizeof(options);
  return options;
}

struct Watch {
  Watch() {
    heap_calls = anonymous_maps = 0;
    watching = true;
  }
  ~Watch() { watching = false; }
};

// Arrays that are used in place, and ones that are copied.
struct Arrays {
  explicit Arrays(int shift) {
    x = memory[0] + shift;
    y = memory[1] + shift;
    out = memory[2] + shift;
    for (int i = 0; i < kN; ++i) {
      x[i] = static_cast<float>(i);
      y[i] = 1.0f;
    }
  }
  hy_status Run(hy_program* program) {
    const void* arguments[] = {x, y, &z};
    void* results[] = {out, &next};
    return hy_run(program, arguments, results);
  }
  bool AreRight() const {
    for (int i = 0; i < kN; ++i) {
      if (out[i] != 4.0f * static_cast<float>(i) + 3.0f) return false;
    }
    return next == z + 5;
  }
  alignas(64) float memory[3][kN + 16];
  float *x, *y, *out;
  int32_t z = 37, next = 0;
};

struct Ended {
  std::atomic<int> count{0};
  std::atomic<int> code{-1};
  static void Done(void* user, hy_status status) {
    Ended* self = static_cast<Ended*>(user);
    self->code = hy_status_code(status);
    hy_status_free(status);
    ++self->count;
  }
  void WaitFor(int wanted) const {
    while (count < wanted) usleep(100);
  }
};

class HostTest : public ::testing::TestWithParam<bool> {};

// Opens a device, loads a program, runs it in all ways, and provokes an error, all without malloc.
// The parameter says whether the threads are the application's.
TEST_P(HostTest, EveryByteComesFromTheAllocator) {
  static Arrays arrays(0), shifted(1);
  const std::string bytes = Model();
  Counter counter;
  Pool pool;
  const hy_allocator allocator = counter.allocator();
  const hy_pool threads = pool.pool();
  hy_device_options options = Options();
  options.allocator = &allocator;
  if (GetParam()) {
    options.pool = &threads;
  } else {
    options.threads = 3;
  }
  Ended ended;
  int runs = 0;
  const int threads_before = ThreadsOfThisProcess();
  int64_t calls_before = 0, calls_after = 0;
  bool right = true;
  {
    Watch watch;
    hy_device* device = nullptr;
    hy_program* program = nullptr;
    hy_buffer* buffer = nullptr;
    right &= hy_device_open_with(&options, &device) == nullptr;
    right &= hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program) == nullptr;
    right &= hy_buffer_new(device, 1000, &buffer) == nullptr;
    const void* arguments[] = {arrays.x, arrays.y, &arrays.z};
    void* results[] = {arrays.out, &arrays.next};
    for (int round = 0; right && round < 110; ++round) {
      if (round == 10) calls_before = counter.calls;
      right &= arrays.Run(program) == nullptr && arrays.AreRight();
      right &= shifted.Run(program) == nullptr && shifted.AreRight();
      right &= hy_run_async(program, nullptr, arguments, results, &Ended::Done, &ended) == nullptr;
      ended.WaitFor(round + 1);
      ++runs;
    }
    calls_after = counter.calls;
    hy_status error = hy_run(program, nullptr, results);
    right &= hy_status_code(error) == HY_INVALID_ARGUMENT;
    hy_buffer_free(buffer);
    hy_program_free(program);
    hy_device_close(device);
    hy_status_free(error);
  }
  EXPECT_TRUE(right);
  EXPECT_EQ(runs, 110);
  EXPECT_EQ(ended.code, HY_OK);
  // The C library allocates for each thread that is started: two workers, and that of hy_run_async.
  EXPECT_LE(heap_calls, GetParam() ? 0 : 3) << "calls of malloc";
  EXPECT_EQ(anonymous_maps, kKernels) << "the code of each kernel";
  EXPECT_FALSE(counter.wrong);
  EXPECT_GT(counter.calls, 10);
  EXPECT_EQ(counter.live, 0);
  EXPECT_EQ(counter.live_bytes, 0);
  EXPECT_EQ(calls_after, calls_before) << "runs allocate nothing";
  EXPECT_EQ(ThreadsOfThisProcess(), threads_before);
  EXPECT_EQ(pool.loops() > 0, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Threads, HostTest, ::testing::Bool());

TEST(HostTest, WithAPoolNoThreadIsStarted) {
  static Arrays arrays(0);
  Pool pool;
  const hy_pool threads = pool.pool();
  const int before = ThreadsOfThisProcess();
  hy_device_options options = Options();
  options.pool = &threads;
  hy_device *device = nullptr, *second = nullptr;
  ASSERT_EQ(hy_device_open_with(&options, &device), nullptr);
  EXPECT_EQ(hy_device_threads(device), 4);
  options = Options();
  options.threads_of = device;
  ASSERT_EQ(hy_device_open_with(&options, &second), nullptr);
  EXPECT_EQ(hy_device_threads(second), 4);
  hy_device_close(device);  // the other one keeps its threads alive
  const std::string bytes = Model();
  hy_program* program = nullptr;
  ASSERT_EQ(hy_program_load_memory(second, bytes.data(), bytes.size(), 1, &program), nullptr);
  Ended ended;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(arrays.Run(program), nullptr);
    ASSERT_TRUE(arrays.AreRight());
    const void* arguments[] = {arrays.x, arrays.y, &arrays.z};
    void* results[] = {arrays.out, &arrays.next};
    ASSERT_EQ(hy_run_async(program, nullptr, arguments, results, &Ended::Done, &ended), nullptr);
    ended.WaitFor(i + 1);
    EXPECT_EQ(ThreadsOfThisProcess(), before);
  }
  EXPECT_GE(pool.loops(), 80) << "two loops in each run";
  hy_program_free(program);
  hy_device_close(second);
}

// A pool that runs tasks one after the other, in reverse, and once leaves one out.
TEST(HostTest, TasksMayComeInAnyOrder) {
  static Arrays arrays(0);
  static int calls;
  calls = 0;
  hy_pool pool = {sizeof(hy_pool), nullptr, 7,
                  [](void*, int count, void (*task)(void*, int), void* data) {
                    for (int i = count - 1; i >= calls % 2; --i) task(data, i);
                    ++calls;
                  },
                  nullptr};
  hy_device_options options = Options();
  options.pool = &pool;
  hy_device* device = nullptr;
  ASSERT_EQ(hy_device_open_with(&options, &device), nullptr);
  const std::string bytes = Model();
  hy_program* program = nullptr;
  ASSERT_EQ(hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program), nullptr);
  ASSERT_EQ(arrays.Run(program), nullptr);
  EXPECT_TRUE(arrays.AreRight());
  EXPECT_EQ(calls, 2);
  // Without `submit`, nothing can run beside the caller.
  const void* arguments[] = {arrays.x, arrays.y, &arrays.z};
  void* results[] = {arrays.out, &arrays.next};
  hy_status status = hy_run_async(program, nullptr, arguments, results, &Ended::Done, nullptr);
  EXPECT_EQ(hy_status_code(status), HY_FAILED_PRECONDITION);
  EXPECT_NE(std::string(hy_status_message(status)).find("submit"), std::string::npos);
  hy_status_free(status);
  hy_program_free(program);
  hy_device_close(device);
}

// An allocator that fails at each of its calls in turn. Whatever fails is a status, and nothing
// leaks.
TEST(HostTest, NoMemoryIsAStatus) {
  struct Failing {
    Counter counter;
    std::atomic<int> left{0};
    static void* Allocate(void* user, size_t bytes, size_t alignment) {
      Failing* self = static_cast<Failing*>(user);
      return self->left-- <= 0 ? nullptr : Counter::Allocate(&self->counter, bytes, alignment);
    }
    static void Free(void* user, void* memory, size_t bytes, size_t alignment) {
      Counter::Free(&static_cast<Failing*>(user)->counter, memory, bytes, alignment);
    }
  };
  static Arrays arrays(1);
  const std::string bytes = Model();
  bool succeeded = false;
  for (int limit = 0; limit < 200 && !succeeded; ++limit) {
    Failing failing;
    failing.left = limit;
    const hy_allocator allocator = {sizeof(hy_allocator), &failing, &Failing::Allocate,
                                    &Failing::Free};
    hy_device_options options = Options();
    options.allocator = &allocator;
    options.threads = 1;
    hy_device* device = nullptr;
    hy_program* program = nullptr;
    hy_status status = hy_device_open_with(&options, &device);
    if (status == nullptr)
      status = hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program);
    if (status == nullptr) status = arrays.Run(program);
    succeeded = status == nullptr;
    EXPECT_EQ(hy_status_code(status), succeeded ? HY_OK : HY_RESOURCE_EXHAUSTED) << limit;
    hy_status_free(status);
    hy_program_free(program);
    hy_device_close(device);
    EXPECT_EQ(failing.counter.live, 0) << limit;
  }
  EXPECT_TRUE(succeeded);
}

struct Heard {
  std::vector<std::string> lines, errors;
  static void Log(void* user, int level, const char* line) {
    static_cast<Heard*>(user)->lines.push_back(std::to_string(level) + " " + line);
  }
  static void Error(void* user, int code, const char* message) {
    static_cast<Heard*>(user)->errors.push_back(std::to_string(code) + " " + message);
  }
};

TEST(HostTest, CallbacksHearWhatHappens) {
  Heard heard;
  const hy_callbacks callbacks = {sizeof(callbacks), &heard, &Heard::Log, &Heard::Error};
  hy_device_options options = Options();
  options.callbacks = &callbacks;
  options.threads = 2;
  hy_device* device = nullptr;
  ASSERT_EQ(hy_device_open_with(&options, &device), nullptr);
  const std::string bytes = Model();
  hy_program* program = nullptr;
  ASSERT_EQ(hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program), nullptr);
  ASSERT_EQ(heard.lines.size(), 2u);
  EXPECT_EQ(heard.lines[0].rfind("3 opened x86-64-v", 0), 0u) << heard.lines[0];
  EXPECT_NE(heard.lines[0].find("2 threads"), std::string::npos);
  EXPECT_EQ(heard.lines[1], "3 loaded model for x86");
  EXPECT_TRUE(heard.errors.empty());
  hy_status status = hy_run(program, nullptr, nullptr);
  EXPECT_NE(status, nullptr);
  ASSERT_EQ(heard.errors.size(), 1u);
  EXPECT_EQ(heard.errors[0], std::string("3 ") + hy_status_message(status));
  hy_status_free(status);
  // Errors of runs that nobody waits for are heard, too.
  static Arrays arrays(0);
  const void* arguments[] = {arrays.x, arrays.y, &arrays.z};
  void* results[] = {arrays.out, &arrays.next};
  hy_cancel cancel = {1};
  hy_run_options run = {};
  run.struct_size = sizeof(run);
  run.cancel = &cancel;
  Ended ended;
  ASSERT_EQ(hy_run_async(program, &run, arguments, results, &Ended::Done, &ended), nullptr);
  ended.WaitFor(1);
  EXPECT_EQ(ended.code, HY_ABORTED);
  EXPECT_EQ(heard.errors.size(), 2u);
  hy_program_free(program);
  hy_device_close(device);
  // The device is not open yet, but its callbacks are known.
  options.kind = "vulkan";
  options.pipeline_cache_folder = nullptr;
  options.index = 77;
  status = hy_device_open_with(&options, &device);
  EXPECT_NE(status, nullptr);
  EXPECT_EQ(heard.errors.size(), 3u);
  hy_status_free(status);
}

}  // namespace
