#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/program/program_spec.h"
#include "runtime/vulkan/vulkan.h"
#include "tests/backend/backend_test.h"
#include "tests/fakes/test_kernels.h"
#include "tests/runtime/vulkan/vulkan_calls.h"

namespace halyard::runtime::vulkan {
namespace {

class PipelineCacheFile : public VulkanCalls {
 protected:
  PipelineCacheFile() {
    char folder[] = "/tmp/halyard_pipelines_XXXXXX";
    folder_ = mkdtemp(folder);
    options_.pipeline_cache_folder = folder_.c_str();
    shim_->pipeline_data = "compiled by the driver";
  }
  ~PipelineCacheFile() override { std::filesystem::remove_all(folder_); }
  std::vector<std::filesystem::path> Files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      files.push_back(entry.path());
    }
    return files;
  }
  // Opens the device, creates a kernel's pipelines, and closes it. Returns the size of the cache
  // data that the driver got on opening.
  size_t Session() {
    Open();
    const size_t given = shim_->initial_cache_bytes;
    Kernel* kernel = Load();
    if (kernel != nullptr) device_->FreeKernel(kernel);
    Close();
    return given;
  }

  std::string folder_;
};

TEST_F(PipelineCacheFile, GoesFromProcessToProcess) {
  EXPECT_EQ(Session(), 0u);
  ASSERT_EQ(Files().size(), 1u);
  const size_t bytes = 32 + shim_->pipeline_data.size();
  EXPECT_EQ(std::filesystem::file_size(Files()[0]), bytes + 24);
  const auto written = std::filesystem::last_write_time(Files()[0]);
  EXPECT_EQ(Session(), bytes);
  EXPECT_EQ(std::filesystem::last_write_time(Files()[0]), written) << "nothing new: not written";
  shim_->pipeline_data += " and more";
  EXPECT_EQ(Session(), bytes);
  EXPECT_EQ(Session(), bytes + 9);
  EXPECT_EQ(Files().size(), 1u);
}

TEST_F(PipelineCacheFile, DamagedFilesAreMadeAgain) {
  Session();
  ASSERT_EQ(Files().size(), 1u);
  const std::filesystem::path path = Files()[0];
  std::string good;
  {
    std::ifstream in(path, std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(in), {});
  }
  const size_t given = Session();
  std::vector<std::string> damaged = {"", "x", good.substr(0, good.size() - 1), good + "x"};
  for (size_t at = 0; at < good.size(); at += 5) {
    damaged.push_back(good);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x40);
  }
  for (const std::string& bytes : damaged) {
    std::ofstream(path, std::ios::binary) << bytes;
    Open();
    EXPECT_EQ(shim_->initial_cache_bytes, 0u);
    Close();
  }
  EXPECT_EQ(Session(), 0u);
  EXPECT_EQ(Session(), given);
}

TEST_F(PipelineCacheFile, AFolderThatIsNotThereCostsNothing) {
  const std::string nowhere = folder_ + "/nowhere";
  options_.pipeline_cache_folder = nowhere.c_str();
  EXPECT_EQ(Session(), 0u);
  EXPECT_THAT(Files(), ::testing::IsEmpty());
}

// With HALYARD_VULKAN_VALIDATION, a validation message ends the process.
TEST(VulkanValidation, MessagesFailTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto leak = [] {
    setenv("HALYARD_VULKAN_VALIDATION", "1", 1);
    Device* device = nullptr;
    Block block;
    if (!OpenDevice(0, {}, &device).ok()) exit(3);
    if (!device->Allocate(100, Space::kDevice, &block).ok()) exit(4);
    device->Destroy();  // the block's buffer still exists
    exit(0);
  };
  EXPECT_EXIT(leak(), ::testing::ExitedWithCode(1), "halyard: Vulkan validation: ");
  const auto clean = [] {
    setenv("HALYARD_VULKAN_VALIDATION", "1", 1);
    Device* device = nullptr;
    if (!OpenDevice(0, {}, &device).ok()) exit(3);
    device->Destroy();
    exit(0);
  };
  EXPECT_EXIT(clean(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace halyard::runtime::vulkan
