// Tests which device `auto` stands for, with the fake CUDA driver as a GPU, and classes of CPUs.
#include "client/devices/target.h"

#include <dlfcn.h>

#include "client/api/client.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_libcuda.h"
#include "tests/fakes/use_fake_cuda.h"

namespace halyard {
namespace {

using runtime::DeviceKind;

class AutoTargets : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::UseFakeCuda()) GTEST_SKIP() << "needs a GPU that fails when it is told to";
    void* library = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr);
    reinterpret_cast<void (*)()>(dlsym(library, "HalyardResetFakeCuda"))();
    fake_ = reinterpret_cast<testing::FakeCuda* (*)()>(dlsym(library, "HalyardFakeCuda"))();
  }
  static absl::StatusOr<DeviceKind> KindOfClient(const char* target) {
    ClientOptions options;
    options.target = target;
    options.use_cache = false;
    absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(options);
    if (!client.ok()) return client.status();
    return (*client)->target().device.kind;
  }

  testing::FakeCuda* fake_ = nullptr;
};

TEST_F(AutoTargets, TheGpuComesFirst) {
  const absl::StatusOr<DeviceKind> kind = KindOfClient("auto");
  ASSERT_TRUE(kind.ok()) << kind.status();
  EXPECT_EQ(*kind, DeviceKind::kCuda);
}

TEST_F(AutoTargets, AGpuThatCannotBeOpenedIsPassedOver) {
  fake_->Fail("cuDevicePrimaryCtxRetain", CUDA_ERROR_OUT_OF_MEMORY);
  const absl::StatusOr<DeviceKind> kind = KindOfClient("auto");
  ASSERT_TRUE(kind.ok()) << kind.status();
  EXPECT_EQ(*kind, DeviceKind::kX86);
}

TEST_F(AutoTargets, AGpuThatIsAskedForIsNotReplaced) {
  fake_->Fail("cuDevicePrimaryCtxRetain", CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_FALSE(KindOfClient("cuda").ok());
}

// Finding out the target creates no context, because that takes memory and time on a GPU.
TEST_F(AutoTargets, DescribingOpensNothing) {
  fake_->calls.clear();
  const absl::StatusOr<Target> target = ParseTarget("cuda");
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_FALSE(fake_->calls.empty());
  for (const std::string& call : fake_->calls) EXPECT_NE(call, "cuDevicePrimaryCtxRetain");
}

TEST(X86Targets, SapphireRapidsHasAmx) {
  const absl::StatusOr<Target> target = ParseTarget("x86:sapphirerapids"),
                               v4 = ParseTarget("x86:v4"), host = ParseTarget("x86");
  ASSERT_TRUE(target.ok() && v4.ok() && host.ok());
  const uint64_t features = target->device.x86_features, here = host->device.x86_features;
  EXPECT_NE(features & runtime::kX86Amx, 0u);
  EXPECT_NE(features & runtime::kX86SapphireRapids, 0u);
  EXPECT_EQ(features & v4->device.x86_features, v4->device.x86_features);
  EXPECT_EQ(v4->device.x86_features & runtime::kX86Amx, 0u);
  EXPECT_EQ(target->live, (here & features) == features);
  if (!target->live) {
    const auto device = OpenDevice(*target, 1, 0);
    ASSERT_FALSE(device.ok());
    EXPECT_NE(std::string(device.status().message()).find("x86:sapphirerapids"), std::string::npos);
  }
}

}  // namespace
}  // namespace halyard
