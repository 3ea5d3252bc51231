// Runs that Executable::Run queues: chained, on several streams, failing, with buffers released and
// given up while they are in flight.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"
#include "tests/runtime/fake_gpu.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime {
namespace {

using halyard::testing::FakeGpu;
using halyard::testing::IncrementKernel;
using halyard::testing::ProgramBuilder;

// Custom calls stop at it until it is opened.
class Gate {
 public:
  void Open() {
    std::lock_guard<std::mutex> lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void Pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    --waiting_;
  }
  // Whether `count` come to be here at once.
  bool SeesWaiting(int count) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return waiting_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

class AsyncTest : public ::testing::Test {
 protected:
  void Open(Device* device, Device* host) {
    ASSERT_TRUE(Context::Create(device, host, &context_).ok());
    CustomCall pass, fail;
    pass.user = &gate_;
    pass.full = [](void* gate, const void* const* in, void* const* out, const char*, uint64_t,
                   char*, uint64_t) {
      static_cast<Gate*>(gate)->Pass();
      *static_cast<int32_t*>(out[0]) = *static_cast<const int32_t*>(in[0]) + 1;
      return 0;
    };
    fail.full = [](void*, const void* const*, void* const*, const char*, uint64_t, char* error,
                   uint64_t bytes) {
      snprintf(error, bytes, "out of luck");
      return 7;
    };
    ASSERT_TRUE(context_->RegisterCustomCall("pass", pass).ok());
    ASSERT_TRUE(context_->RegisterCustomCall("fail", fail).ok());
  }
  void OpenX86() {
    Device* device = nullptr;
    ASSERT_TRUE(x86::OpenDeviceWithThreads(2, &device).ok());
    Open(device, nullptr);
  }
  void OpenGpu() {
    gpu_ = new FakeGpu();
    Device* host = nullptr;
    ASSERT_TRUE(x86::OpenDeviceWithThreads(1, &host).ok());
    Open(gpu_, host);
  }
  void TearDown() override {
    gate_.Open();
    context_->Release();
    EXPECT_EQ(FakeGpu::live_devices(), 0) << "someone still holds the context";
  }
  Executable* Make(ProgramBuilder& builder) {
    if (gpu_ != nullptr) builder.spec.device.kind = DeviceKind::kVulkan;
    const std::string bytes = builder.Write();
    Program* program = nullptr;
    Status status =
        Program::Copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &program);
    EXPECT_TRUE(status.ok()) << status.message();
    Executable* executable = nullptr;
    status = Executable::Create(context_, program, {}, &executable);
    EXPECT_TRUE(status.ok()) << status.message();
    return executable;
  }
  // out = target(in), one s32 in host memory. On the fake GPU the argument and the result are the
  // device's.
  Executable* MakeCall(const std::string& target, int64_t donated_to = -1) {
    ProgramBuilder b("program_" + target);
    const auto in = b.Parameter("s32", {}, 4, donated_to), out = b.Result("s32", {}, 4);
    if (gpu_ == nullptr) {
      b.Call(0, target, {in}, {out});
    } else {
      const auto host_in = b.Temp(4, MemorySpace::kHost), host_out = b.Temp(4, MemorySpace::kHost);
      b.Copy(0, in, host_in);
      b.Call(0, target, {host_in}, {host_out});
      b.Copy(0, host_out, out);
    }
    return Make(b);
  }
  Buffer* Input(int32_t value) {
    Buffer* buffer = nullptr;
    EXPECT_TRUE(context_->CopyFromHost(&value, 4, Space::kDevice, &buffer).ok());
    return buffer;
  }
  static int32_t Read(const Buffer* buffer) {
    int32_t value = -1;
    Status status = buffer->CopyToHost(&value, 0, 4);
    EXPECT_TRUE(status.ok()) << status.message();
    return value;
  }
  Buffer* Start(Executable* executable, Buffer* input, uint32_t stream = 0, bool donate = false) {
    RunOptions options;
    options.asynchronous = true;
    options.stream = stream;
    options.donate = &donate;
    Buffer* out = nullptr;
    Status status = executable->Run(options, &input, 1, &out, 1);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }

  // 100 runs that feed each other, none of which can begin yet.
  void Chain(bool donate) {
    Executable* executable = MakeCall("pass", 0);
    Buffer* buffer = Input(5);
    for (int i = 0; i < 100; ++i) {
      Buffer* next = Start(executable, buffer, 0, donate);
      EXPECT_EQ(buffer->is_donated(), donate);
      buffer->Release();
      buffer = next;
      EXPECT_FALSE(buffer->IsReady());
    }
    gate_.Open();
    EXPECT_EQ(Read(buffer), 105);
    EXPECT_TRUE(buffer->IsReady());
    buffer->Release();
    executable->Release();
  }

  Gate gate_;
  FakeGpu* gpu_ = nullptr;
  Context* context_ = nullptr;
};

TEST_F(AsyncTest, AHundredRunsAreChainedWithoutWaiting) {
  OpenX86();
  Chain(/*donate=*/false);
}

TEST_F(AsyncTest, DonatedArgumentsBecomeResultsOfQueuedRuns) {
  OpenX86();
  Chain(/*donate=*/true);
  // The first argument and what took it over.
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
    // More streams than queues and than a buffer has entries for.
    Executable* executable = MakeCall("pass");
    Buffer* input = Input(1);
    std::vector<Buffer*> results;
    for (uint32_t stream = 0; stream < 60; ++stream)
      results.push_back(Start(executable, input, stream));
    gate_.Open();
    for (Buffer* result : results) {
      EXPECT_EQ(Read(result), 2);
      result->Release();
    }
    // Written after all of them.
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
  // A run that does the work itself says so at once.
  Buffer* out = nullptr;
  EXPECT_EQ(pass->Run({}, &failed, 1, &out, 1).code(), Code::kInternal);
  EXPECT_EQ(out, nullptr);
  // The buffer's memory is as good as any other afterwards.
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
  executable->Release();  // waits
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

TEST_F(AsyncTest, ACustomCallMayRunAProgram) {
  OpenX86();
  gate_.Open();
  struct Inner {
    Executable* executable;
    Context* context;
  };
  static Inner inner;
  inner = {MakeCall("pass"), context_};
  CustomCall nested;
  nested.plain = [](void* out, const void** in) {
    Buffer* argument = nullptr;
    if (!inner.context->CopyFromHost(in[0], 4, Space::kDevice, &argument).ok()) return;
    RunOptions options;
    options.asynchronous = true;
    Buffer* result = nullptr;
    if (inner.executable->Run(options, &argument, 1, &result, 1).ok()) {
      (void)result->CopyToHost(out, 0, 4).ok();
      result->Release();
    }
    argument->Release();
  };
  ASSERT_TRUE(context_->RegisterCustomCall("nested", nested).ok());
  Executable* executable = MakeCall("nested");
  Buffer* input = Input(41);
  Buffer* result = Start(executable, input);
  EXPECT_EQ(Read(result), 42);
  result->Release();
  input->Release();
  executable->Release();
  inner.executable->Release();
}

TEST_F(AsyncTest, SmallProgramsAreRunAtOnce) {
  OpenX86();
  ProgramBuilder b("small");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  b.Launch(0, b.Kernel(IncrementKernel("hyk_one", 1)), {in}, {out});
  Executable* executable = Make(b);
  Buffer* input = Input(1);
  Buffer* result = Start(executable, input);
  EXPECT_TRUE(result->IsReady());
  EXPECT_EQ(Read(result), 2);
  result->Release();
  // Behind a queued run they wait for their turn.
  Executable* slow = MakeCall("pass");
  Buffer* first = Start(slow, input);
  Buffer* second = Start(executable, first);
  EXPECT_FALSE(second->IsReady());
  gate_.Open();
  EXPECT_EQ(Read(second), 3);
  for (Buffer* buffer : {first, second, input}) buffer->Release();
  slow->Release();
  executable->Release();
}

TEST_F(AsyncTest, AGpuChainIsSubmittedWithFewWaits) {
  OpenGpu();
  ProgramBuilder b("add");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4), temp = b.Temp(4);
  const int32_t add = b.Kernel(FakeGpu::Kernel("add", "add 5", 1, 4, 4));
  b.Launch(0, add, {in}, {temp});
  b.Launch(0, add, {temp}, {out});
  Executable* executable = Make(b);
  Buffer* buffer = Input(0);
  const int before = gpu_->waits();
  gpu_->Pause(true);
  for (int i = 0; i < 8; ++i) {
    Buffer* next = Start(executable, buffer);
    buffer->Release();
    buffer = next;
  }
  EXPECT_EQ(gpu_->waits(), before) << "submitting waits for the device";
  gpu_->Pause(false);
  EXPECT_EQ(Read(buffer), 80);
  EXPECT_EQ(gpu_->waits(), before + 2) << "one for the result, one for its copy";
  buffer->Release();
  executable->Release();
}

TEST_F(AsyncTest, TheHostWaitsOnlyForWhatTheDeviceTouches) {
  OpenGpu();
  // A counter on the host, five times, beside a sum on the device that nobody reads on the host.
  ProgramBuilder b("loop", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto state = b.Temp(4), next = b.Temp(4);
  const auto zero = b.Constant(std::string(4, '\0'));
  b.spec.allocations[zero.allocation].space = MemorySpace::kHost;
  const auto count = b.Temp(4, MemorySpace::kHost), other = b.Temp(4, MemorySpace::kHost),
             predicate = b.Temp(1, MemorySpace::kHost);
  const int32_t add = b.Kernel(FakeGpu::Kernel("add", "add 5", 1, 4, 4));
  const auto on_host = [&](const std::string& object) {
    const int32_t kernel = b.Kernel(object);
    b.spec.kernels.back().space = MemorySpace::kHost;
    return kernel;
  };
  const int32_t less = on_host(halyard::testing::LessThanKernel("hyk_less", 5)),
                one = on_host(IncrementKernel("hyk_one", 1));
  b.Copy(0, in, state);
  b.Copy(0, zero, count);
  b.While(0, predicate, 1, 2);
  b.Copy(0, state, out);
  b.Launch(1, less, {count}, {predicate});
  b.Launch(2, add, {state}, {next});
  b.Copy(2, next, state);
  b.Launch(2, one, {count}, {other});
  b.Copy(2, other, count);
  Executable* executable = Make(b);
  Buffer* input = Input(1);
  const int before = gpu_->waits();
  gpu_->Pause(true);
  Buffer* result = nullptr;
  ASSERT_TRUE(executable->Run({}, &input, 1, &result, 1).ok());
  EXPECT_EQ(gpu_->waits(), before);
  gpu_->Pause(false);
  EXPECT_EQ(Read(result), 26);
  result->Release();
  input->Release();
  executable->Release();
}

TEST_F(AsyncTest, ProfilesTimeEachRoundOfALoop) {
  OpenGpu();
  ProgramBuilder b("loop", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4), state = b.Temp(4),
             next = b.Temp(4);
  b.Copy(0, in, state);
  b.While(0, state, 1, 2, 3).slices.clear();
  b.spec.sequences[0].steps.back().num_inputs = 0;
  b.Copy(0, state, out);
  b.Launch(2, b.Kernel(FakeGpu::Kernel("seven", "add 7", 1, 4, 4)), {state}, {next});
  b.Copy(2, next, state);
  Executable* executable = Make(b);
  Buffer* input = Input(1);
  std::vector<StepTime> times;
  RunOptions options;
  options.asynchronous = true;  // a profiled run is done when it returns
  options.profile = [](void* user, const StepTime& time) {
    static_cast<std::vector<StepTime>*>(user)->push_back(time);
  };
  options.profile_user = &times;
  Buffer* result = nullptr;
  ASSERT_TRUE(executable->Run(options, &input, 1, &result, 1).ok());
  EXPECT_EQ(Read(result), 22);
  ASSERT_EQ(times.size(), 2u + 3 * 2);
  for (size_t i = 1; i < times.size(); ++i) EXPECT_LE(times[i - 1].end_ns, times[i].begin_ns);
  result->Release();
  input->Release();
  executable->Release();
}

TEST_F(AsyncTest, ADownloadDoesNotWaitForTheNextRun) {
  OpenX86();
  Executable* slow = MakeCall("pass");
  Buffer* input = Input(3);
  Buffer* result = Start(slow, input);
  EXPECT_EQ(Read(input), 3) << "reading an argument of a run in flight waits for the run";
  gate_.Open();
  EXPECT_EQ(Read(result), 4);
  result->Release();
  input->Release();
  slow->Release();
}

}  // namespace
}  // namespace halyard::runtime
