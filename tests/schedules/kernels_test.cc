// Tests kernels of every form on every device here against the evaluator, and that CUDA's assembler
// accepts them.

#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "tests/sample.h"
#include "tests/schedules/kernel_cases.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

// Older levels of x86 take turns without $HALYARD_ALL_CASES (tests/sample.h).
std::vector<std::tuple<std::string, KernelCase>> Cases() {
  std::vector<std::tuple<std::string, KernelCase>> cases;
  for (const std::string device : {"x86", "x86:v2", "x86:v3", "vulkan"}) {
    size_t index = 0;
    for (const KernelCase& test : kKernelCases) {
      const std::string turn = index++ % 2 == 0 ? "x86:v2" : "x86:v3";
      if (AllCases() || device == "x86" || device == "vulkan" || device == turn)
        cases.emplace_back(device, test);
    }
  }
  return cases;
}

class Kernels : public ::testing::TestWithParam<std::tuple<std::string, KernelCase>> {};

TEST_P(Kernels, AgreesWithEvaluator) {
  const auto& [device, test] = GetParam();
  if (DeviceNamed(device) == nullptr) GTEST_SKIP() << device << " is not on this machine";
  EXPECT_EQ(CheckKernel(test.hlo, device, test.tolerance), "");
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, ::testing::ValuesIn(Cases()),
                         [](const ::testing::TestParamInfo<Kernels::ParamType>& info) {
                           std::string device = std::get<0>(info.param);
                           for (char& c : device) c = c == ':' ? '_' : c;
                           return device + "_" + std::get<1>(info.param).name;
                         });

// The kernel's object is for a GPU that is not here. ptxas has assembled it for its architecture.
// Architectures take turns without $HALYARD_ALL_CASES.
TEST(CudaKernels, AreAssembled) {
  const int capabilities[] = {80, 90, 100};
  size_t index = 0;
  for (const KernelCase& test : kKernelCases) {
    const int turn = capabilities[index++ % std::size(capabilities)];
    for (int capability : capabilities) {
      if (!AllCases() && capability != turn) continue;
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
