// Programs through the C API: compile, run, donate, fail, serialize.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "tests/pjrt/plugin.h"

namespace halyard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kAdd[] = R"(
module @jit_add {
  func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
)";

// Twice the argument, in its memory.
constexpr char kDonates[] = R"(
module @jit_double {
  func.func public @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xf32>)
      -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
)";

// A function of the test's own, through the door that Python's side uses.
constexpr char kCalls[] = R"(
module @jit_call {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @halyard_python_callback(%x)
        {backend_config = "17", has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.add %0, %x : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
)";

// Much work, so that it is still going on when Execute returns.
constexpr char kLong[] = R"(
module @jit_long {
  func.func public @main(%x: tensor<400x400xf32>) -> tensor<400x400xf32> {
    %i = stablehlo.constant dense<0> : tensor<i32>
    %end = stablehlo.constant dense<40> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%n = %i, %v = %x) : tensor<i32>, tensor<400x400xf32>
      cond {
        %c = stablehlo.compare LT, %n, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %m = stablehlo.add %n, %one : tensor<i32>
        %p = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0]
            : (tensor<400x400xf32>, tensor<400x400xf32>) -> tensor<400x400xf32>
        %t = stablehlo.tanh %p : tensor<400x400xf32>
        stablehlo.return %m, %t : tensor<i32>, tensor<400x400xf32>
      }
    return %0#1 : tensor<400x400xf32>
  }
}
)";

// Must outlive everything that may call.
struct {
  int (*call)(uint64_t, const void* const*, void* const*, char*, uint64_t);
  void (*hold)(uint64_t, int);
  int32_t active, closed;
} door;

std::atomic<int> held;

std::mutex call_mutex;
std::condition_variable call_changed;
bool call_waits = false;

int Negate(uint64_t number, const void* const* in, void* const* out, char* error, uint64_t bytes) {
  {
    std::unique_lock<std::mutex> lock(call_mutex);
    call_changed.wait(lock, [] { return !call_waits; });
  }
  const float* x = static_cast<const float*>(in[0]);
  if (number != 17 || x[0] < 0) {
    std::snprintf(error, bytes, "number %d is below zero", static_cast<int>(x[0]));
    return 1;
  }
  for (int i = 0; i < 4; ++i) static_cast<float*>(out[0])[i] = -2 * x[i];
  return 0;
}

class Programs : public ::testing::Test {
 protected:
  void SetUp() override {
    door.call = Negate;
    door.hold = [](uint64_t, int change) { held += change; };
    auto made = Platform::Create({IntOption("python_callback", reinterpret_cast<int64_t>(&door))});
    ASSERT_TRUE(made.ok()) << made.status();
    platform_ = *std::move(made);
  }
  Array Put(const std::vector<float>& values) {
    auto array = platform_->FromHost({values.data(), PJRT_Buffer_Type_F32,
                                      {static_cast<int64_t>(values.size())}, {},
                                      PJRT_HostBufferSemantics_kImmutableOnlyDuringCall});
    EXPECT_TRUE(array.ok()) << array.status();
    return *std::move(array);
  }
  Loaded Compile(const std::string& text) {
    auto loaded = platform_->Compile(text);
    EXPECT_TRUE(loaded.ok()) << loaded.status();
    return *std::move(loaded);
  }
  std::unique_ptr<Platform> platform_;
};

TEST_F(Programs, Run) {
  const Loaded add = Compile(kAdd);
  const Array x = Put({1, 2, 3, 4}), y = Put({10, 20, 30, 40});
  auto run = add.Execute({&x, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(run->done[0].Await().ok());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(11, 22, 33, 44));
  EXPECT_FALSE(x.IsDeleted());
  EXPECT_THAT(add.Text(), HasSubstr("(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>)"));
}

TEST_F(Programs, GiveSeveralResultsAndTokens) {
  const Loaded program = Compile(R"(
    module {
      func.func public @main(%t: !stablehlo.token, %x: tensor<4xf32>)
          -> (!stablehlo.token, tensor<4xf32>, tensor<4xi32>) {
        %0 = stablehlo.negate %x : tensor<4xf32>
        %1 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
        return %t, %0, %1 : !stablehlo.token, tensor<4xf32>, tensor<4xi32>
      }
    })");
  auto token = platform_->FromHost({nullptr, PJRT_Buffer_Type_TOKEN, {}});
  ASSERT_TRUE(token.ok()) << token.status();
  const Array x = Put({1, 2, 3, 4});
  auto run = program.Execute({&*token, &x});
  ASSERT_TRUE(run.ok()) << run.status();
  ASSERT_EQ(run->results.size(), 3u);
  EXPECT_EQ(run->results[0].Type(), PJRT_Buffer_Type_TOKEN);
  // JAX's first token is an array without elements, the next what a run gave.
  auto none = platform_->FromHost({nullptr, PJRT_Buffer_Type_PRED, {0}});
  EXPECT_TRUE(program.Execute({&*none, &x}).ok());
  EXPECT_TRUE(program.Execute({&run->results[0], &x}).ok());
  EXPECT_FALSE(program.Execute({&x, &x}).ok());
  EXPECT_TRUE(run->results[0].Ready().Await().ok());
  EXPECT_THAT(*run->results[1].Values<float>(), ElementsAre(-1, -2, -3, -4));
  EXPECT_THAT(*run->results[2].Values<int32_t>(), ElementsAre(1, 2, 3, 4));
}

TEST_F(Programs, TakeDonatedArgumentsOver) {
  const Loaded program = Compile(kDonates);
  const Array y = Put({1, 1, 1, 1});
  const Array x = Put({1, 2, 3, 4});
  auto run = program.Execute({&x, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(x.IsDeleted());
  EXPECT_FALSE(y.IsDeleted());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  // It is of no further use.
  EXPECT_EQ(program.Execute({&x, &y}).status().code(), absl::StatusCode::kFailedPrecondition);
  // The caller keeps it.
  const Array kept = Put({1, 2, 3, 4});
  ASSERT_TRUE(program.Execute({&kept, &y}, {0}).ok());
  EXPECT_FALSE(kept.IsDeleted());
  EXPECT_THAT(*kept.Values<float>(), ElementsAre(1, 2, 3, 4));
}

// The application's memory, what numpy reads, and what is passed twice is left alone.
TEST_F(Programs, WriteNoMemoryOfOthers) {
  const Loaded program = Compile(kDonates);
  const Array y = Put({1, 1, 1, 1});
  alignas(64) static float memory[4] = {1, 2, 3, 4};
  auto wrapped = platform_->FromHost({memory, PJRT_Buffer_Type_F32, {4}});
  ASSERT_TRUE(wrapped.ok());
  auto run = program.Execute({&*wrapped, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(memory, ElementsAre(1, 2, 3, 4));

  const Array twice = Put({1, 2, 3, 4});
  run = program.Execute({&twice, &twice});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 4, 6, 8));

  const Array seen = Put({1, 2, 3, 4});
  auto pointer = PJRT_NEW(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args);
  pointer.buffer = seen.get();
  auto on_cpu = PJRT_NEW(PJRT_Buffer_IsOnCpu_Args);
  on_cpu.buffer = seen.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_IsOnCpu(&on_cpu)).ok());
  if (!on_cpu.is_on_cpu) return;
  ASSERT_TRUE(Take(Api().PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&pointer)).ok());
  auto more = PJRT_NEW(PJRT_Buffer_IncreaseExternalReferenceCount_Args);
  more.buffer = seen.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_IncreaseExternalReferenceCount(&more)).ok());
  run = program.Execute({&seen, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(static_cast<float*>(pointer.device_memory_ptr)[3], 4.0f);
}

TEST_F(Programs, RefuseWrongArguments) {
  const Loaded add = Compile(kAdd);
  const Array x = Put({1, 2, 3, 4}), small = Put({1, 2});
  const absl::Status few = add.Execute({&x}).status();
  EXPECT_EQ(few.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(few.message(), HasSubstr("jit_add takes 2 arguments, not 1"));
  const absl::Status wrong = add.Execute({&x, &small}).status();
  EXPECT_EQ(wrong.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(wrong.message(), HasSubstr("argument 1 of jit_add is f32[2]; it takes f32[4]"));
}

TEST_F(Programs, ThatAreWrongSayWhere) {
  const auto loaded = platform_->Compile(R"(module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})");
  EXPECT_EQ(loaded.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(loaded.status().message(), HasSubstr("jax:3:"));
  EXPECT_THAT(loaded.status().message(), HasSubstr("%y"));
  EXPECT_EQ(platform_->Compile(kAdd, "", "hlo").status().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(Programs, OptionsAreRead) {
  // executable_build_options.num_partitions = 2, and a device assignment of device 1.
  EXPECT_EQ(platform_->Compile(kAdd, std::string("\x1a\x02\x28\x02", 4)).status().code(),
            absl::StatusCode::kUnimplemented);
  const std::string device_1("\x1a\x0b\x4a\x09\x08\x01\x10\x01\x1a\x03\x0a\x01\x01", 13);
  EXPECT_EQ(platform_->Compile(kAdd, device_1).status().code(),
            absl::StatusCode::kInvalidArgument);
  // env_option_overrides = {"speed": "high"}
  const std::string option("\x3a\x0f\x0a\x05speed\x12\x06\x0a\x04high", 17);
  const absl::Status unknown = platform_->Compile(kAdd, option).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(unknown.message(), HasSubstr("`speed`"));
  EXPECT_EQ(platform_->Compile(kAdd, "\xff\xff").status().code(),
            absl::StatusCode::kInvalidArgument);
}

// A failure is the results', and that of what is made from them; never the call's.
TEST_F(Programs, FailuresTravelWithResults) {
  const Loaded program = Compile(kCalls), add = Compile(kAdd);
  const Array bad = Put({-1, 0, 0, 0}), good = Put({1, 2, 3, 4});
  auto run = program.Execute({&bad});
  ASSERT_TRUE(run.ok()) << run.status();
  const absl::Status failed = run->done[0].Await();
  EXPECT_FALSE(failed.ok());
  EXPECT_THAT(failed.message(), HasSubstr("number -1 is below zero"));
  EXPECT_EQ(run->results[0].Ready().Await(), failed);
  EXPECT_FALSE(run->results[0].Values<float>().ok());
  auto next = add.Execute({&good, &run->results[0]});
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_THAT(next->done[0].Await().message(), HasSubstr("number -1 is below zero"));
  // The program is as good as before.
  run = program.Execute({&good});
  ASSERT_TRUE(run.ok());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(-1, -2, -3, -4));
}

// Whoever destroys an executable may have the lock that its runs are waiting for.
TEST_F(Programs, AreDestroyedWithRunsInFlight) {
  while (held != 0) std::this_thread::yield();  // programs of other tests are going still
  call_waits = true;
  std::unique_ptr<Executed> run;
  {
    // Long, so that it is done by a thread of the queue.
    std::string text(kLong);
    text.replace(text.find("return %0#1"), 11, R"(%c = stablehlo.slice %x [0:1, 0:4]
        : (tensor<400x400xf32>) -> tensor<1x4xf32>
    %d = stablehlo.custom_call @halyard_python_callback(%c)
        {backend_config = "17", has_side_effect = true} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0#1)");
    const Loaded program = Compile(text);
    EXPECT_EQ(held, 1);
    const std::vector<float> values(400 * 400, 0.25f);
    auto x = platform_->FromHost({values.data(), PJRT_Buffer_Type_F32, {400, 400}});
    ASSERT_TRUE(x.ok());
    auto executed = program.Execute({&*x});
    ASSERT_TRUE(executed.ok()) << executed.status();
    run = std::make_unique<Executed>(*std::move(executed));
  }
  EXPECT_EQ(held, 1);  // the run needs the function still
  EXPECT_FALSE(run->done[0].IsReady());
  {
    std::lock_guard<std::mutex> lock(call_mutex);
    call_waits = false;
    call_changed.notify_all();
  }
  EXPECT_TRUE(run->done[0].Await().ok());
  while (held != 0) std::this_thread::yield();
}

TEST_F(Programs, CallNothingOnceTheDoorIsClosed) {
  const Loaded program = Compile(kCalls);
  const Array x = Put({1, 2, 3, 4});
  door.closed = 1;
  auto run = program.Execute({&x});
  const absl::Status refused = run.ok() ? run->done[0].Await() : run.status();
  door.closed = 0;
  EXPECT_THAT(refused.message(), HasSubstr("interpreter is ending"));
}

TEST_F(Programs, EventsHappenAfterTheirHandlesAreGone) {
  const Loaded program = Compile(kLong);
  const std::vector<float> zeros(400 * 400, 0.25f);
  auto x = platform_->FromHost({zeros.data(), PJRT_Buffer_Type_F32, {400, 400}});
  ASSERT_TRUE(x.ok());
  auto run = program.Execute({&*x});
  ASSERT_TRUE(run.ok()) << run.status();
  static std::atomic<int> called;
  called = 0;
  {
    const Event ready = run->results[0].Ready();
    auto args = PJRT_NEW(PJRT_Event_OnReady_Args);
    args.event = ready.get();
    args.callback = [](PJRT_Error* error, void* user) {
      EXPECT_TRUE(Take(error).ok());
      static_cast<std::atomic<int>*>(user)->fetch_add(1);
    };
    args.user_arg = &called;
    ASSERT_TRUE(Take(Api().PJRT_Event_OnReady(&args)).ok());
  }
  EXPECT_TRUE(run->done[0].Await().ok());
  EXPECT_EQ(run->results[0].Values<float>()->size(), 160000u);
  while (called == 0) std::this_thread::yield();
  EXPECT_EQ(called, 1);
}

// More arguments that are not ready than a run keeps count of.
TEST_F(Programs, ExecuteDoesNotWaitForItsArguments) {
  if (std::getenv("HALYARD_TARGET") == nullptr || std::string(std::getenv("HALYARD_TARGET")) != "x86")
    GTEST_SKIP() << "of the queue on x86";
  const Loaded program = Compile(kLong);
  std::string text = "module @jit_sum { func.func public @main(";
  for (int i = 0; i < 20; ++i)
    text += (i == 0 ? "%a" : ", %a") + std::to_string(i) + ": tensor<400x400xf32>";
  text += ") -> tensor<400x400xf32> {\n%s0 = stablehlo.negate %a0 : tensor<400x400xf32>\n";
  for (int i = 1; i < 20; ++i) {
    text += "%s" + std::to_string(i) + " = stablehlo.add %s" + std::to_string(i - 1) + ", %a" +
            std::to_string(i) + " : tensor<400x400xf32>\n";
  }
  const Loaded sum = Compile(text + "return %s19 : tensor<400x400xf32>\n} }");
  const std::vector<float> values(400 * 400, 0.25f);
  auto x = platform_->FromHost({values.data(), PJRT_Buffer_Type_F32, {400, 400}});
  std::vector<Array> pending;
  for (int i = 0; i < 20; ++i) {
    auto run = program.Execute({&*x});
    ASSERT_TRUE(run.ok()) << run.status();
    pending.push_back(std::move(run->results[0]));
  }
  std::vector<const Array*> arguments;
  for (const Array& array : pending) arguments.push_back(&array);
  auto run = sum.Execute(arguments);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_FALSE(run->done[0].IsReady());
  EXPECT_FALSE(pending.back().Ready().IsReady());
  EXPECT_TRUE(run->done[0].Await().ok());
  EXPECT_TRUE(pending.back().Ready().IsReady());
}

TEST_F(Programs, SerializeAndLoad) {
  const Loaded program = Compile(kDonates);
  auto bytes = program.Serialize();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  auto loaded = platform_->Deserialize(*bytes);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const Array x = Put({1, 2, 3, 4}), y = Put({1, 1, 1, 1});
  auto run = loaded->Execute({&x, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(x.IsDeleted());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  for (size_t at : {size_t{0}, bytes->size() / 2, bytes->size() - 1}) {
    std::string damaged = *bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    EXPECT_EQ(platform_->Deserialize(damaged).status().code(), absl::StatusCode::kDataLoss) << at;
  }
  EXPECT_EQ(platform_->Deserialize(bytes->substr(0, 40)).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(Programs, CompileAndRunInEightThreads) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::string text(kAdd);
      text.replace(text.find("add %x, %y"), 10, t % 2 == 0 ? "add %x, %y" : "multiply %x, %y");
      auto loaded = platform_->Compile(text);
      if (!loaded.ok()) return;
      const std::vector<float> two(4, 2), n(4, static_cast<float>(t));
      for (int i = 0; i < 100; ++i) {
        auto x = platform_->FromHost({two.data(), PJRT_Buffer_Type_F32, {4}});
        auto y = platform_->FromHost({n.data(), PJRT_Buffer_Type_F32, {4}});
        auto run = loaded->Execute({&*x, &*y});
        if (!run.ok() || (*run->results[0].Values<float>())[3] != (t % 2 == 0 ? 2 + t : 2 * t))
          return;
      }
      ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
}

TEST_F(Programs, RunsLeaveNothingBehind) {
  const Loaded add = Compile(kAdd);
  const Array x = Put({1, 2, 3, 4});
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i) {
      auto done = add.Execute({&x, &x});
      ASSERT_TRUE(done.ok() && done->done[0].Await().ok());
    }
  };
  run(100);
  const int64_t before = platform_->BytesInUse();
  run(10000);
  // Of 2.5 MB that 10,000 results took. How many were there at once is chance.
  EXPECT_LE(platform_->BytesInUse(), before + 65536);
}

TEST_F(Programs, BuffersMayOutliveTheClient) {
  auto array = std::make_unique<Array>(Put({1, 2, 3, 4}));
  platform_ = nullptr;
  EXPECT_THAT(*array->Values<float>(), ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace halyard::testing
