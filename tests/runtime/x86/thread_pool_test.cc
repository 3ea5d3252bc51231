#include "runtime/x86/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "runtime/x86/kernel_runtime.h"

namespace halyard::runtime::x86 {
namespace {

// The thread state that a submission sets up.
struct Caller {
  explicit Caller(ThreadPool* pool) {
    state.pool = pool;
    state.scratch = &scratch;
    state.message = message;
    state.message_mutex = &mutex;
    SetCurrentThreadState(&state);
  }
  ~Caller() { SetCurrentThreadState(nullptr); }
  ThreadState state;
  ScratchRegion scratch;
  char message[kMessageBytes] = {};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};

struct Sum {
  std::vector<std::atomic<int>> hits;
  int fail_at = -1;
  int nested = 0;
};

int Body(void* user_context, int i, uint8_t* closure) {
  Sum* sum = reinterpret_cast<Sum*>(closure);
  if (i == sum->fail_at) {
    hyrt_error(user_context, "told to fail");
    return -7;
  }
  if (sum->nested != 0) {
    Sum inner;
    inner.hits = std::vector<std::atomic<int>>(sum->nested);
    int error =
        hyrt_do_par_for(user_context, Body, 0, sum->nested, reinterpret_cast<uint8_t*>(&inner));
    if (error != 0) return error;
    for (auto& hit : inner.hits) {
      if (hit != 1) return -1;
    }
  }
  char* piece = static_cast<char*>(hyrt_malloc(user_context, 1000));
  if (piece == nullptr) return hyrt_error_out_of_memory(user_context);
  memset(piece, i, 1000);
  ++sum->hits[i];
  hyrt_free(user_context, piece);
  return 0;
}

class ThreadPoolTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(ThreadPool::Create(GetParam(), GetParam() <= 2, &pool_).ok());
    pool_->RequireTaskScratch(1000);
  }
  void TearDown() override { pool_->Destroy(); }
  ThreadPool* pool_ = nullptr;
};

TEST_P(ThreadPoolTest, EachIterationOnce) {
  Caller caller(pool_);
  for (int size : {0, 1, 2, 3, 7, 16, 100, 1000, 12345}) {
    Sum sum;
    sum.hits = std::vector<std::atomic<int>>(size);
    EXPECT_EQ(hyrt_do_par_for(nullptr, Body, 0, size, reinterpret_cast<uint8_t*>(&sum)), 0);
    for (auto& hit : sum.hits) ASSERT_EQ(hit, 1);
  }
  EXPECT_EQ(pool_->heap_allocations(), 0u);
}

TEST_P(ThreadPoolTest, NestedLoopsRun) {
  Caller caller(pool_);
  for (int round = 0; round < 50; ++round) {
    Sum sum;
    sum.hits = std::vector<std::atomic<int>>(20);
    sum.nested = 5;
    EXPECT_EQ(hyrt_do_par_for(nullptr, Body, 0, 20, reinterpret_cast<uint8_t*>(&sum)), 0);
    for (auto& hit : sum.hits) ASSERT_EQ(hit, 1);
  }
}

TEST_P(ThreadPoolTest, AnErrorComesBack) {
  Caller caller(pool_);
  for (int fail_at : {0, 1, 50, 99}) {
    Sum sum;
    sum.hits = std::vector<std::atomic<int>>(100);
    sum.fail_at = fail_at;
    caller.message[0] = '\0';
    EXPECT_EQ(hyrt_do_par_for(nullptr, Body, 0, 100, reinterpret_cast<uint8_t*>(&sum)), -7);
    EXPECT_STREQ(caller.message, "told to fail");
  }
}

TEST_P(ThreadPoolTest, SeveralCallersAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      Caller caller(pool_);
      for (int round = 0; round < 200; ++round) {
        Sum sum;
        sum.hits = std::vector<std::atomic<int>>(1 + (round * 7 + t) % 40);
        if (hyrt_do_par_for(nullptr, Body, 0, static_cast<int>(sum.hits.size()),
                            reinterpret_cast<uint8_t*>(&sum)) != 0) {
          return;
        }
        for (auto& hit : sum.hits) {
          if (hit != 1) return;
        }
      }
      ++good;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, ::testing::Values(1, 2, 5));

}  // namespace
}  // namespace halyard::runtime::x86
