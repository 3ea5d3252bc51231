// The executor with a GPU that is slow, asynchronous and has its own memory (fake_gpu.h): tests
// what waits for what.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "runtime/collectives/grid.h"
#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"
#include "tests/runtime/execute/executor_fixture.h"
#include "tests/runtime/fake_gpu.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime {
namespace {

using halyard::testing::FakeGpu;

class GpuExecutorTest : public ExecutorTest {
 protected:
  void SetUp() override {
    gpu_ = new FakeGpu();
    Device* host = nullptr;
    ASSERT_TRUE(x86::OpenDeviceWithThreads(1, &host).ok());
    ASSERT_TRUE(Context::Create(gpu_, host, &context_).ok());
  }
  void TearDown() override {
    ExecutorTest::TearDown();
    EXPECT_EQ(FakeGpu::live_devices(), 0) << "someone still holds the context";
  }
  Executable* Make(ProgramBuilder& builder) {
    builder.spec.device.kind = DeviceKind::kVulkan;
    return ExecutorTest::Make(builder);
  }
  // As RunScalar, for a run that could be cancelled. The device may be paused when it begins.
  int32_t RunUncancelled(Executable* executable, int32_t value, bool pause = false) {
    const int32_t cancel = 0;
    RunOptions options;
    options.cancel = &cancel;
    Buffer* in = Input<int32_t>({value});
    Buffer* out = nullptr;
    gpu_->Pause(pause);
    Status status = executable->Run(options, &in, 1, &out, 1);
    EXPECT_TRUE(status.ok()) << status.message();
    in->Release();
    if (out == nullptr) return -1;
    const int32_t result = ReadOne<int32_t>(out);
    out->Release();
    return result;
  }
  template <typename T>
  T ReadOne(Buffer* buffer) {
    T value{};
    EXPECT_TRUE(buffer->CopyToHost(&value, 0, sizeof(T)).ok());
    return value;
  }

  FakeGpu* gpu_ = nullptr;
};

// The device has no library that exchanges arrays, so they go through host memory. Group {0, 1}
// gathers, and the third process is in no group.
TEST_F(GpuExecutorTest, ExchangesInTheDevicesMemory) {
  ProgramBuilder b("exchange");
  b.spec.num_replicas = 3;
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {3}, 12), temp = b.Temp(4);
  b.Launch(0, b.Kernel(FakeGpu::Kernel("add", "add 5", 1, 4, 4)), {in}, {temp});
  b.Communicate(0, ProgramSpec::Step::Kind::kExchange, {0, 1, 2, 1, 0}, {temp}, {out});
  Executable* executable = Make(b);
  Grid* grid = nullptr;
  ASSERT_TRUE(Grid::Create(3, 1, executable->program().num_steps(), {}, {}, &grid).ok());
  std::vector<std::thread> threads;
  std::vector<std::vector<int32_t>> got(3, std::vector<int32_t>(3, -1));
  for (uint32_t process = 0; process < 3; ++process) {
    threads.emplace_back([&, process] {
      RunOptions options;
      options.grid = grid;
      options.process = options.stream = process;
      Buffer* buffer = Input<int32_t>({static_cast<int32_t>(10 * process)});
      Buffer* result = nullptr;
      const Status status = executable->Run(options, &buffer, 1, &result, 1);
      grid->End(process, status);
      EXPECT_TRUE(status.ok()) << status.message();
      if (status.ok()) {
        EXPECT_TRUE(result->CopyToHost(got[process].data(), 0, 12).ok());
        result->Release();
      }
      buffer->Release();
    });
  }
  for (std::thread& thread : threads) thread.join();
  grid->Destroy();
  EXPECT_EQ(got[0], (std::vector<int32_t>{15, 5, 0}));
  EXPECT_EQ(got[1], (std::vector<int32_t>{15, 5, 0}));
  EXPECT_EQ(got[2], (std::vector<int32_t>{0, 0, 0}));
  executable->Release();
}

TEST_F(GpuExecutorTest, AnExchangeIsInOneSpace) {
  for (const bool operand_on_host : {false, true}) {
    ProgramBuilder b("mixed");
    b.spec.num_replicas = 2;
    b.spec.device.kind = DeviceKind::kVulkan;
    const auto host = b.Temp(4, MemorySpace::kHost), device = b.Temp(4);
    b.Communicate(0, ProgramSpec::Step::Kind::kExchange, {2, 1, 2, 0, 1},
                  {operand_on_host ? host : device}, {operand_on_host ? device : host});
    const std::string bytes = b.Write();
    Program* program = nullptr;
    const Status status =
        Program::Copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &program);
    EXPECT_EQ(status.code(), Code::kDataLoss);
    EXPECT_NE(std::string(status.message())
                  .find(operand_on_host ? "communication outside of host space"
                                        : "exchange with a slice of the other space"),
              std::string::npos)
        << status.message();
  }
}

TEST_F(GpuExecutorTest, RunReturnsBeforeTheResultIsThere) {
  ProgramBuilder b("chain");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4), temp = b.Temp(4);
  const int32_t add = b.Kernel(FakeGpu::Kernel("add", "add 5", 1, 4, 4));
  b.Launch(0, add, {in}, {temp});
  b.Launch(0, b.Kernel(FakeGpu::Kernel("scratch", "scratch", 1, 4, 4)), {temp}, {out});
  Executable* executable = Make(b);
  Buffer* buffer = Input<int32_t>({1});
  EXPECT_EQ(buffer->host(), nullptr);
  // Results are passed to the next run at once, and inputs are released at once.
  for (int i = 0; i < 20; ++i) {
    Buffer* next = nullptr;
    gpu_->Pause(i == 0);
    ASSERT_TRUE(executable->Run({}, &buffer, 1, &next, 1).ok());
    EXPECT_TRUE(i > 0 || !next->IsReady());
    buffer->Release();
    buffer = next;
  }
  EXPECT_EQ(ReadOne<int32_t>(buffer), 101);
  EXPECT_TRUE(buffer->IsReady());
  buffer->Release();
  executable->Release();
}

TEST_F(GpuExecutorTest, AFreedBufferIsNotReusedBeforeItsWorkIsDone) {
  ProgramBuilder b("sum");
  const auto x = b.Parameter("f32", {64}, 256), y = b.Parameter("f32", {64}, 256),
             out = b.Result("f32", {64}, 256);
  b.Launch(0, b.Kernel(FakeGpu::Kernel("sum", "sum", 2, 256, 256)), {x, y}, {out});
  Executable* executable = Make(b);
  std::vector<Buffer*> results;
  for (int i = 0; i < 30; ++i) {
    Buffer* inputs[2] = {Input(std::vector<float>(64, static_cast<float>(i))),
                         Input(std::vector<float>(64, 0.5f))};
    Buffer* result = nullptr;
    ASSERT_TRUE(executable->Run({}, inputs, 2, &result, 1).ok());
    inputs[0]->Release();
    inputs[1]->Release();
    results.push_back(result);
  }
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(ReadOne<float>(results[i]), i + 0.5f);
    results[i]->Release();
  }
  executable->Release();
}

// Pieces of 65,536 rounds and a rest.
TEST_F(GpuExecutorTest, ALongLoopHasAllItsRounds) {
  ProgramBuilder b("loop", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4), sum = b.Temp(4);
  b.Copy(0, in, sum);
  b.While(0, {}, 2, 1, 150000).slices.clear();
  b.spec.sequences[0].steps[1].num_inputs = 0;
  b.Copy(0, sum, out);
  b.Launch(1, b.Kernel(FakeGpu::Kernel("two", "add 2", 1, 4, 4)), {sum}, {sum});
  Executable* executable = Make(b);
  EXPECT_EQ(RunScalar(executable, 7), 300007);
  executable->Release();
}

// A loop that can be cancelled has as many rounds, in whatever pieces it runs.
TEST_F(GpuExecutorTest, ALoopThatCanBeCancelledHasAllItsRounds) {
  for (const int32_t rounds : {1, 2, 1000, 20000}) {
    ProgramBuilder b("loop", 5);  // the last sequence stays empty
    const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4), sum = b.Temp(4);
    const int32_t two = b.Kernel(FakeGpu::Kernel("two", "add 2", 1, 4, 4));
    b.Copy(0, in, sum);
    b.While(0, {}, 4, 1, rounds).slices.clear();
    b.While(0, {}, 4, 2, 3).slices.clear();  // a body that is not one segment
    for (int i = 1; i < 3; ++i) b.spec.sequences[0].steps[i].num_inputs = 0;
    b.Copy(0, sum, out);
    b.Launch(1, two, {sum}, {sum});
    b.While(2, {}, 4, 3, 2).slices.clear();
    b.spec.sequences[2].steps[0].num_inputs = 0;
    b.Launch(2, two, {sum}, {sum});
    b.Launch(3, two, {sum}, {sum});
    Executable* executable = Make(b);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(RunUncancelled(executable, 7 + i), 7 + i + 2 * rounds + 3 * (2 * 2 + 2));
    }
    executable->Release();
  }
}

// Little is submitted before the run looks again whether it goes on.
TEST_F(GpuExecutorTest, ALoopThatCanBeCancelledIsNotSubmittedAtOnce) {
  ProgramBuilder b("loop", 3);
  const auto sum = b.Temp(4);
  b.While(0, {}, 2, 1, INT64_MAX).slices.clear();
  b.spec.sequences[0].steps[0].num_inputs = 0;
  b.Launch(1, b.Kernel(FakeGpu::Kernel("two", "add 2", 1, 4, 4)), {sum}, {sum});
  Executable* executable = Make(b);
  gpu_->Pause(true);
  int32_t cancel = 0;
  std::thread run([&] {
    RunOptions options;
    options.cancel = &cancel;
    Status status = executable->Run(options, nullptr, 0, nullptr, 0);
    EXPECT_EQ(status.code(), Code::kAborted) << status.message();
  });
  while (gpu_->submits() < 2) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(gpu_->submits(), 2);
  __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
  gpu_->Pause(false);
  run.join();
  EXPECT_LE(gpu_->submits(), 3);
  executable->Release();
}

// Kernels that take long together are submitted by themselves, so that a run can end between them.
TEST_F(GpuExecutorTest, ALongLineThatCanBeCancelledIsCut) {
  ProgramBuilder b("line");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto first = b.Temp(4), second = b.Temp(4);
  const int32_t two = b.Kernel(FakeGpu::Kernel("two", "add 2", 1, 4, 4));
  b.Launch(0, two, {in}, {first});
  b.Launch(0, two, {first}, {second});
  b.Launch(0, two, {second}, {out});
  Executable* executable = Make(b);
  EXPECT_EQ(RunScalar(executable, 1), 7);
  EXPECT_EQ(gpu_->submits(), 1);
  std::thread later([&] {
    while (gpu_->submits() < 2) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gpu_->Pause(false);
  });
  EXPECT_EQ(RunUncancelled(executable, 2, true), 8);  // seems to take 20 ms
  later.join();
  EXPECT_EQ(gpu_->submits(), 2);
  EXPECT_EQ(RunUncancelled(executable, 3), 9);
  EXPECT_EQ(gpu_->submits(), 5);
  EXPECT_EQ(RunUncancelled(executable, 4), 10);
  EXPECT_EQ(RunScalar(executable, 5), 11);
  EXPECT_EQ(gpu_->submits(), 9);
  executable->Release();
}

TEST_F(GpuExecutorTest, HostAndDeviceStepsWaitForEachOther) {
  // device: +1, copied to the host; CPU: +10, copied back; device: +100
  ProgramBuilder b("mixed");
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto first = b.Temp(4), host_in = b.Temp(4, MemorySpace::kHost),
             host_out = b.Temp(4, MemorySpace::kHost), back = b.Temp(4);
  b.Launch(0, b.Kernel(FakeGpu::Kernel("one", "add 1", 1, 4, 4)), {in}, {first});
  b.Copy(0, first, host_in);
  b.Launch(0, b.Kernel(halyard::testing::IncrementKernel("hyk_ten", 10)), {host_in}, {host_out});
  b.spec.kernels.back().space = MemorySpace::kHost;
  b.Copy(0, host_out, back);
  b.Launch(0, b.Kernel(FakeGpu::Kernel("hundred", "add 100", 1, 4, 4)), {back}, {out});
  Executable* executable = Make(b);
  EXPECT_EQ(executable->num_segments(), 3u);
  for (int32_t i = 0; i < 10; ++i) {
    Buffer* input = Input<int32_t>({i});
    Buffer* result = nullptr;
    ASSERT_TRUE(executable->Run({}, &input, 1, &result, 1).ok());
    EXPECT_EQ(ReadOne<int32_t>(result), i + 111);
    input->Release();
    result->Release();
  }
  executable->Release();
}

TEST_F(GpuExecutorTest, ConditionsAreReadBack) {
  // while (state < 40) state += 7, with the predicate copied to the host
  ProgramBuilder b("loop", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto state = b.Temp(4), next = b.Temp(4), flag = b.Temp(1),
             predicate = b.Temp(1, MemorySpace::kHost);
  b.Copy(0, in, state);
  b.While(0, predicate, 1, 2);
  b.Copy(0, state, out);
  b.Launch(1, b.Kernel(FakeGpu::Kernel("less", "less 40", 1, 4, 1)), {state}, {flag});
  b.Copy(1, flag, predicate);
  b.Launch(2, b.Kernel(FakeGpu::Kernel("seven", "add 7", 1, 4, 4)), {state}, {next});
  b.Copy(2, next, state);
  Executable* executable = Make(b);
  Buffer* input = Input<int32_t>({3});
  Buffer* result = nullptr;
  ASSERT_TRUE(executable->Run({}, &input, 1, &result, 1).ok());
  EXPECT_EQ(ReadOne<int32_t>(result), 45);
  input->Release();
  result->Release();
  executable->Release();
}

TEST_F(GpuExecutorTest, KnownTripCountsAreOneSubmit) {
  ProgramBuilder b("loop", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4), state = b.Temp(4),
             next = b.Temp(4);
  b.Copy(0, in, state);
  b.While(0, state, 1, 2, 1000).slices.clear();
  b.spec.sequences[0].steps.back().num_inputs = 0;
  b.Copy(0, state, out);
  b.Launch(2, b.Kernel(FakeGpu::Kernel("seven", "add 7", 1, 4, 4)), {state}, {next});
  b.Copy(2, next, state);
  Executable* executable = Make(b);
  Buffer* input = Input<int32_t>({3});
  Buffer* result = nullptr;
  ASSERT_TRUE(executable->Run({}, &input, 1, &result, 1).ok());
  EXPECT_EQ(gpu_->submits(), 3);
  EXPECT_EQ(ReadOne<int32_t>(result), 7003);
  input->Release();
  result->Release();
  executable->Release();
}

TEST_F(GpuExecutorTest, ConstantsAndCustomCalls) {
  ProgramBuilder b("call");
  const auto in = b.Parameter("f32", {4}, 16), out = b.Result("f32", {4}, 16);
  const float values[4] = {1, 2, 3, 4};
  const auto constant = b.Constant(std::string(reinterpret_cast<const char*>(values), 16));
  const auto sum = b.Temp(16), host_in = b.Temp(16, MemorySpace::kHost),
             host_out = b.Temp(16, MemorySpace::kHost);
  const int32_t kernel = b.Kernel(FakeGpu::Kernel("sum", "sum", 2, 16, 16));
  b.Launch(0, kernel, {in, constant}, {sum});
  b.Copy(0, sum, host_in);
  b.Call(0, "negate", {host_in}, {host_out});
  b.Copy(0, host_out, sum);
  b.Launch(0, kernel, {sum, constant}, {out});
  CustomCall call;
  call.plain = [](void* result, const void** inputs) {
    for (int i = 0; i < 4; ++i)
      static_cast<float*>(result)[i] = -static_cast<const float*>(inputs[0])[i];
  };
  ASSERT_TRUE(context_->RegisterCustomCall("negate", call).ok());
  Executable* executable = Make(b);
  Buffer* input = Input<float>({10, 20, 30, 40});
  Buffer* result = nullptr;
  ASSERT_TRUE(executable->Run({}, &input, 1, &result, 1).ok());
  float read[4];
  ASSERT_TRUE(result->CopyToHost(read, 0, 16).ok());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(read[i], -10.0f * (i + 1));
  input->Release();
  result->Release();
  executable->Release();
}

TEST_F(GpuExecutorTest, HostParametersAndDonation) {
  // out0 = arg0 + 1, in arg0's memory; out1 = arg1 + 10, both in host memory
  ProgramBuilder b("host");
  const auto in = b.Parameter("s32", {}, 4, 0), scalar = b.Parameter("s32", {}, 4),
             out = b.Result("s32", {}, 4), count = b.Result("s32", {}, 4);
  b.spec.allocations[scalar.allocation].space = MemorySpace::kHost;
  b.spec.allocations[count.allocation].space = MemorySpace::kHost;
  b.Launch(0, b.Kernel(halyard::testing::IncrementKernel("hyk_ten", 10)), {scalar}, {count});
  b.spec.kernels.back().space = MemorySpace::kHost;
  b.Launch(0, b.Kernel(FakeGpu::Kernel("one", "add 1", 1, 4, 4)), {in}, {out});
  Executable* executable = Make(b);
  EXPECT_EQ(executable->parameter_space(0), Space::kDevice);
  EXPECT_EQ(executable->parameter_space(1), Space::kHost);
  EXPECT_EQ(executable->result_space(1), Space::kHost);
  Buffer* inputs[2] = {Input<int32_t>({4}), nullptr};
  const int32_t five = 5;
  ASSERT_TRUE(context_->CopyFromHost(&five, 4, Space::kHost, &inputs[1]).ok());
  EXPECT_NE(inputs[1]->host(), nullptr);
  const uint64_t address = inputs[0]->block().device_address;
  const bool donate[2] = {true, true};
  RunOptions options;
  options.donate = donate;
  Buffer* results[2] = {};
  ASSERT_TRUE(executable->Run(options, inputs, 2, results, 2).ok());
  EXPECT_EQ(results[0]->block().device_address, address);
  for (Buffer* buffer : inputs) buffer->Release();
  // Swapped: a host result for a device parameter, and a device result that is still being computed
  // for a host parameter.
  std::swap(results[0], results[1]);
  Buffer* swapped[2] = {};
  ASSERT_TRUE(executable->Run(options, results, 2, swapped, 2).ok());
  EXPECT_FALSE(results[0]->is_donated()) << "it is in the wrong space";
  EXPECT_EQ(ReadOne<int32_t>(swapped[0]), 5 + 10 + 1);
  EXPECT_EQ(ReadOne<int32_t>(swapped[1]), 4 + 1 + 10);
  for (Buffer* buffer : {results[0], results[1], swapped[0], swapped[1]}) buffer->Release();
  executable->Release();
}

TEST_F(GpuExecutorTest, EightThreadsAtOnce) {
  ProgramBuilder b("loop", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto state = b.Temp(4), next = b.Temp(4), flag = b.Temp(1),
             predicate = b.Temp(1, MemorySpace::kHost);
  b.Copy(0, in, state);
  b.While(0, predicate, 1, 2);
  b.Copy(0, state, out);
  b.Launch(1, b.Kernel(FakeGpu::Kernel("less", "less 20", 1, 4, 1)), {state}, {flag});
  b.Copy(1, flag, predicate);
  b.Launch(2, b.Kernel(FakeGpu::Kernel("seven", "add 7", 1, 4, 4)), {state}, {next});
  b.Copy(2, next, state);
  Executable* executable = Make(b);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 5; ++round) {
        int32_t expected = t;
        while (expected < 20) expected += 7;
        Buffer* input = Input<int32_t>({t});
        Buffer* result = nullptr;
        RunOptions options;
        options.stream = static_cast<uint32_t>(t % 3);
        if (executable->Run(options, &input, 1, &result, 1).ok() &&
            ReadOne<int32_t>(result) == expected)
          ++right;
        input->Release();
        if (result != nullptr) result->Release();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
  executable->Release();
}

}  // namespace
}  // namespace halyard::runtime
