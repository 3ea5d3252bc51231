#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "runtime/execute/executor.h"
#include "tests/runtime/execute/executor_fixture.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime {
namespace {

using halyard::testing::IncrementKernel;
using halyard::testing::LessThanKernel;

TEST_F(ExecutorTest, DonatedBuffersBecomeResults) {
  ProgramBuilder b("donation");
  const auto in = b.Parameter("s32", {}, 4, 0), out = b.Result("s32", {}, 4);
  b.Launch(0, b.Kernel(IncrementKernel("hyk_inc", 5)), {in}, {out});
  Executable* executable = Make(b);
  Buffer* input = Input<int32_t>({10});
  const void* address = input->host();
  Buffer* out1 = nullptr;
  const bool donate = true, keep = false;
  RunOptions options;
  options.donate = &donate;
  ASSERT_TRUE(executable->Run(options, &input, 1, &out1, 1).ok());
  EXPECT_TRUE(input->is_donated());
  EXPECT_EQ(out1->host(), address);
  EXPECT_EQ(Read<int32_t>(out1)[0], 15);
  // A donated buffer cannot be used again.
  Buffer* out2 = nullptr;
  EXPECT_EQ(executable->Run(options, &input, 1, &out2, 1).code(), Code::kInvalidArgument);
  EXPECT_FALSE(input->CopyToHost(nullptr, 0, 4).ok());
  input->Release();
  options.donate = &keep;
  ASSERT_TRUE(executable->Run(options, &out1, 1, &out2, 1).ok());
  EXPECT_NE(out2->host(), out1->host());
  EXPECT_EQ(Read<int32_t>(out1)[0], 15);
  EXPECT_EQ(Read<int32_t>(out2)[0], 20);
  out1->Release();
  out2->Release();
  executable->Release();
}

TEST_F(ExecutorTest, WrongArgumentsAreNamed) {
  Executable* executable = Make(Chain(64));
  Buffer* good = Input(std::vector<float>(64));
  Buffer* small = Input(std::vector<float>(63));
  Buffer* out = nullptr;
  auto run = [&](std::vector<Buffer*> inputs, uint32_t num_outputs = 1) {
    Status status =
        executable->Run({}, inputs.data(), static_cast<uint32_t>(inputs.size()), &out, num_outputs);
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_EQ(run({good}), "chain takes 2 arguments, not 1");
  EXPECT_EQ(run({good, good}, 2), "chain gives 1 results, not 2");
  EXPECT_EQ(run({good, small}), "argument 1 (arg1) has 252 bytes, not 256");
  EXPECT_EQ(run({nullptr, good}), "argument 0 (arg0) is missing");
  out = small;
  EXPECT_EQ(run({good, good}), "the buffer for result 0 (out0) does not fit its 256 bytes");
  good->Release();
  small->Release();
  executable->Release();
}

TEST_F(ExecutorTest, WrongDevicesAreRefused) {
  ProgramBuilder b = Chain(64);
  b.spec.device.kind = DeviceKind::kCuda;
  Executable* executable = nullptr;
  Status status = TryMake(b, &executable);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_NE(std::string(status.message()).find("cuda"), std::string::npos) << status.message();
  b.spec.device.kind = DeviceKind::kX86;
  b.spec.device.x86_features = ~uint64_t{0};
  if (context_->device()->info().x86_features == ((kX86Amx << 1) - 1)) return;  // has everything
  status = TryMake(b, &executable);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_NE(std::string(status.message()).find("lacks"), std::string::npos) << status.message();
  if ((context_->device()->info().x86_features & kX86Amx) == 0) {
    b.spec.device.x86_features = context_->device()->info().x86_features | kX86Amx;
    EXPECT_NE(std::string(TryMake(b, &executable).message()).find("this CPU lacks amx"),
              std::string::npos);
  }
  b.spec.device.x86_features = 0;
  b.spec.kernels[1].object[50] ^= 1;
  status = TryMake(b, &executable);
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_NE(std::string(status.message()).find("kernel1"), std::string::npos) << status.message();
}

TEST_F(ExecutorTest, MemoryNeedsAreCheckedBeforeRunning) {
  ProgramBuilder b = Chain(64);
  b.spec.device_arena_bytes = int64_t{1} << 50;
  Executable* executable = nullptr;
  Status status = TryMake(b, &executable);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_NE(std::string(status.message()).find("1125899906842624 bytes"), std::string::npos)
      << status.message();
}

TEST_F(ExecutorTest, TheCacheHasALimit) {
  Buffer* buffer = nullptr;
  ASSERT_TRUE(context_->NewBuffer(1 << 20, Space::kDevice, &buffer).ok());
  const void* first = buffer->host();
  buffer->Release();
  ASSERT_TRUE(context_->NewBuffer((1 << 20) - 100, Space::kDevice, &buffer).ok());
  EXPECT_EQ(buffer->host(), first) << "sizes are rounded, the block comes back";
  EXPECT_EQ(buffer->bytes(), (1u << 20) - 100);
  buffer->Release();
  EXPECT_EQ(context_->blocks_allocated(), 1u);
  context_->SetCacheLimit(1000);
  ASSERT_TRUE(context_->NewBuffer(1 << 20, Space::kDevice, &buffer).ok());
  EXPECT_EQ(context_->blocks_allocated(), 2u);
  buffer->Release();
}

// Eight threads run one Executable with different inputs: control flow, parallel kernels, scratch
// and the buffer cache at the same time.
TEST_F(ExecutorTest, EightThreadsAtOnce) {
  constexpr int kN = 6400, kThreads = 8;
  ProgramBuilder b = Chain(kN);
  b.spec.sequences.resize(3);
  const auto count = b.Parameter("s32", {}, 4), final_count = b.Result("s32", {}, 4);
  const auto state = b.Temp(4), next = b.Temp(4), predicate = b.Temp(1, MemorySpace::kHost);
  const int32_t less = b.Kernel(LessThanKernel("hyk_less", 100)),
                add = b.Kernel(IncrementKernel("hyk_add", 7));
  b.Copy(0, count, state);
  b.While(0, predicate, 1, 2);
  b.Copy(0, state, final_count);
  b.Launch(1, less, {state}, {predicate});
  b.Launch(2, add, {state}, {next});
  b.Copy(2, next, state);
  Executable* executable = Make(b);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 50; ++round) {
        const float first = static_cast<float>(t * 100 + round);
        const int32_t start = t - round;
        Buffer* inputs[3] = {Input(std::vector<float>(kN, first)),
                             Input(std::vector<float>(kN, -1.0f)), Input<int32_t>({start})};
        Buffer* outputs[2] = {};
        if (!executable->Run({}, inputs, 3, outputs, 2).ok()) return;
        const std::vector<float> values = Read<float>(outputs[0]);
        for (int i = 0; i < kN; ++i) {
          if (values[i] != (first * 2.0f - 1.0f) * 3.0f + i) return;
        }
        int32_t expected = start;
        while (expected < 100) expected += 7;
        if (Read<int32_t>(outputs[1])[0] != expected) return;
        for (Buffer* buffer : inputs) buffer->Release();
        for (Buffer* buffer : outputs) buffer->Release();
      }
      ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, kThreads);
  EXPECT_LE(executable->num_instances(), static_cast<uint32_t>(kThreads));
  executable->Release();
}

}  // namespace
}  // namespace halyard::runtime
