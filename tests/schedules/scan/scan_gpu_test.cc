// Tests scans on GPUs, in both directions, with blocks and rows that divide into workgroups in
// every way. Computing the totals must not read behind the array. The CUDA interpreter checks every
// access. A quarter runs without $HALYARD_ALL_CASES (tests/sample.h).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/substitute.h"
#include "tests/sample.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

struct Case {
  int rows, length;
  const char* type;
  std::vector<int> directions;  // 0 and 1: sums forwards and backwards; 2 and 3: maxima
};

std::vector<Case> Cases() {
  const std::vector<int> kRows = {3, 63, 64, 65, 128}, kLengths = {17, 18, 23, 31, 32, 33, 1100};
  const std::vector<const char*> kTypes = {"u8", "f32"};
  std::vector<Case> cases;
  for (size_t r = 0; r < kRows.size(); ++r) {
    for (size_t l = 0; l < kLengths.size(); ++l) {
      for (size_t t = 0; t < kTypes.size(); ++t) {
        Case& c = cases.emplace_back(Case{kRows[r], kLengths[l], kTypes[t], {0, 1, 2, 3}});
        if (AllCases()) continue;
        // Every pair of rows and length with one type, forwards and backwards. Each number of rows
        // and each length has both types, and each type with each number all four directions.
        if ((r + l + t) % 2 != 0) {
          cases.pop_back();
        } else if ((r / 2 + l / 2) % 2 == 0) {
          c.directions = {0, 3};
        } else {
          c.directions = {1, 2};
        }
      }
    }
  }
  return cases;
}

class ScanOnGpu : public ::testing::TestWithParam<Case> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    const auto& [rows, length, type, directions] = GetParam();
    for (const int direction : directions) {
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

INSTANTIATE_TEST_SUITE_P(All, ScanOnGpu, ::testing::ValuesIn(Cases()), [](const auto& info) {
  return absl::Substitute("Rows$0Length$1Type$2", info.param.rows, info.param.length,
                          info.param.type);
});

}  // namespace
}  // namespace halyard::testing
