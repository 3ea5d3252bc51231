// Failures elsewhere must give an error with a code and a place, and must not end the process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/pjrt/programs.h"

namespace halyard::testing {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kSubtract[] = R"(
module @jit_subtract {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.subtract %x, %x : tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
)";

// Kills the code generator service, which is a child of this process.
void KillChildren() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (pid_t pid; children >> pid;) kill(pid, SIGKILL);
  }
}

// Uses a cache of its own, so that every kernel is compiled.
class Failures : public ::testing::Test {
 protected:
  void SetUp() override {
    cache_ = ::testing::TempDir() + "/pjrt_failures_" +
             ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(cache_);
    ASSERT_EQ(mkdir(cache_.c_str(), 0700), 0);
    if (const char* named = getenv("HALYARD_CODEGEN")) codegen_ = named;
  }
  void TearDown() override {
    unsetenv("HALYARD_CODEGEN_FAULT");
    codegen_.empty() ? unsetenv("HALYARD_CODEGEN") : setenv("HALYARD_CODEGEN", codegen_.c_str(), 1);
    std::filesystem::remove_all(cache_);
  }
  std::unique_ptr<Platform> NewPlatform() {
    auto made = Platform::Create({StringOption("cache_dir", cache_.c_str())});
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? *std::move(made) : nullptr;
  }
  std::string cache_, codegen_;
};

TEST_F(Failures, NoCodeGenerator) {
  setenv("HALYARD_CODEGEN", "/nowhere/halyard-codegen", 1);
  auto platform = NewPlatform();
  ASSERT_NE(platform, nullptr);
  const absl::Status failed = platform->Compile(kSubtract).status();
  EXPECT_FALSE(failed.ok());
  EXPECT_THAT(failed.message(), HasSubstr("/nowhere/halyard-codegen"));
}

// After the abort, the same client compiles the next program.
TEST_F(Failures, CodeGeneratorThatAborts) {
  setenv("HALYARD_CODEGEN_FAULT", "abort:tanh", 1);
  auto platform = NewPlatform();
  ASSERT_NE(platform, nullptr);
  const absl::Status failed = platform->Compile(kSubtract).status();
  EXPECT_EQ(failed.code(), absl::StatusCode::kInternal) << failed;
  EXPECT_THAT(failed.message(), HasSubstr("jax:"));
  auto add = platform->Compile(kAdd);
  ASSERT_TRUE(add.ok()) << add.status();
}

// The whole service is killed while it compiles. That compilation fails, but the next one does not.
TEST_F(Failures, CodeGeneratorThatIsKilled) {
  KillChildren();  // the service keeps the environment with which it was started
  setenv("HALYARD_CODEGEN_FAULT", "hang:tanh", 1);
  auto platform = NewPlatform();
  ASSERT_NE(platform, nullptr);
  absl::Status failed;
  std::atomic<bool> returned = false;
  std::thread compiling([&] {
    failed = platform->Compile(kSubtract).status();
    returned = true;
  });
  while (!returned) {
    KillChildren();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  compiling.join();
  unsetenv("HALYARD_CODEGEN_FAULT");
  EXPECT_EQ(failed.code(), absl::StatusCode::kUnavailable) << failed;
  EXPECT_THAT(failed.message(), HasSubstr("halyard-codegen ended"));
  auto again = platform->Compile(kSubtract);
  EXPECT_TRUE(again.ok()) << again.status();
}

// The address space of the process is used up, so no memory for results is available during a run.
TEST_F(Failures, NoMemoryWhileRunning) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take all of the address space themselves";
#endif
  if (getenv("HALYARD_TARGET") != nullptr && std::string(getenv("HALYARD_TARGET")) != "x86")
    GTEST_SKIP() << "the memory of other devices is their drivers'";
  auto platform = NewPlatform();
  ASSERT_NE(platform, nullptr);
  auto loaded = platform->Compile(R"(
    module {
      func.func public @main(%x: tensor<4xf32>) -> tensor<268435456x4xf32> {
        %0 = stablehlo.broadcast_in_dim %x, dims = [1]
            : (tensor<4xf32>) -> tensor<268435456x4xf32>
        return %0 : tensor<268435456x4xf32>
      }
    })");
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const float values[4] = {1, 2, 3, 4};
  auto x = platform->FromHost({values, PJRT_Buffer_Type_F32, {4}});
  ASSERT_TRUE(x.ok()) << x.status();
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit little = {static_cast<rlim_t>(pages) * 4096 + (512 << 20), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  {
    auto run = loaded->Execute({&*x});
    const absl::Status failed = run.ok() ? run->done[0].Await() : run.status();
    EXPECT_EQ(failed.code(), absl::StatusCode::kResourceExhausted) << failed;
    EXPECT_THAT(failed.message(), HasSubstr("4294967296"));
    if (run.ok()) {
      EXPECT_EQ(run->results[0].Ready().Await(), failed);
    }
  }
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  auto add = platform->Compile(kAdd);
  ASSERT_TRUE(add.ok()) << add.status();
  auto run = add->Execute({&*x, &*x});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 4, 6, 8));
}

// Every byte of a stored program matters: if any one is flipped, the program is refused.
TEST_F(Failures, DamagedPrograms) {
  auto platform = NewPlatform();
  ASSERT_NE(platform, nullptr);
  auto loaded = platform->Compile(kAdd);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  auto bytes = loaded->Serialize();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  ASSERT_TRUE(platform->Deserialize(*bytes).ok());
  for (size_t at = 0; at < bytes->size(); ++at) {
    std::string damaged = *bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    const absl::Status refused = platform->Deserialize(damaged).status();
    ASSERT_EQ(refused.code(), absl::StatusCode::kDataLoss) << "byte " << at << ": " << refused;
  }
  for (size_t size = 0; size < bytes->size(); size += 7)
    EXPECT_FALSE(platform->Deserialize(bytes->substr(0, size)).ok()) << size;
  EXPECT_FALSE(platform->Deserialize(*bytes + "x").ok());
}

TEST_F(Failures, NoMemoryOnTheDevice) {
  auto platform = NewPlatform();
  ASSERT_NE(platform, nullptr);
  // A result of 64 TiB, which cannot be optimized away.
  auto loaded = platform->Compile(R"(
    module {
      func.func public @main(%x: tensor<f32>) -> tensor<16777216x1048576xf32> {
        %0 = stablehlo.broadcast_in_dim %x, dims = []
            : (tensor<f32>) -> tensor<16777216x1048576xf32>
        return %0 : tensor<16777216x1048576xf32>
      }
    })");
  absl::Status failed = loaded.status();
  const float one = 1;
  auto x = platform->FromHost({&one, PJRT_Buffer_Type_F32, {}});
  ASSERT_TRUE(x.ok()) << x.status();
  if (loaded.ok()) {
    auto run = loaded->Execute({&*x});
    failed = run.ok() ? run->done[0].Await() : run.status();
  }
  EXPECT_THAT(failed.code(),
              AnyOf(absl::StatusCode::kResourceExhausted, absl::StatusCode::kUnimplemented))
      << failed;
  // Other arrays still get memory.
  auto y = platform->FromHost({&one, PJRT_Buffer_Type_F32, {}});
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_THAT(*y->Values<float>(), ElementsAre(1));
}

}  // namespace
}  // namespace halyard::testing
