// Tests whose device is the fake CUDA driver's.
#ifndef HALYARD_TESTS_SCHEDULES_ON_FAKE_CUDA_H_
#define HALYARD_TESTS_SCHEDULES_ON_FAKE_CUDA_H_

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cuda/cuda.h"
#include "tests/fakes/fake_libcuda.h"

namespace halyard::testing {

// A test that sets environment variables does so in its own SetUp, before it calls this one.
class OnFakeCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    void* driver = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(driver, nullptr) << dlerror();
    reinterpret_cast<void (*)()>(dlsym(driver, "HalyardResetFakeCuda"))();
    fake_ = reinterpret_cast<FakeCuda* (*)()>(dlsym(driver, "HalyardFakeCuda"))();
    runtime::cuda::Options options;
    options.library = HALYARD_FAKE_LIBCUDA;
    const runtime::Status status = runtime::cuda::OpenDevice(0, options, &device_);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void TearDown() override {
    if (device_ != nullptr) device_->Destroy();
    ASSERT_NE(fake_, nullptr);
    EXPECT_THAT(fake_->violations, ::testing::IsEmpty());
  }

  FakeCuda* fake_ = nullptr;
  runtime::Device* device_ = nullptr;
};

// Returns what a fake library has recorded: the object that its `function` returns, as if just
// loaded.
template <class Library>
Library* FreshFake(const char* file, const char* function) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  if (library == nullptr) return nullptr;
  Library* fake = reinterpret_cast<Library* (*)()>(dlsym(library, function))();
  *fake = Library();
  return fake;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SCHEDULES_ON_FAKE_CUDA_H_
