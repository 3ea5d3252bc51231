// Code that the tests of the CUDA backend share: the fake driver, a kernel that adds, blocks and
// steps.
#ifndef HALYARD_TESTS_RUNTIME_CUDA_CUDA_FIXTURE_H_
#define HALYARD_TESTS_RUNTIME_CUDA_CUDA_FIXTURE_H_

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cuda/cuda.h"
#include "runtime/program/program_spec.h"
#include "tests/fakes/fake_libcuda.h"

namespace halyard::runtime::cuda {

using halyard::testing::FakeCuda;
using halyard::testing::FakeLaunch;

#define ASSERT_HY_OK(expression)                        \
  do {                                                  \
    const Status hy_status = (expression);              \
    ASSERT_TRUE(hy_status.ok()) << hy_status.message(); \
  } while (false)

// out = in + addend, both float. Parameters: in, out, n, addend.
inline constexpr char kAddPtx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(\n\t.param .u64 p0,\n\t.param .u64 p1,\n\t.param .u32 p2,\n"
    "\t.param .f32 p3\n)\n{\n\tret;\n}\n";
inline constexpr int kElements = 100;

inline void RunAdd(const FakeLaunch& launch) {
  const auto* in = static_cast<const float*>(launch.arguments[0]);
  auto* out = static_cast<float*>(launch.arguments[1]);
  int n;
  float addend;
  std::memcpy(&n, &launch.arguments[2], sizeof(n));
  std::memcpy(&addend, &launch.arguments[3], sizeof(addend));
  for (int i = 0; i < n; ++i) out[i] = in[i] + addend;
}

inline KernelObjectSpec AddSpec(float addend, uint32_t shared_bytes = 0) {
  KernelObjectSpec spec;
  spec.kind = DeviceKind::kCuda;
  spec.name = "hyk_add";
  spec.num_inputs = spec.num_outputs = 1;
  KernelArgument argument;
  argument.type_code = 2;
  argument.type_bits = 32;
  argument.rank = 1;
  argument.bytes = kElements * sizeof(float);
  argument.extent[0] = kElements;
  argument.stride[0] = 1;
  spec.arguments = {argument, argument};
  spec.modules = {kAddPtx};
  KernelObjectSpec::LaunchSpec launch;
  launch.entry = "add";
  launch.grid[0] = 4;
  launch.block[0] = 32;
  launch.shared_bytes = shared_bytes;
  launch.arguments.resize(4);
  launch.arguments[0].bytes = launch.arguments[1].bytes = argument.bytes;
  launch.arguments[1].index = 1;
  for (int i = 2; i < 4; ++i) {
    launch.arguments[i].kind = LaunchArgument::Kind::kScalar;
    launch.arguments[i].bytes = 4;
  }
  launch.arguments[2].scalar_bits = kElements;
  std::memcpy(&launch.arguments[3].scalar_bits, &addend, sizeof(addend));
  spec.launches = {launch};
  return spec;
}

class CudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    library_ = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    fake_ = reinterpret_cast<FakeCuda* (*)()>(dlsym(library_, "HalyardFakeCuda"))();
    Reset();
  }
  void Reset() {
    reinterpret_cast<void (*)()>(dlsym(library_, "HalyardResetFakeCuda"))();
    fake_->kernel = RunAdd;
  }
  void TearDown() override {
    if (device_ != nullptr) device_->Destroy();
    EXPECT_THAT(fake_->violations, ::testing::IsEmpty());
    dlclose(library_);
  }

  Status Open(uint32_t index = 0) {
    Options options;
    options.library = HALYARD_FAKE_LIBCUDA;
    return OpenDevice(index, options, &device_);
  }
  Status Load(const KernelObjectSpec& spec, Kernel** kernel) {
    const std::string bytes = WriteKernelObject(spec);
    KernelObjectView view;
    Status parsed =
        ParseKernelObject({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view);
    if (!parsed.ok()) return parsed;
    return device_->LoadKernel(view, kernel);
  }
  Block Make(Space space = Space::kDevice) {
    Block block;
    const Status status = device_->Allocate(kElements * sizeof(float), space, &block);
    EXPECT_TRUE(status.ok()) << status.message();
    return block;
  }
  int Calls(const std::string& name) const {
    return static_cast<int>(std::count(fake_->calls.begin(), fake_->calls.end(), name));
  }

  void* library_ = nullptr;
  FakeCuda* fake_ = nullptr;
  Device* device_ = nullptr;
};

inline SegmentStep KernelStep(Kernel* kernel, const SliceRef* slices) {
  SegmentStep step;
  step.kernel = kernel;
  step.slices = slices;
  step.num_slices = 2;
  step.num_inputs = 1;
  return step;
}

inline SliceRef Whole(uint32_t allocation) {
  SliceRef slice;
  slice.allocation = allocation;
  slice.bytes = kElements * sizeof(float);
  return slice;
}

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_TESTS_RUNTIME_CUDA_CUDA_FIXTURE_H_
