// Runs through the C API: in flight, failing, from several threads, and many of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include "absl/strings/str_join.h"
#include "tests/pjrt/programs.h"

namespace halyard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  // The program still works.
  run = program.Execute({&good});
  ASSERT_TRUE(run.ok());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(-1, -2, -3, -4));
}

TEST_F(Programs, AreDestroyedWithRunsInFlight) {
  while (held != 0) std::this_thread::yield();  // programs of other tests may still be running
  call_waits = true;
  std::unique_ptr<Executed> run;
  {
    // The program takes long, so that a thread of the queue runs it.
    std::string text(kLong);
    text.replace(text.find("return %0#1"), 11, R"(%c = stablehlo.slice %x [0:1, 0:4]
        : (tensor<400x400xf32>) -> tensor<1x4xf32>
    %d = stablehlo.custom_call @halyard_python_callback(%c)
        {backend_config = "17", has_side_effect = true} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0#1)");
    const Loaded program = Compile(text);
    EXPECT_EQ(held, 1);
    const std::vector<float> values(400 * 400, 0.25f);  // destroyed before the run ends
    auto x = platform_->FromHost({values.data(),
                                  PJRT_Buffer_Type_F32,
                                  {400, 400},
                                  {},
                                  PJRT_HostBufferSemantics_kImmutableOnlyDuringCall});
    ASSERT_TRUE(x.ok());
    auto executed = program.Execute({&*x});
    ASSERT_TRUE(executed.ok()) << executed.status();
    run = std::make_unique<Executed>(*std::move(executed));
  }
  EXPECT_EQ(held, 1);  // the run still needs the function
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

TEST_F(Programs, ExecuteDoesNotWaitForItsArguments) {
  if (std::getenv("HALYARD_TARGET") == nullptr ||
      std::string(std::getenv("HALYARD_TARGET")) != "x86")
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

// Each thread compiles its own kernels, none of which is in the cache.
TEST_F(Programs, EightThreadsCompileAnew) {
  const std::string cache = ::testing::TempDir() + "/pjrt_threads_" + std::to_string(getpid());
  std::filesystem::remove_all(cache);
  ASSERT_TRUE(std::filesystem::create_directory(cache));
  std::filesystem::permissions(cache, std::filesystem::perms::owner_all);
  auto platform = Platform::Create({StringOption("cache_dir", cache.c_str())});
  ASSERT_TRUE(platform.ok()) << platform.status();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const std::string size = std::to_string(4 + t);
      const auto loaded = (*platform)->Compile(
          "module @jit_scale {\n  func.func public @main(%x: tensor<" + size + "xf32>) -> tensor<" +
          size + "xf32> {\n    %c = stablehlo.constant dense<" + std::to_string(t + 2) +
          ".0> : tensor<" + size + "xf32>\n    %0 = stablehlo.multiply %x, %c : tensor<" + size +
          "xf32>\n    return %0 : tensor<" + size + "xf32>\n  }\n}");
      ASSERT_TRUE(loaded.ok()) << loaded.status();
      const std::vector<float> three(4 + t, 3);
      for (int i = 0; i < 20; ++i) {
        auto x = (*platform)->FromHost({three.data(), PJRT_Buffer_Type_F32, {4 + t}});
        auto run = loaded->Execute({&*x});
        ASSERT_TRUE(run.ok()) << run.status();
        ASSERT_EQ(*run->results[0].Values<float>(), std::vector<float>(4 + t, 3.0f * (t + 2)));
      }
      ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
  std::filesystem::remove_all(cache);
}

// Returns how many bytes of this process are resident in memory.
int64_t ResidentBytes() {
  long all = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  std::fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

// Memory grows every time if there is a leak, but not if malloc adds a heap or a driver's thread is
// busier than before. The least of three growths therefore counts.
void ExpectNoGrowth(const std::function<void()>& work) {
  constexpr int64_t kAllowed = 4 << 20;
  int64_t least = INT64_MAX;
  for (int i = 0; i < 3 && least > kAllowed; ++i) {
    const int64_t before = ResidentBytes();
    work();
    least = std::min(least, ResidentBytes() - before);
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE(least, kAllowed);
#endif
}

int EntriesOf(const char* folder) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}
int OpenFiles() { return EntriesOf("/proc/self/fd"); }
int Threads() { return EntriesOf("/proc/self/task"); }

std::string ThreadNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream(entry.path() / "comm") >> names.emplace_back();
  }
  return absl::StrJoin(names, " ");
}

// A thread that has been joined, or that another waits for, is in the list a moment longer. The
// two queues of a client start their threads when they first have work: the one that waits for
// buffers, at the first that is not ready.
void ExpectNoMoreThreads(int before) {
  const int most = before + 2;
  for (int i = 0; i < 1000 && Threads() > most; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_LE(Threads(), most) << ThreadNames();
}

// Makes 10,000 runs (100,000 with $HALYARD_NIGHTLY), each with a new array, its copy to the host
// and events.
TEST_F(Programs, RunsLeaveNothingBehind) {
  const Loaded add = Compile(kAdd);
  const Array x = Put({1, 2, 3, 4});
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i) {
      const Array y = Put({1, 1, 1, static_cast<float>(i % 7)});
      auto done = add.Execute({&x, &y});
      ASSERT_TRUE(done.ok() && done->done[0].Await().ok());
      ASSERT_EQ((*done->results[0].Values<float>())[3], static_cast<float>(4 + i % 7));
    }
  };
  run(1000);
  const int64_t before = platform_->BytesInUse();
  const int files = OpenFiles(), threads = Threads();
  const int times = std::getenv("HALYARD_NIGHTLY") == nullptr ? 10000 : 100000;
  ExpectNoGrowth([&] { run(times); });  // at most 42 bytes per run for 100,000 runs
  // 10,000 results took 2.5 MB in total. How many of them exist at the same time varies.
  EXPECT_LE(platform_->BytesInUse(), before + 65536);
  EXPECT_LE(OpenFiles(), files);  // files of earlier clients may be closed meanwhile
  ExpectNoMoreThreads(threads);
}

// Compiles and destroys programs, and makes runs that fail.
TEST_F(Programs, ProgramsAndFailuresLeaveNothingBehind) {
  const Array bad = Put({-1, 0, 0, 0});
  const auto round = [&](int times) {
    for (int i = 0; i < times; ++i) {
      const Loaded program = Compile(kCalls);
      auto run = program.Execute({&bad});
      ASSERT_TRUE(run.ok());
      ASSERT_FALSE(run->done[0].Await().ok());
    }
    while (held != 0) std::this_thread::yield();  // another thread destroys programs
  };
  round(100);
  const int64_t before = platform_->BytesInUse();
  const int files = OpenFiles(), threads = Threads();
  const int times = std::getenv("HALYARD_NIGHTLY") == nullptr ? 300 : 3000;
  ExpectNoGrowth([&] { round(times); });
  EXPECT_LE(platform_->BytesInUse(), before + 65536);
  EXPECT_LE(OpenFiles(), files);  // files of earlier clients may be closed meanwhile
  ExpectNoMoreThreads(threads);
}

// The thread that runs a program sets the event of the run. The event may then hold the last
// reference to a client, but none of the client's own threads may end these threads
// (ThreadSanitizer: "thread leak").
TEST_F(Programs, ClientsGoRightAfterTheirRuns) {
  static std::atomic<int> called;
  called = 0;
  const std::vector<float> values(400 * 400, 0.25f);  // the runs read this memory in place
  for (int i = 0; i < 4; ++i) {
    SetUp();
    const Loaded program = Compile(kLong);
    auto x = platform_->FromHost({values.data(), PJRT_Buffer_Type_F32, {400, 400}});
    ASSERT_TRUE(x.ok());
    auto run = program.Execute({&*x});
    ASSERT_TRUE(run.ok()) << run.status();
    auto args = PJRT_NEW(PJRT_Event_OnReady_Args);
    args.event = run->done[0].get();
    args.callback = [](PJRT_Error* error, void*) {
      EXPECT_TRUE(Take(error).ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // all else is destroyed now
      ++called;
    };
    ASSERT_TRUE(Take(Api().PJRT_Event_OnReady(&args)).ok());
  }
  platform_ = nullptr;
  for (int i = 0; i < 12000 && called < 4; ++i)  // Vulkan in software takes long
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(called, 4);
}

// A thread drops the last references, and the end of the process must wait for that thread.
// Otherwise a driver may be unloaded while it is in use (one process in forty crashed).
TEST_F(Programs, TheProcessEndsWithRunsInFlight) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        SetUp();  // the process starts again, for this test only
        {
          const Loaded program = Compile(kLong);
          const std::vector<float> values(400 * 400, 0.25f);  // destroyed before the run ends
          auto x = platform_->FromHost({values.data(),
                                        PJRT_Buffer_Type_F32,
                                        {400, 400},
                                        {},
                                        PJRT_HostBufferSemantics_kImmutableOnlyDuringCall});
          for (int i = 0; x.ok() && i < 4; ++i) (void)program.Execute({&*x});
        }
        platform_ = nullptr;
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace halyard::testing
