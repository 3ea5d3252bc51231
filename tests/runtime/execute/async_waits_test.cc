#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "runtime/execute/executor.h"
#include "tests/runtime/execute/async_fixture.h"
#include "tests/runtime/fake_gpu.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime {
namespace {

using halyard::testing::IncrementKernel;

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
  // A run that uses the result of a queued run waits for it. Other runs are done meanwhile.
  Executable* slow = MakeCall("pass");
  Buffer* first = Start(slow, input);
  Buffer* second = Start(executable, first);
  EXPECT_FALSE(second->IsReady());
  Buffer* other = Start(executable, input);
  EXPECT_TRUE(other->IsReady());
  EXPECT_EQ(Read(other), 2);
  other->Release();
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
  // A counter on the host runs five times, next to a sum on the device that the host never reads.
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
  options.asynchronous = true;  // a profiled run is complete when it returns
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
