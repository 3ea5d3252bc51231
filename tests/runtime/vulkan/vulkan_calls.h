// Counts the Vulkan calls that a device makes.
#ifndef HALYARD_TESTS_RUNTIME_VULKAN_VULKAN_CALLS_H_
#define HALYARD_TESTS_RUNTIME_VULKAN_VULKAN_CALLS_H_

#include <dlfcn.h>

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/program/program_spec.h"
#include "runtime/vulkan/vulkan.h"
#include "tests/backend/backend_test.h"
#include "tests/fakes/test_kernels.h"
#include "tests/fakes/vulkan_shim.h"

namespace halyard::runtime::vulkan {

using ::halyard::testing::Increment;
using ::halyard::testing::VulkanShim;
constexpr int kElements = 1000;
constexpr uint64_t kBytes = kElements * sizeof(float);

class VulkanCalls : public ::testing::Test {
 protected:
  VulkanCalls() {
    void* library = dlopen(HALYARD_VULKAN_SHIM, RTLD_NOW | RTLD_LOCAL);
    reinterpret_cast<void (*)()>(dlsym(library, "HalyardResetVulkanShim"))();
    shim_ = reinterpret_cast<VulkanShim* (*)()>(dlsym(library, "HalyardVulkanShim"))();
    options_.library = HALYARD_VULKAN_SHIM;
  }
  void TearDown() override { Close(); }
  void Open() { ASSERT_HY_OK(OpenDevice(0, options_, &device_)); }
  void Close() {
    if (device_ != nullptr) device_->Destroy();
    device_ = nullptr;
  }
  Kernel* Load() {
    const auto spec = Increment(kElements, device_->info());
    EXPECT_TRUE(spec.ok()) << spec.status();
    const std::string bytes = WriteKernelObject(*spec);
    KernelObjectView view;
    Kernel* kernel = nullptr;
    Status status =
        ParseKernelObject({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view);
    if (status.ok()) status = device_->LoadKernel(view, &kernel);
    EXPECT_TRUE(status.ok()) << status.message();
    return kernel;
  }
  Block Make(uint64_t bytes = kBytes, Space space = Space::kDevice) {
    Block block;
    const Status status = device_->Allocate(bytes, space, &block);
    EXPECT_TRUE(status.ok()) << status.message();
    return block;
  }
  Recording* Record(const std::vector<SegmentStep>& steps, const std::vector<Binding>& bindings,
                    uint32_t repeat = 1) {
    Segment segment;
    segment.steps = steps.data();
    segment.num_steps = static_cast<uint32_t>(steps.size());
    segment.repeat = repeat;
    Recording* recording = nullptr;
    const Status status = device_->Record(segment, bindings.data(),
                                          static_cast<uint32_t>(bindings.size()), &recording);
    EXPECT_TRUE(status.ok()) << status.message();
    return recording;
  }
  Event Submit(Recording* recording, const std::vector<Binding>& bindings, uint32_t stream = 0) {
    Event done;
    const Status status = device_->Submit(recording, bindings.data(),
                                          static_cast<uint32_t>(bindings.size()), stream, &done);
    EXPECT_TRUE(status.ok()) << status.message();
    return done;
  }
  // Returns how often `body` calls `function`.
  template <typename Body>
  int CallsIn(const char* function, Body body) {
    const int before = shim_->Count(function);
    body();
    return shim_->Count(function) - before;
  }

  VulkanShim* shim_;
  Options options_;
  Device* device_ = nullptr;
};

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_TESTS_RUNTIME_VULKAN_VULKAN_CALLS_H_
