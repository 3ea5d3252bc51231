// Tests kernels of every form on every device here against the evaluator, and that CUDA's assembler
// accepts them.

#include <gtest/gtest.h>

#include "tests/schedules/kernel_cases.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

class Kernels : public ::testing::TestWithParam<std::tuple<std::string, KernelCase>> {};

TEST_P(Kernels, AgreesWithEvaluator) {
  const auto& [device, test] = GetParam();
  if (DeviceNamed(device) == nullptr) GTEST_SKIP() << device << " is not on this machine";
  EXPECT_EQ(CheckKernel(test.hlo, device, test.tolerance), "");
}

INSTANTIATE_TEST_SUITE_P(All, Kernels,
                         ::testing::Combine(::testing::Values("x86", "x86:v2", "x86:v3", "vulkan"),
                                            ::testing::ValuesIn(kKernelCases)),
                         [](const ::testing::TestParamInfo<Kernels::ParamType>& info) {
                           std::string device = std::get<0>(info.param);
                           for (char& c : device) c = c == ':' ? '_' : c;
                           return device + "_" + std::get<1>(info.param).name;
                         });

// The kernel's object is for a GPU that is not here. ptxas has assembled it for its architecture.
TEST(CudaKernels, AreAssembled) {
  for (int capability : {80, 90, 100}) {
    for (const KernelCase& test : kKernelCases) {
      runtime::DeviceInfo info;
      info.kind = runtime::DeviceKind::kCuda;
      info.cuda_capability = capability;
      info.max_threads_per_group = 1024;
      info.max_group[0] = info.max_group[1] = 1024;
      info.max_group[2] = 64;
      info.max_grid[0] = INT32_MAX;
      info.max_grid[1] = info.max_grid[2] = 65535;
      info.max_shared_bytes = 48 << 10;
      info.max_storage_range_bytes = uint64_t{1} << 40;
      info.max_storage_buffers = 64;
      info.max_allocation_bytes = uint64_t{1} << 36;
      info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
      const auto reply = CompileHlo(test.hlo, info);
      EXPECT_TRUE(reply.ok()) << test.name << " for sm_" << capability << ": " << reply.status();
    }
  }
}

}  // namespace
}  // namespace halyard::testing
