// What fails elsewhere is an error with a code and a place, and the process goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>

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

// Has a cache of its own, so that every kernel is compiled.
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

// The same client compiles the next program.
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

TEST_F(Failures, NoMemoryOnTheDevice) {
  auto platform = NewPlatform();
  ASSERT_NE(platform, nullptr);
  // 64 TiB, of which nothing can be left out.
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
  // There is memory for others.
  auto y = platform->FromHost({&one, PJRT_Buffer_Type_F32, {}});
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_THAT(*y->Values<float>(), ElementsAre(1));
}

}  // namespace
}  // namespace halyard::testing
