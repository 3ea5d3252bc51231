// Tests that are specific to Vulkan. All others are in tests/backend.
#include "runtime/vulkan/vulkan.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/program/program_spec.h"
#include "tests/fakes/test_kernels.h"

namespace halyard::runtime::vulkan {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

#define ASSERT_HY_OK(expression)                        \
  do {                                                  \
    const Status hy_status = (expression);              \
    ASSERT_TRUE(hy_status.ok()) << hy_status.message(); \
  } while (false)

TEST(VulkanTest, DescribesTheDevice) {
  uint32_t count = 0;
  ASSERT_HY_OK(CountDevices(&count));
  ASSERT_GE(count, 1u);
  EXPECT_STREQ(DescribeAbsence(), "");
  Device* device = nullptr;
  ASSERT_HY_OK(OpenDevice(count - 1, {}, &device));  // software ones come last
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.kind, DeviceKind::kVulkan);
  EXPECT_EQ(info.software, std::string(info.name).find("llvmpipe") != std::string::npos);
  EXPECT_GE(info.max_threads_per_group, 128u);
  EXPECT_GE(info.max_shared_bytes, 16384u);
  EXPECT_GE(info.max_storage_range_bytes, uint64_t{1} << 27);
  EXPECT_GE(info.max_storage_buffers, 4u);
  EXPECT_GE(info.max_grid[0], 65535u);
  EXPECT_GT(info.max_allocation_bytes, 0u);
  EXPECT_GT(info.memory_bytes, 0u);
  device->Destroy();
  EXPECT_EQ(OpenDevice(count, {}, &device).code(), Code::kNotFound);
}

TEST(VulkanTest, MachinesWithoutADriver) {
  setenv("VK_ICD_FILENAMES", "/nowhere/driver.json", 1);
  setenv("VK_DRIVER_FILES", "/nowhere/driver.json", 1);
  uint32_t count = 7;
  ASSERT_HY_OK(CountDevices(&count));
  EXPECT_EQ(count, 0u);
  EXPECT_THAT(DescribeAbsence(), HasSubstr("driver"));
  Device* device = nullptr;
  EXPECT_FALSE(OpenDevice(0, {}, &device).ok());
  unsetenv("VK_ICD_FILENAMES");
  unsetenv("VK_DRIVER_FILES");
}

TEST(VulkanTest, SaysWhichLoaderIsNotThere) {
  setenv("HALYARD_LIBVULKAN", "/nowhere/loader.so", 1);
  uint32_t count = 7;
  ASSERT_HY_OK(CountDevices(&count));
  EXPECT_EQ(count, 0u);
  EXPECT_THAT(DescribeAbsence(), HasSubstr("/nowhere/loader.so not found"));
  // The file exists but is no library, so the dynamic linker reports an error.
  setenv("HALYARD_LIBVULKAN", HALYARD_SOURCE_DIR "/CMakeLists.txt", 1);
  EXPECT_THAT(DescribeAbsence(), HasSubstr("does not load"));
  EXPECT_THAT(DescribeAbsence(), HasSubstr("invalid ELF header"));
  unsetenv("HALYARD_LIBVULKAN");
}

// Checks that validation layers report errors, so that their silence in the conformance test means
// something.
TEST(VulkanTest, ValidationLayersSpeak) {
  std::vector<std::string> messages;
  Options options;
  options.validation = true;
  options.context = &messages;
  options.on_message = [](void* context, const char* message) {
    static_cast<std::vector<std::string>*>(context)->emplace_back(message);
  };
  Device* device = nullptr;
  ASSERT_HY_OK(OpenDevice(0, options, &device));
  Block leaked;
  ASSERT_HY_OK(device->Allocate(100, Space::kDevice, &leaked));
  device->Destroy();
  EXPECT_THAT(messages, Not(IsEmpty()));
}

class BadKernels : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_HY_OK(OpenDevice(0, {}, &device_)); }
  void TearDown() override {
    if (device_ != nullptr) device_->Destroy();
  }
  std::string Load(const KernelObjectSpec& spec) {
    const std::string bytes = WriteKernelObject(spec);
    KernelObjectView view;
    Status status =
        ParseKernelObject({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view);
    Kernel* kernel = nullptr;
    if (status.ok()) status = device_->LoadKernel(view, &kernel);
    if (status.ok()) device_->FreeKernel(kernel);
    return status.message();
  }
  KernelObjectSpec Good() { return *halyard::testing::Increment(1000, device_->info()); }

  Device* device_ = nullptr;
};

TEST_F(BadKernels, AreRefusedWithTheReason) {
  EXPECT_EQ(Load(Good()), "");
  KernelObjectSpec spec = Good();
  spec.modules[0][0] = 'X';
  EXPECT_THAT(Load(spec), HasSubstr("is not SPIR-V"));
  spec = Good();
  spec.launches[0].block[0] = 1u << 20;
  EXPECT_THAT(Load(spec), HasSubstr("threads in x"));
  spec = Good();
  spec.launches[0].grid[1] = 0xffffffff;
  EXPECT_THAT(Load(spec), HasSubstr("groups in y"));
  spec = Good();
  spec.launches[0].shared_bytes = 1u << 30;
  EXPECT_THAT(Load(spec), HasSubstr("shared memory"));
  spec = Good();
  spec.launches[0].arguments[0].bytes += 1;
  EXPECT_NE(Load(spec), "");
  spec = Good();
  spec.kind = DeviceKind::kCuda;
  EXPECT_THAT(Load(spec), HasSubstr("another kind of device"));
}

}  // namespace
}  // namespace halyard::runtime::vulkan
