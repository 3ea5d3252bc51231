// Runs that nobody waits for, and runs with memory for their temporaries.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/c_api/c_api_fixture.h"

namespace halyard::testing {
namespace {

// Collects the order in which runs end.
struct Order {
  std::vector<int> ended;  // written by one thread at a time, read when all have ended
  std::vector<int> codes;
  std::atomic<size_t> count{0};
  std::atomic<int> others{0};
  std::thread::id thread;

  void WaitFor(size_t wanted) const {
    while (count < wanted) usleep(100);
  }
};
struct AsyncRun {
  Order* order;
  int number;
  alignas(64) int32_t in, out;
  const void* arguments[1];
  void* results[1];

  static void Done(void* user, hy_status status) {
    AsyncRun* self = static_cast<AsyncRun*>(user);
    Order* order = self->order;
    if (order->count != 0 && order->thread != std::this_thread::get_id()) ++order->others;
    order->thread = std::this_thread::get_id();
    order->ended.push_back(self->number);
    order->codes.push_back(hy_status_code(status));
    hy_status_free(status);
    ++order->count;
  }
  hy_status Start(hy_program* program, const hy_run_options* options = nullptr) {
    arguments[0] = &in;
    results[0] = &out;
    return hy_run_async(program, options, arguments, results, &Done, this);
  }
};

using RunsTest = X86Test;

TEST_F(RunsTest, RunsAndCallbacksComeInOrder) {
  hy_program *ones = Load(AddProgram(1)), *tens = Load(AddProgram(10));
  Order order;
  std::vector<AsyncRun> runs(100);
  for (int i = 0; i < 100; ++i) {
    runs[i].order = &order;
    runs[i].number = i;
    runs[i].in = 1000 * i;
    ASSERT_EQ(runs[i].Start(i % 2 == 0 ? ones : tens), nullptr);
  }
  order.WaitFor(100);
  EXPECT_EQ(order.others, 0) << "one thread calls back";
  EXPECT_NE(order.thread, std::this_thread::get_id());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(order.ended[i], i);
    EXPECT_EQ(order.codes[i], HY_OK);
    EXPECT_EQ(runs[i].out, 1000 * i + (i % 2 == 0 ? 1 : 10));
  }
  hy_program_free(ones);
  hy_program_free(tens);
}

// A run waits for its result: freeing a program waits for its runs and their callbacks.
TEST_F(RunsTest, FreeingAProgramWaits) {
  hy_program* program = Load(AddProgram(1));
  Order order;
  std::vector<AsyncRun> runs(50);
  for (int i = 0; i < 50; ++i) {
    runs[i].order = &order;
    runs[i].number = runs[i].in = i;
    ASSERT_EQ(runs[i].Start(program), nullptr);
  }
  hy_program_free(program);
  EXPECT_EQ(order.count, 50u);
  EXPECT_EQ(runs[49].out, 50);
}

TEST_F(RunsTest, AnEndlessRunIsCancelled) {
  hy_program* program = Load(CountToTen());
  hy_cancel cancel = {0};
  hy_run_options options = WithSize<hy_run_options>();
  options.cancel = &cancel;
  Order order;
  AsyncRun endless, behind;
  endless.order = behind.order = &order;
  endless.number = 0;
  behind.number = 1;
  endless.in = 3;
  behind.in = 11;
  ASSERT_EQ(endless.Start(program, &options), nullptr);
  ASSERT_EQ(behind.Start(program, &options), nullptr);
  usleep(20000);
  EXPECT_EQ(order.count, 0u);
  hy_cancel_request(&cancel);
  order.WaitFor(2);
  EXPECT_EQ(order.codes, (std::vector<int>{HY_ABORTED, HY_ABORTED}));
  hy_program_free(program);
}

// What a callback does: starts the next run, and in the end frees the program and the device.
struct Chain {
  hy_device* device = nullptr;
  hy_program* program = nullptr;
  std::atomic<int> left{20};
  alignas(64) int32_t value[2] = {5, 0};
  const void* arguments[1] = {};
  void* results[1] = {};
  std::atomic<bool> done{false};

  static void Next(void* user, hy_status status) {
    Chain* self = static_cast<Chain*>(user);
    ASSERT_EQ(status, nullptr);
    if (--self->left == 0) {
      hy_program_free(self->program);
      hy_device_close(self->device);
      self->done = true;
      return;
    }
    self->value[0] = self->value[1];
    ASSERT_EQ(self->Start(), nullptr);
  }
  hy_status Start() {
    arguments[0] = &value[0];
    results[0] = &value[1];
    return hy_run_async(program, nullptr, arguments, results, &Next, this);
  }
};

TEST(CallbackTest, MayStartRunsAndFreeEverything) {
  Chain chain;
  ASSERT_EQ(hy_device_open("x86", 0, 1, &chain.device), nullptr);
  const std::string bytes = AddProgram(3);
  ASSERT_EQ(hy_program_load_memory(chain.device, bytes.data(), bytes.size(), 1, &chain.program),
            nullptr);
  ASSERT_EQ(chain.Start(), nullptr);
  while (!chain.done) usleep(100);
  EXPECT_EQ(chain.value[1], 5 + 20 * 3);
}

TEST_F(RunsTest, ErrorsBeforeTheRunAreReturned) {
  hy_program* program = Load(AddProgram(1));
  alignas(64) int32_t value = 0;
  const void* arguments[] = {&value};
  void* results[] = {&value};
  const auto never = [](void*, hy_status) { FAIL(); };
  ExpectError(hy_run_async(program, nullptr, arguments, results, never, nullptr),
              HY_INVALID_ARGUMENT, "overlap");
  ExpectError(hy_run_async(program, nullptr, arguments, results, nullptr, nullptr),
              HY_INVALID_ARGUMENT, "done is NULL");
  hy_program_free(program);
}

// out0 = arg0 * 4 + 3 through a temporary
std::string WithTemporaries(int n) {
  ProgramBuilder b("temporaries");
  const auto x = b.Parameter("f32", {n}, 4 * n), one = b.Parameter("f32", {n}, 4 * n);
  const auto out = b.Result("f32", {n}, 4 * n);
  const auto temp = b.Temp(4 * n);
  b.Temp(1, MemorySpace::kHost);
  const int32_t kernel = b.Kernel(MultiplyAddKernel("hyk_twice", n, 2.0f));
  b.Launch(0, kernel, {x, one}, {temp});
  b.Launch(0, kernel, {temp, one}, {out});
  return b.Write();
}

TEST_F(RunsTest, TemporariesLieWhereTheApplicationSays) {
  constexpr int kN = 256;
  hy_program* program = Load(WithTemporaries(kN));
  const uint64_t bytes = hy_program_temporary_bytes(program);
  EXPECT_EQ(bytes, 4u * kN + 256);
  alignas(64) static float x[kN], one[kN], out[kN];
  alignas(64) static uint8_t arena[4 * kN + 256];
  for (int i = 0; i < kN; ++i) {
    x[i] = static_cast<float>(i);
    one[i] = 1.0f;
  }
  hy_memory memory = WithSize<hy_memory>();
  memory.handle = reinterpret_cast<uint64_t>(arena);
  memory.bytes = bytes;
  static int released;
  released = 0;
  memory.release = [](void* user) { ++*static_cast<int*>(user); };
  memory.user = &released;
  hy_buffer* buffer = nullptr;
  ASSERT_EQ(hy_buffer_wrap(device_, &memory, &buffer), nullptr);
  hy_run_options options = WithSize<hy_run_options>();
  options.temporaries = buffer;
  const void* arguments[] = {x, one};
  void* results[] = {out};
  for (int round = 0; round < 3; ++round) {
    std::memset(arena, 0, sizeof(arena));
    std::memset(out, 0, sizeof(out));
    // Between two runs, one with the program's own memory.
    ASSERT_EQ(hy_run_with(program, round == 1 ? nullptr : &options, arguments, results), nullptr);
    for (int i = 0; i < kN; ++i) ASSERT_EQ(out[i], 4.0f * i + 3.0f);
    float first;
    std::memcpy(&first, arena + 4 * 7, sizeof(first));
    EXPECT_EQ(first, round == 1 ? 0.0f : 15.0f) << "2 * 7 + 1";
  }
  // Too small, or in use for something else.
  memory.bytes = bytes - 1;
  hy_buffer *small = nullptr, *result = nullptr;
  ASSERT_EQ(hy_buffer_wrap(device_, &memory, &small), nullptr);
  options.temporaries = small;
  ExpectError(hy_run_with(program, &options, arguments, results), HY_INVALID_ARGUMENT,
              "the buffer for temporaries is not one of 1280 bytes");
  memory.handle = reinterpret_cast<uint64_t>(arena);
  memory.bytes = 4 * kN;
  ASSERT_EQ(hy_buffer_wrap(device_, &memory, &result), nullptr);
  options.temporaries = buffer;
  hy_buffer* inputs[] = {result, result};
  hy_buffer* outputs[] = {nullptr};
  ExpectError(hy_run_buffers_with(program, &options, inputs, nullptr, outputs), HY_INVALID_ARGUMENT,
              "overlaps an argument or a result");
  EXPECT_EQ(released, 0);
  hy_buffer_free(buffer);
  hy_buffer_free(small);
  hy_buffer_free(result);
  EXPECT_EQ(released, 3);
  hy_program_free(program);
}

}  // namespace
}  // namespace halyard::testing
