// Grids whose processes are queued, each on a stream of one Context or on a Context of its own, and
// copies between Contexts.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "runtime/collectives/grid.h"
#include "runtime/execute/executor.h"
#include "tests/runtime/execute/async_fixture.h"

namespace halyard::runtime {
namespace {

constexpr uint32_t kProcesses = 4;

// Sums its four inputs, or fails if one of them is negative. Sleeps for a random time before.
int SumOfFour(void*, const void* const* in, void* const* out, const char*, uint64_t, char* error,
              uint64_t error_bytes) {
  static thread_local std::minstd_rand random(
      static_cast<unsigned>(std::hash<std::thread::id>()(std::this_thread::get_id())));
  if (random() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
  const int32_t* values = static_cast<const int32_t*>(in[0]);
  int32_t sum = 0;
  for (uint32_t i = 0; i < kProcesses; ++i) {
    if (values[i] == -1) {
      snprintf(error, error_bytes, "a minus");
      return 1;
    }
    sum += values[i];
  }
  *static_cast<int32_t*>(out[0]) = sum;
  return 0;
}

// Checks its input before the exchange, so that one process can fail alone.
int CheckOne(void*, const void* const* in, void* const* out, const char*, uint64_t, char* error,
             uint64_t error_bytes) {
  const int32_t value = *static_cast<const int32_t*>(in[0]);
  *static_cast<int32_t*>(out[0]) = value;
  if (value != -2) return 0;
  snprintf(error, error_bytes, "alone");
  return 1;
}

class QueueGridTest : public ::testing::TestWithParam<bool> {
 protected:
  // Makes two Contexts: of x86, or of GPUs.
  void SetUp() override {
    for (Context*& context : contexts_) {
      Device *device = nullptr, *host = nullptr;
      if (GetParam()) {
        device = new FakeGpu();
        ASSERT_TRUE(x86::OpenDeviceWithThreads(1, &host).ok());
      } else {
        ASSERT_TRUE(x86::OpenDeviceWithThreads(1, &device).ok());
      }
      ASSERT_TRUE(Context::Create(device, host, &context).ok());
      CustomCall sum, check;
      sum.full = SumOfFour;
      check.full = CheckOne;
      ASSERT_TRUE(context->RegisterCustomCall("sum", sum).ok());
      ASSERT_TRUE(context->RegisterCustomCall("check", check).ok());
    }
    for (int i = 0; i < 2; ++i) executables_[i] = MakeSum(contexts_[i]);
  }
  void TearDown() override {
    for (Executable* executable : executables_) executable->Release();
    // A copy that was waited for may not have released its buffers yet.
    for (Context* context : contexts_) context->queue().WaitUntilIdle();
    for (Context* context : contexts_) context->Release();
    EXPECT_EQ(FakeGpu::live_devices(), 0) << "someone still holds a context";
  }

  // out = the sum of the processes' inputs, by a gather of all of them.
  Executable* MakeSum(Context* context) {
    ProgramBuilder b("sum_of_all");
    b.spec.num_replicas = kProcesses;
    if (GetParam()) b.spec.device.kind = DeviceKind::kVulkan;
    const auto in = b.Parameter("s32", {}, 4, 0), out = b.Result("s32", {}, 4);
    const auto own = b.Temp(4, MemorySpace::kHost), all = b.Temp(16, MemorySpace::kHost);
    const auto checked = b.Temp(4, MemorySpace::kHost), sum = b.Temp(4, MemorySpace::kHost);
    b.Copy(0, in, own);
    b.Call(0, "check", {own}, {checked});
    b.Communicate(0, ProgramSpec::Step::Kind::kExchange, {0, 1, kProcesses, 0, 1, 2, 3}, {checked},
                  {all});
    b.Call(0, "sum", {all}, {sum});
    b.Copy(0, sum, out);
    const std::string bytes = b.Write();
    Program* program = nullptr;
    Status status =
        Program::Copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &program);
    EXPECT_TRUE(status.ok()) << status.message();
    Executable* executable = nullptr;
    status = Executable::Create(context, program, {}, &executable);
    EXPECT_TRUE(status.ok()) << status.message();
    return executable;
  }

  struct Run {
    Grid* grid = nullptr;
    std::atomic<uint32_t> left{kProcesses};
    static void Ended(void* user, uint32_t, const Status&) {
      Run* self = static_cast<Run*>(user);
      if (--self->left > 0) return;
      self->grid->Destroy();
      delete self;
    }
  };

  // Process p runs on context contexts[p] and stream streams[p].
  Status Queue(const std::vector<int>& contexts, const std::vector<uint32_t>& streams,
               std::vector<Buffer*>& inputs, std::vector<Buffer*>* outputs, bool donate = false) {
    auto run = std::make_unique<Run>();
    Status status =
        Grid::Create(kProcesses, 1, executables_[0]->program().num_steps(), {}, {}, &run->grid);
    if (!status.ok()) return status;
    outputs->assign(kProcesses, nullptr);
    std::vector<GridMember> members;
    for (uint32_t p = 0; p < kProcesses; ++p) {
      members.push_back(
          {executables_[contexts[p]], streams[p], &inputs[p], &donate, &(*outputs)[p]});
    }
    status = Executable::QueueGrid(run->grid, members.data(), {run.get(), Run::Ended});
    if (status.ok()) {
      run.release();
    } else {
      run->grid->Destroy();
    }
    return status;
  }

  Buffer* Input(int context, int32_t value) {
    Buffer* buffer = nullptr;
    EXPECT_TRUE(contexts_[context]->CopyFromHost(&value, 4, Space::kDevice, &buffer).ok());
    return buffer;
  }
  static int32_t Read(const Buffer* buffer) {
    int32_t value = -1;
    Status status = buffer->CopyToHost(&value, 0, 4);
    EXPECT_TRUE(status.ok()) << status.message();
    return value;
  }
  static void Release(const std::vector<Buffer*>& buffers) {
    for (Buffer* buffer : buffers) buffer->Release();
  }

  Context* contexts_[2] = {};
  Executable* executables_[2] = {};
};

INSTANTIATE_TEST_SUITE_P(Devices, QueueGridTest, ::testing::Bool(),
                         [](const auto& info) { return std::string(info.param ? "Gpu" : "X86"); });

// Nobody waits in between, and each run takes over the memory of the one before.
TEST_P(QueueGridTest, GridsAreChained) {
  for (const std::vector<int>& contexts : {std::vector<int>{0, 0, 0, 0}, {0, 1, 0, 1}}) {
    std::vector<Buffer*> values, next;
    for (uint32_t p = 0; p < kProcesses; ++p) values.push_back(Input(contexts[p], 1));
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(Queue(contexts, {0, 1, 2, 3}, values, &next, /*donate=*/true).ok());
      Release(values);
      values = next;
    }
    for (Buffer* value : values) EXPECT_EQ(Read(value), 1 << 20);
    Release(values);
  }
}

TEST_P(QueueGridTest, AllResultsHaveTheErrorOfTheProcessThatFailedFirst) {
  std::vector<Buffer*> values = {Input(0, 1), Input(0, 2), Input(1, -2), Input(1, 3)}, results;
  ASSERT_TRUE(Queue({0, 0, 1, 1}, {0, 1, 0, 1}, values, &results).ok());
  for (Buffer* result : results) {
    const Status status = result->Wait();
    EXPECT_EQ(status.code(), Code::kInternal);
    EXPECT_NE(strstr(status.message(), "process (2, 0): custom call check"), nullptr)
        << status.message();
  }
  Release(results);
  Release(values);
}

TEST_P(QueueGridTest, TwoProcessesOfOneQueueAreRefused) {
  std::vector<Buffer*> values(kProcesses, Input(0, 1)), results;
  const Status status = Queue({0, 0, 0, 0}, {0, 1, 2, 1}, values, &results);
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(results, std::vector<Buffer*>(kProcesses, nullptr));
  values[0]->Release();
}

// The threads name the devices in different orders, and read each other's buffers.
TEST_P(QueueGridTest, AThousandGridsOfEightThreads) {
  Buffer* shared[2] = {Input(0, 100), Input(1, 100)};
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int round = 0; round < (GetParam() ? 25 : 125); ++round) {
        std::vector<uint32_t> streams = {0, 1, 2, 3};
        std::shuffle(streams.begin(), streams.end(), random);
        std::vector<int> contexts;
        for (uint32_t p = 0; p < kProcesses; ++p)
          contexts.push_back(t % 2 == 0 ? 0 : static_cast<int>(random() % 2));
        if (random() % 4 == 0)
          std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
        std::vector<Buffer*> values, first, second;
        for (int context : contexts) {
          shared[context]->AddRef();
          values.push_back(shared[context]);
        }
        if (random() % 2 == 0) {
          values[1]->Release();
          values[1] = Input(contexts[1], 7);
        }
        const int32_t sum = 300 + (values[1] == shared[contexts[1]] ? 100 : 7);
        ASSERT_TRUE(Queue(contexts, streams, values, &first).ok());
        std::shuffle(streams.begin(), streams.end(), random);
        ASSERT_TRUE(Queue(contexts, streams, first, &second).ok());
        const bool early = random() % 2 == 0;  // while the runs are still queued
        if (early) Release(values);
        for (Buffer* result : second) right += Read(result) == 4 * sum ? 1 : 0;
        if (!early) Release(values);
        Release(first);
        Release(second);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8 * (GetParam() ? 25 : 125) * static_cast<int>(kProcesses));
  for (Buffer* buffer : shared) buffer->Release();
}

// The copy waits for the run that makes its source, and has its error.
TEST_P(QueueGridTest, BuffersAreCopiedBetweenContexts) {
  for (const bool fails : {false, true}) {
    std::vector<Buffer*> values, results;
    for (uint32_t p = 0; p < kProcesses; ++p) values.push_back(Input(0, fails ? -2 : 5));
    ASSERT_TRUE(Queue({0, 0, 0, 0}, {0, 1, 2, 3}, values, &results).ok());
    Buffer* copy = nullptr;
    ASSERT_TRUE(contexts_[1]->CopyBuffer(results[3], 2, &copy).ok());
    Release(results);
    EXPECT_EQ(copy->context(), contexts_[1]);
    if (fails) {
      EXPECT_NE(strstr(copy->Wait().message(), "custom call check"), nullptr);
    } else {
      EXPECT_EQ(Read(copy), 20);
    }
    copy->Release();
    Release(values);
  }
}

// A buffer of which there is another owner keeps its memory.
TEST_P(QueueGridTest, SharedMemoryIsNotTakenOver) {
  std::vector<Buffer*> values, results;
  for (uint32_t p = 0; p < kProcesses; ++p) values.push_back(Input(0, 5));
  values[1]->AddOwner();
  ASSERT_TRUE(Queue({0, 0, 0, 0}, {0, 1, 2, 3}, values, &results, /*donate=*/true).ok());
  EXPECT_TRUE(values[0]->is_donated());
  EXPECT_FALSE(values[1]->is_donated());
  EXPECT_EQ(Read(results[1]), 20);
  EXPECT_EQ(Read(values[1]), 5);
  values[1]->DropOwner();
  Release(values);
  Release(results);
}

}  // namespace
}  // namespace halyard::runtime
