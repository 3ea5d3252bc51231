// Runs that Executable::Run queues: chained, on several streams, failing, and with buffers that are
// released or donated while the runs are in flight.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "runtime/execute/executor.h"
#include "tests/runtime/execute/async_fixture.h"
#include "tests/runtime/fake_gpu.h"
#include "tests/runtime/program_builder.h"

namespace halyard::runtime {
namespace {

TEST_F(AsyncTest, AHundredRunsAreChainedWithoutWaiting) {
  OpenX86();
  Chain(/*donate=*/false);
}

TEST_F(AsyncTest, DonatedArgumentsBecomeResultsOfQueuedRuns) {
  OpenX86();
  Chain(/*donate=*/true);
  // The first argument and the results that took it over share one block.
  EXPECT_EQ(context_->blocks_allocated(), 1u);
}

TEST_F(AsyncTest, HostPartsOfGpuRunsAreQueued) {
  OpenGpu();
  Chain(/*donate=*/false);
}

TEST_F(AsyncTest, StreamsOverlapAndShareTheirArguments) {
  OpenX86();
  Executable* executable = MakeCall("pass");
  Buffer* input = Input(1);
  std::vector<Buffer*> results;
  for (uint32_t stream = 0; stream < 3; ++stream)
    results.push_back(Start(executable, input, stream));
  EXPECT_TRUE(gate_.SeesWaiting(3)) << "runs of different streams wait for each other";
  gate_.Open();
  for (Buffer* result : results) {
    EXPECT_EQ(Read(result), 2);
    result->Release();
  }
  input->Release();
  executable->Release();
}

TEST_F(AsyncTest, AStreamWaitsForAnothersResult) {
  for (const bool on_gpu : {false, true}) {
    if (on_gpu) {
      OpenGpu();
    } else {
      OpenX86();
    }
    Executable* executable = MakeCall("pass");
    Buffer* buffer = Input(0);
    for (uint32_t i = 0; i < 12; ++i) {
      Buffer* next = Start(executable, buffer, i % 5);
      buffer->Release();
      buffer = next;
    }
    EXPECT_FALSE(buffer->IsReady());
    gate_.Open();
    EXPECT_EQ(Read(buffer), 12);
    buffer->Release();
    executable->Release();
    if (!on_gpu) context_->Release();
  }
}

TEST_F(AsyncTest, ManyStreamsReadOneBuffer) {
  for (const bool on_gpu : {false, true}) {
    if (on_gpu) {
      OpenGpu();
    } else {
      OpenX86();
    }
    // More streams than there are queues, and than a buffer has entries.
    Executable* executable = MakeCall("pass");
    Buffer* input = Input(1);
    std::vector<Buffer*> results;
    for (uint32_t stream = 0; stream < 80; ++stream)
      results.push_back(Start(executable, input, stream));
    gate_.Open();
    for (Buffer* result : results) {
      EXPECT_EQ(Read(result), 2);
      result->Release();
    }
    // This write comes after all of the reads.
    const int32_t five = 5;
    ASSERT_TRUE(input->CopyFromHost(&five, 0, 4).ok());
    Buffer* result = Start(executable, input);
    EXPECT_EQ(Read(result), 6);
    result->Release();
    input->Release();
    executable->Release();
    if (!on_gpu) context_->Release();
  }
}

TEST_F(AsyncTest, EightThreadsShareABufferOnStreamsOfTheirOwn) {
  OpenX86();
  gate_.Open();
  Executable* executable = MakeCall("pass");
  Buffer* input = Input(1);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int run = 0; run < 50; ++run) {
        Buffer* first = Start(executable, input, t);
        Buffer* second = Start(executable, first, t + 8 * static_cast<uint32_t>(run % 3));
        first->Release();
        right += Read(second) == 3 ? 1 : 0;
        second->Release();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 400);
  input->Release();
  executable->Release();
}

TEST_F(AsyncTest, ErrorsComeWithTheResultAndPassOn) {
  OpenX86();
  Executable *fail = MakeCall("fail"), *pass = MakeCall("pass");
  gate_.Open();
  Buffer* input = Input(1);
  Buffer* failed = Start(fail, input);
  Buffer* next = Start(pass, failed);
  Status status = failed->Wait();
  EXPECT_EQ(status.code(), Code::kInternal);
  EXPECT_NE(std::string(status.message()).find("program_fail: custom call fail"), std::string::npos)
      << status.message();
  EXPECT_NE(std::string(status.message()).find("out of luck"), std::string::npos);
  status = next->Wait();
  EXPECT_NE(std::string(status.message()).find("program_pass: argument 0 (arg0)"),
            std::string::npos)
      << status.message();
  int32_t value;
  EXPECT_FALSE(next->CopyToHost(&value, 0, 4).ok());
  // A run that is not queued returns the error itself.
  Buffer* out = nullptr;
  EXPECT_EQ(pass->Run({}, &failed, 1, &out, 1).code(), Code::kInternal);
  EXPECT_EQ(out, nullptr);
  // Afterwards, the memory of the failed buffers can be used like any other.
  ASSERT_TRUE(pass->Run({}, &input, 1, &next, 1).ok());
  EXPECT_EQ(Read(next), 2);
  for (Buffer* buffer : {input, failed, next}) buffer->Release();
  fail->Release();
  pass->Release();
}

TEST_F(AsyncTest, ALostDeviceIsToldWithTheProgramsName) {
  OpenGpu();
  ProgramBuilder b("adder");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  b.Launch(0, b.Kernel(FakeGpu::Kernel("add", "add 5", 1, 4, 4)), {in}, {out});
  Executable* executable = Make(b);
  Buffer* input = Input(1);
  Buffer* result = Start(executable, input);
  gpu_->LoseDevice();
  const Status status = result->Wait();
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_STREQ(status.message(), "adder: the fake GPU is lost");
  input->Release();
  result->Release();
  executable->Release();
}

TEST_F(AsyncTest, EverythingIsReleasedWhileInFlight) {
  OpenX86();
  Executable* executable = MakeCall("pass");
  for (int i = 0; i < 20; ++i) {
    Buffer* input = Input(i);
    Start(executable, input, static_cast<uint32_t>(i % 4))->Release();
    input->Release();
  }
  std::thread opener([this] {
    EXPECT_TRUE(gate_.SeesWaiting(4));
    gate_.Open();
  });
  executable->Release();  // waits for the run
  opener.join();
}

TEST_F(AsyncTest, ABufferThatQueuedRunsReadIsWrittenAfterThem) {
  OpenX86();
  Executable* executable = MakeCall("pass");
  Buffer* input = Input(10);
  Buffer* result = Start(executable, input);
  std::thread opener([this] {
    EXPECT_TRUE(gate_.SeesWaiting(1));
    gate_.Open();
  });
  const int32_t other = 50;
  ASSERT_TRUE(input->CopyFromHost(&other, 0, 4).ok());
  EXPECT_EQ(Read(result), 11);
  opener.join();
  result->Release();
  input->Release();
  executable->Release();
}

struct CountingNotice : RunNotice {
  std::atomic<int> calls{0};
  bool on_queue_thread = false;
  std::atomic<bool> may_end{true};
  CountingNotice() : RunNotice{&Call} {}
  static void Call(RunNotice* self) {
    auto* notice = static_cast<CountingNotice*>(self);
    notice->on_queue_thread = RunQueue::OnQueueThread();
    while (!notice->may_end) std::this_thread::yield();
    ++notice->calls;
  }
};

TEST_F(AsyncTest, NoticesAreCalledOnceTheirRunIsDone) {
  OpenX86();
  Executable* executable = MakeCall("pass");
  Buffer* input = Input(1);
  Buffer* first = Start(executable, input);
  Buffer* second = Start(executable, first);
  CountingNotice of_first, also_of_first, of_second;
  EXPECT_FALSE(input->NotifyWhenReady(&of_first)) << "nothing makes it";
  ASSERT_TRUE(second->NotifyWhenReady(&of_second));
  ASSERT_TRUE(first->NotifyWhenReady(&of_first));
  ASSERT_TRUE(first->NotifyWhenReady(&also_of_first));
  EXPECT_EQ(of_first.calls + also_of_first.calls + of_second.calls, 0);
  of_second.may_end = false;
  gate_.Open();
  EXPECT_EQ(Read(second), 3);
  EXPECT_EQ(of_second.calls, 0);
  std::thread let_go([&] { of_second.may_end = true; });
  context_->queue().WaitUntilIdle();
  for (CountingNotice* notice : {&of_first, &also_of_first, &of_second}) {
    EXPECT_EQ(notice->calls, 1);
    EXPECT_TRUE(notice->on_queue_thread);
  }
  CountingNotice late;
  EXPECT_FALSE(second->NotifyWhenReady(&late)) << "it is there";
  let_go.join();
  for (Buffer* buffer : {input, first, second}) buffer->Release();
  executable->Release();
}

// The notice starts a run. This run needs the result of another run that waits for the thread of
// the queue, which is the thread that calls the notice.
TEST_F(AsyncTest, ANoticeMayStartRuns) {
  OpenX86();
  struct Starting : RunNotice {
    Starting() : RunNotice{&Call} {}
    static void Call(RunNotice* self) {
      auto* notice = static_cast<Starting*>(self);
      notice->started = notice->start();
    }
    std::function<Buffer*()> start;
    Buffer* started = nullptr;
  } notice;
  Executable* executable = MakeCall("pass");
  Buffer* input = Input(1);
  Buffer* first = Start(executable, input);
  Buffer* second = Start(executable, first);
  notice.start = [&] { return Start(executable, second); };
  ASSERT_TRUE(first->NotifyWhenReady(&notice));
  gate_.Open();
  context_->queue().WaitUntilIdle();
  ASSERT_NE(notice.started, nullptr);
  EXPECT_EQ(Read(notice.started), 4);
  for (Buffer* buffer : {input, first, second, notice.started}) buffer->Release();
  executable->Release();
}

// A child process has none of its parent's threads, so nothing in it may wait for a thread of a
// queue.
TEST_F(AsyncTest, AForkedChildRunsAtOnce) {
  OpenX86();
  gate_.Open();
  Executable* executable = MakeCall("pass");
  Buffer* input = Input(1);
  Buffer* result = Start(executable, input);
  context_->queue().WaitUntilIdle();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    Buffer* next = Start(executable, result);
    Buffer* last = Start(executable, next);
    const bool right = last->IsReady() && Read(last) == 4;
    for (Buffer* buffer : {input, result, next, last}) buffer->Release();
    executable->Release();
    context_->Release();
    _exit(right ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(Read(result), 2);
  for (Buffer* buffer : {input, result}) buffer->Release();
  executable->Release();
}

TEST_F(AsyncTest, NoticesOfManyThreadsAreEachCalledOnce) {
  OpenX86();
  gate_.Open();
  Executable* executable = MakeCall("pass");
  Buffer* input = Input(1);
  constexpr int kThreads = 4, kRuns = 200;
  std::vector<CountingNotice> notices(kThreads * kRuns);
  std::atomic<int> told{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int run = 0; run < kRuns; ++run) {
        Buffer* result = Start(executable, input, static_cast<uint32_t>(t % 2));
        told += result->NotifyWhenReady(&notices[static_cast<size_t>(t * kRuns + run)]) ? 1 : 0;
        result->Release();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  context_->queue().WaitUntilIdle();
  int calls = 0;
  for (const CountingNotice& notice : notices) {
    EXPECT_LE(notice.calls, 1);
    calls += notice.calls;
  }
  EXPECT_EQ(calls, told);
  input->Release();
  executable->Release();
}

}  // namespace
}  // namespace halyard::runtime
