#include "tests/backend/subject.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>

#include "runtime/cuda/cuda.h"
#include "runtime/vulkan/vulkan.h"
#include "runtime/x86/x86.h"
#include "tests/backend/skeleton/skeleton.h"
#include "tests/fakes/fake_libcuda.h"
#include "tests/fakes/vulkan_shim.h"

namespace halyard::testing {
namespace {

using runtime::Device;
using runtime::DeviceInfo;
using runtime::Status;

class X86Subject final : public Subject {
 public:
  Status Open(Device** device) override { return runtime::x86::OpenDevice(0, device); }
  Status Describe(DeviceInfo* info) override { return runtime::x86::DescribeDevice(0, info); }
};

class SkeletonSubject final : public Subject {
 public:
  Status Open(Device** device) override { return skeleton::OpenDevice(0, device); }
  Status Describe(DeviceInfo* info) override { return skeleton::DescribeDevice(0, info); }
};

// Opens Vulkan through the shim, which passes on everything that it is not told to change.
class VulkanSubject : public Subject {
 public:
  VulkanSubject() {
    void* library = dlopen(HALYARD_VULKAN_SHIM, RTLD_NOW | RTLD_LOCAL);
    reinterpret_cast<void (*)()>(dlsym(library, "HalyardResetVulkanShim"))();
    shim_ = reinterpret_cast<VulkanShim* (*)()>(dlsym(library, "HalyardVulkanShim"))();
    options_.library = HALYARD_VULKAN_SHIM;
    // With $HALYARD_VULKAN_VALIDATION, the devices of all subjects are validated.
    options_.context = this;
    options_.on_message = [](void* context, const char* message) {
      auto* self = static_cast<VulkanSubject*>(context);
      const std::lock_guard<std::mutex> lock(self->mutex_);
      self->messages_.emplace_back(message);
    };
  }
  Status Open(Device** device) override { return runtime::vulkan::OpenDevice(0, options_, device); }
  Status Describe(DeviceInfo* info) override {
    return runtime::vulkan::DescribeDevice(0, options_, info);
  }
  std::vector<std::string> Complaints() override { return messages_; }
  bool FailNextAllocation() override {
    shim_->Fail("vkAllocateMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY, 0, /*stay=*/true);
    return true;
  }
  void Mend() override { shim_->Fail("", VK_SUCCESS); }
  bool LoseDevice() override {
    shim_->Fail("vkQueueSubmit", VK_ERROR_DEVICE_LOST);
    return true;
  }

 protected:
  VulkanShim* shim_;
  runtime::vulkan::Options options_;

 private:
  std::mutex mutex_;  // messages may come from any thread
  std::vector<std::string> messages_;
};

class VulkanStagingSubject final : public VulkanSubject {
 public:
  VulkanStagingSubject() { options_.force_staging = true; }
};

// Resembles a discrete GPU: several compute queues, one that only copies, memory that the CPU
// cannot access, and a clock that is not calibrated.
class VulkanQueuesSubject final : public VulkanSubject {
 public:
  VulkanQueuesSubject() {
    options_.force_staging = true;
    shim_->compute_queues = 3;
    shim_->transfer_family = true;
    shim_->calibrated_timestamps = false;
  }
};

class VulkanValidationSubject final : public VulkanSubject {
 public:
  VulkanValidationSubject() { options_.validation = true; }
};

// Uses the fake driver, which interprets the kernels' PTX.
class CudaSubject final : public Subject {
 public:
  CudaSubject() {
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    library_ = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    reinterpret_cast<void (*)()>(dlsym(library_, "HalyardResetFakeCuda"))();
    fake_ = reinterpret_cast<FakeCuda* (*)()>(dlsym(library_, "HalyardFakeCuda"))();
  }
  Status Open(Device** device) override { return runtime::cuda::OpenDevice(0, options_, device); }
  Status Describe(DeviceInfo* info) override {
    return runtime::cuda::DescribeDevice(0, options_, info);
  }
  std::vector<std::string> Complaints() override { return fake_->violations; }
  bool FailNextAllocation() override {
    fake_->memory_bytes = 0;
    return true;
  }
  void Mend() override { fake_->memory_bytes = size_t{1} << 30; }
  bool LoseDevice() override {
    fake_->Fail("cuGraphLaunch", CUDA_ERROR_LAUNCH_FAILED);
    return true;
  }

 private:
  const runtime::cuda::Options options_ = {.library = HALYARD_FAKE_LIBCUDA};
  void* library_;
  FakeCuda* fake_;
};

// The following subjects use the machine's own drivers and GPUs, for scripts/gpu_check. They cannot
// inject failures. $HALYARD_TEST_DEVICE selects one of several GPUs.
uint32_t TestGpu() {
  const char* index = std::getenv("HALYARD_TEST_DEVICE");
  return index == nullptr ? 0 : static_cast<uint32_t>(std::atoi(index));
}

class CudaGpuSubject final : public Subject {
 public:
  Status Open(Device** device) override { return runtime::cuda::OpenDevice(TestGpu(), {}, device); }
  Status Describe(DeviceInfo* info) override {
    return runtime::cuda::DescribeDevice(TestGpu(), {}, info);
  }
};

class VulkanGpuSubject final : public Subject {
 public:
  Status Open(Device** device) override {
    return runtime::vulkan::OpenDevice(TestGpu(), {}, device);
  }
  Status Describe(DeviceInfo* info) override {
    return runtime::vulkan::DescribeDevice(TestGpu(), {}, info);
  }
};

template <typename T>
std::unique_ptr<Subject> Make() {
  return std::make_unique<T>();
}

}  // namespace

const std::vector<SubjectEntry>& Subjects() {
  static const auto* gpus = new std::vector<SubjectEntry>{
      {"CudaGpu", Make<CudaGpuSubject>},
      {"VulkanGpu", Make<VulkanGpuSubject>},
  };
  if (std::getenv("HALYARD_TEST_GPU") != nullptr) return *gpus;
  static const auto* subjects = new std::vector<SubjectEntry>{
      {"X86", Make<X86Subject>},
      {"Vulkan", Make<VulkanSubject>},
      {"VulkanStaging", Make<VulkanStagingSubject>},
      {"VulkanQueues", Make<VulkanQueuesSubject>},
      {"VulkanValidation", Make<VulkanValidationSubject>},
      {"Cuda", Make<CudaSubject>},
      {"Skeleton", Make<SkeletonSubject>},
  };
  return *subjects;
}

}  // namespace halyard::testing
