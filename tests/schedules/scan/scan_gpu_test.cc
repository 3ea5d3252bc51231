// Tests scans on GPUs, in both directions, with blocks and rows that divide into workgroups in
// every way. Computing the totals must not read behind the array. The CUDA interpreter checks every
// access.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "absl/strings/substitute.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using Params = std::tuple<int, int, const char*>;

class ScanOnGpu : public ::testing::TestWithParam<Params> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    const auto [rows, length, type] = GetParam();
    for (const int direction : {0, 1, 2, 3}) {
      const bool forwards = direction % 2 == 0;
      const std::string text = absl::Substitute(
          R"(HloModule m
f { a = $0[] parameter(0) b = $0[] parameter(1) ROOT s = $0[] $4(a, b) }
ENTRY e { a = $0[$1,$2] parameter(0) z = $0[] constant(0)
  ROOT w = $0[$1,$2] reduce-window(a, z), window={size=1x$2 pad=0_0x$3}, to_apply=f })",
          type, rows, length,
          forwards ? absl::Substitute("$0_0", length - 1) : absl::Substitute("0_$0", length - 1),
          direction < 2 ? "add" : "maximum");
      EXPECT_EQ(CheckKernel(text, device, 2e-4), "") << text;
    }
  }
};

TEST_P(ScanOnGpu, OnVulkan) { Check("vulkan"); }
TEST_P(ScanOnGpu, OnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(All, ScanOnGpu,
                         ::testing::Combine(::testing::Values(3, 63, 64, 65, 128),
                                            ::testing::Values(17, 18, 23, 31, 32, 33, 1100),
                                            ::testing::Values("u8", "f32")),
                         [](const ::testing::TestParamInfo<Params>& info) {
                           return absl::Substitute("Rows$0Length$1Type$2", std::get<0>(info.param),
                                                   std::get<1>(info.param),
                                                   std::get<2>(info.param));
                         });

}  // namespace
}  // namespace halyard::testing
