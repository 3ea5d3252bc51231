#include "runtime/execute/executor.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/x86/x86.h"
#include "tests/runtime/execute/executor_fixture.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime {
namespace {

using halyard::testing::IncrementKernel;
using halyard::testing::LessThanKernel;
using halyard::testing::RoundedUpKernel;

TEST_F(ExecutorTest, GuardedBuffersShowWhatIsWrittenBehindThem) {
  auto counted = [](int n) {
    ProgramBuilder b("counted");
    const auto in = b.Parameter("f32", {n}, 4 * n), out = b.Result("f32", {n}, 4 * n);
    b.Launch(0, b.Kernel(RoundedUpKernel("hyk_count", n)), {in}, {out});
    return b;
  };
  context_->GuardBuffers();
  for (int n : {64, 8, 65, 9}) {
    Executable* executable = Make(counted(n));
    Buffer* in = Input(std::vector<float>(n, 2.5f));
    Buffer* out = nullptr;
    ASSERT_TRUE(executable->Run({}, &in, 1, &out, 1).ok());
    std::vector<float> values(n);
    const Status status = out->CopyToHost(values.data(), 0, 4 * n);
    if (n % 8 == 0) {
      EXPECT_TRUE(status.ok()) << status.message();
      for (int i = 0; i < n; ++i) EXPECT_EQ(values[i], static_cast<float>(i));
    } else {
      EXPECT_EQ(status.code(), Code::kInternal);
      EXPECT_NE(strstr(status.message(), "was written"), nullptr) << status.message();
    }
    in->Release();
    out->Release();
    executable->Release();
  }
  Buffer* unwritten = nullptr;
  ASSERT_TRUE(context_->NewBuffer(40, Space::kDevice, &unwritten).ok());
  for (float value : Read<float>(unwritten)) EXPECT_TRUE(std::isnan(value));
  unwritten->Release();
}

TEST_F(ExecutorTest, RunsAStraightLine) {
  constexpr int kN = 640;
  Executable* executable = Make(Chain(kN));
  EXPECT_EQ(executable->num_segments(), 1u);
  EXPECT_EQ(executable->arena_bytes(), 2560u);
  for (int round = 0; round < 5; ++round) {
    std::vector<float> a(kN, static_cast<float>(round)), b(kN, 0.5f);
    Buffer* inputs[2] = {Input(a), Input(b)};
    Buffer* out = nullptr;
    ASSERT_TRUE(executable->Run({}, inputs, 2, &out, 1).ok());
    EXPECT_TRUE(out->IsReady());
    const std::vector<float> result = Read<float>(out);
    for (int i = 0; i < kN; ++i) ASSERT_EQ(result[i], (round * 2.0f + 0.5f) * 3.0f + i);
    inputs[0]->Release();
    inputs[1]->Release();
    out->Release();
  }
  EXPECT_EQ(executable->num_instances(), 1u);
  executable->Release();
}

TEST_F(ExecutorTest, ASteadyStateAllocatesNothing) {
  constexpr int kN = 64 * 1024;
  Executable* executable = Make(Chain(kN));
  std::vector<float> a(kN, 1.0f), b(kN, 2.0f);
  Buffer* inputs[2] = {Input(a), Input(b)};
  auto run = [&] {
    Buffer* out = nullptr;
    ASSERT_TRUE(executable->Run({}, inputs, 2, &out, 1).ok());
    out->Release();
  };
  for (int i = 0; i < 3; ++i) run();
  const uint64_t blocks = context_->blocks_allocated();
  const uint64_t device_blocks = x86::GetCounters(context_->device()).blocks_allocated;
  const struct mallinfo2 before = mallinfo2();
  for (int i = 0; i < 1000; ++i) run();
  const struct mallinfo2 after = mallinfo2();
  EXPECT_EQ(context_->blocks_allocated(), blocks);
  EXPECT_EQ(x86::GetCounters(context_->device()).blocks_allocated, device_blocks);
  EXPECT_EQ(x86::GetCounters(context_->device()).scratch_heap_allocations, 0u);
  EXPECT_EQ(before.uordblks, after.uordblks);
  EXPECT_EQ(before.hblkhd, after.hblkhd);
  inputs[0]->Release();
  inputs[1]->Release();
  executable->Release();
}

TEST_F(ExecutorTest, ProfilesEachStep) {
  Executable* executable = Make(Chain(640));
  Buffer* inputs[2] = {Input(std::vector<float>(640, 1.0f)), Input(std::vector<float>(640, 2.0f))};
  std::vector<StepTime> times;
  RunOptions options;
  options.profile = [](void* user, const StepTime& time) {
    static_cast<std::vector<StepTime>*>(user)->push_back(time);
  };
  options.profile_user = &times;
  Buffer* out = nullptr;
  ASSERT_TRUE(executable->Run(options, inputs, 2, &out, 1).ok());
  EXPECT_EQ(Read<float>(out)[10], (1.0f * 2.0f + 2.0f) * 3.0f + 10.0f);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[1].step, 1u);
  EXPECT_STREQ(times[1].label, "step 0.1");
  EXPECT_LE(times[0].begin_ns, times[0].end_ns);
  EXPECT_LE(times[0].end_ns, times[1].begin_ns);
  out->Release();
  inputs[0]->Release();
  inputs[1]->Release();
  executable->Release();
}

TEST_F(ExecutorTest, GivenBuffersAreReadAndWrittenInPlace) {
  constexpr int kN = 640;
  Executable* executable = Make(Chain(kN));
  alignas(64) static float a[kN], b[kN], out[kN];
  for (int i = 0; i < kN; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 1.0f;
  }
  Buffer* buffers[3];
  int released = 0;
  auto count = [](void* argument) { ++*static_cast<int*>(argument); };
  ASSERT_TRUE(context_->WrapHost(a, sizeof(a), count, &released, &buffers[0]).ok());
  ASSERT_TRUE(context_->WrapHost(b, sizeof(b), count, &released, &buffers[1]).ok());
  ASSERT_TRUE(context_->WrapHost(out, sizeof(out), count, &released, &buffers[2]).ok());
  ASSERT_TRUE(executable->Run({}, buffers, 2, &buffers[2], 1).ok());
  for (int i = 0; i < kN; ++i) ASSERT_EQ(out[i], (2.0f * i + 1.0f) * 3.0f + i);
  for (Buffer* buffer : buffers) buffer->Release();
  EXPECT_EQ(released, 3);
  Buffer* none = nullptr;
  EXPECT_EQ(context_->WrapHost(a + 1, 4, nullptr, nullptr, &none).code(), Code::kInvalidArgument);
  executable->Release();
}

TEST_F(ExecutorTest, LoopsUntilTheConditionFails) {
  // while (state < 100) state += 7
  ProgramBuilder b("loop", 3);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto state = b.Temp(4), next = b.Temp(4), predicate = b.Temp(1, MemorySpace::kHost);
  const int32_t less = b.Kernel(LessThanKernel("hyk_less", 100)),
                add = b.Kernel(IncrementKernel("hyk_add", 7));
  b.Copy(0, in, state);
  b.While(0, predicate, 1, 2);
  b.Copy(0, state, out);
  b.Launch(1, less, {state}, {predicate});
  b.Launch(2, add, {state}, {next});
  b.Copy(2, next, state);
  Executable* executable = Make(b);
  EXPECT_EQ(RunScalar(executable, 0), 105);
  EXPECT_EQ(RunScalar(executable, 99), 106);
  EXPECT_EQ(RunScalar(executable, 100), 100);
  executable->Release();
}

TEST_F(ExecutorTest, KnownTripCountsNeverEvaluateTheCondition) {
  for (const int64_t trips : {0, 1, 5, 1000}) {
    ProgramBuilder b("loop", 3);
    const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
    const auto state = b.Temp(4), next = b.Temp(4), predicate = b.Temp(1, MemorySpace::kHost);
    const int32_t never = b.Kernel(LessThanKernel("hyk_never", -1000000)),
                  add = b.Kernel(IncrementKernel("hyk_add", 7));
    b.Copy(0, in, state);
    b.While(0, predicate, 1, 2, trips);
    b.Copy(0, state, out);
    b.Launch(1, never, {state}, {predicate});
    b.Launch(2, add, {state}, {next});
    b.Copy(2, next, state);
    Executable* executable = Make(b);
    EXPECT_EQ(RunScalar(executable, 3), 3 + 7 * trips);
    executable->Release();
  }
}

TEST_F(ExecutorTest, NestedControl) {
  // for 3 times: { case (in) of 0: +1, 1: +10, else: for 4 times +100 }
  ProgramBuilder b("nested", 7);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  const auto state = b.Temp(4), next = b.Temp(4);
  const int32_t one = b.Kernel(IncrementKernel("hyk_one", 1)),
                ten = b.Kernel(IncrementKernel("hyk_ten", 10)),
                hundred = b.Kernel(IncrementKernel("hyk_hundred", 100));
  b.Copy(0, in, state);
  b.While(0, state, 1, 2, 3);
  b.Copy(0, state, out);
  b.Case(2, in, {3, 4, 5});
  b.Launch(3, one, {state}, {next});
  b.Copy(3, next, state);
  b.Launch(4, ten, {state}, {next});
  b.Copy(4, next, state);
  b.While(5, state, 1, 6, 4);
  b.Launch(6, hundred, {state}, {next});
  b.Copy(6, next, state);
  Executable* executable = Make(b);
  EXPECT_EQ(RunScalar(executable, 0), 3);
  EXPECT_EQ(RunScalar(executable, 1), 31);
  EXPECT_EQ(RunScalar(executable, 2), 1202);
  EXPECT_EQ(RunScalar(executable, 17), 1217);  // out of range: the last branch
  EXPECT_EQ(RunScalar(executable, -5), 1195);
  executable->Release();
}

void PlainDouble(void* out, const void** in) {
  *static_cast<int32_t*>(out) = 2 * *static_cast<const int32_t*>(in[0]);
}

int FullSplit(void* user, const void* const* in, void* const* out, const char* config,
              uint64_t config_bytes, char* error, uint64_t error_bytes) {
  if (std::string(config, config_bytes) != "config of split") return 2;
  const int32_t value = *static_cast<const int32_t*>(in[0]);
  if (value < 0) {
    snprintf(error, error_bytes, "%d is negative", value);
    return 7;
  }
  *static_cast<int32_t*>(out[0]) = value / 10;
  *static_cast<int32_t*>(out[1]) = value % 10;
  ++*static_cast<int*>(user);
  return 0;
}

TEST_F(ExecutorTest, CustomCalls) {
  ProgramBuilder b("calls");
  const auto in = b.Parameter("s32", {}, 4), tens = b.Result("s32", {}, 4),
             ones = b.Result("s32", {}, 4);
  const auto twice = b.Temp(4, MemorySpace::kHost);
  b.Call(0, "double", {in}, {twice});
  b.Call(0, "split", {twice}, {tens, ones});
  Executable* executable = nullptr;
  Status status = TryMake(b, &executable);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_STREQ(status.message(), "calls: step 0.0: custom call double is not registered");
  int calls = 0;
  CustomCall plain, full;
  plain.plain = PlainDouble;
  full.full = FullSplit;
  full.user = &calls;
  EXPECT_EQ(context_->RegisterCustomCall("nothing", CustomCall()).code(), Code::kInvalidArgument);
  ASSERT_TRUE(context_->RegisterCustomCall("double", plain).ok());
  ASSERT_TRUE(context_->RegisterCustomCall("split", full).ok());
  executable = Make(b);
  Buffer* input = Input<int32_t>({37});
  Buffer* outputs[2] = {};
  ASSERT_TRUE(executable->Run({}, &input, 1, outputs, 2).ok());
  EXPECT_EQ(Read<int32_t>(outputs[0])[0], 7);
  EXPECT_EQ(Read<int32_t>(outputs[1])[0], 4);
  EXPECT_EQ(calls, 1);
  input->Release();
  for (Buffer*& buffer : outputs) {
    buffer->Release();
    buffer = nullptr;
  }
  input = Input<int32_t>({-1});
  status = executable->Run({}, &input, 1, outputs, 2);
  EXPECT_EQ(status.code(), Code::kInternal);
  EXPECT_STREQ(status.message(), "custom call split (step 0.1) failed with 7: -2 is negative");
  EXPECT_EQ(outputs[0], nullptr);
  EXPECT_EQ(outputs[1], nullptr);
  input->Release();
  executable->Release();
}

}  // namespace
}  // namespace halyard::runtime
