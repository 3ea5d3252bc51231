// Tests kernels in which several selects share a condition on places: parts of complex numbers,
// arrays of one window, operands with the same padding. Schedules unroll loops
// (codegen/passes/whole_loops.h). Compares with the evaluator.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

struct Kernel {
  const char* name;
  const char* hlo;  // @N: the fastest extent
};

constexpr char kBodies[] = R"(HloModule m
mul { a = c64[] parameter(0) b = c64[] parameter(1) ROOT s = c64[] multiply(a, b) }
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
least { a = f32[] parameter(0) ai = s32[] parameter(1) b = f32[] parameter(2) bi = s32[] parameter(3)
  lt = pred[] compare(a, b), direction=LT
  v = f32[] select(lt, a, b)
  i = s32[] select(lt, ai, bi)
  ROOT t = (f32[], s32[]) tuple(v, i) }
)";

constexpr Kernel kKernels[] = {
    {"ComplexWindow", R"(ENTRY e { a = c64[16,@N] parameter(0) one = c64[] constant((1, 0))
  ROOT r = c64[19,@N] reduce-window(a, one), window={size=1x1 pad=1_2x0_0}, to_apply=mul })"},
    {"ComplexWindowOfThree", R"(ENTRY e { a = c64[16,@N] parameter(0) one = c64[] constant((1, 0))
  ROOT r = c64[17,@N] reduce-window(a, one), window={size=3x1 pad=1_2x0_0}, to_apply=mul })"},
    {"ComplexWindowDilated", R"(ENTRY e { a = c64[9,@N] parameter(0) one = c64[] constant((1, 0))
  ROOT r = c64[18,@N] reduce-window(a, one), window={size=2x1 pad=1_1x0_0 lhs_dilate=2x1},
    to_apply=mul })"},
    {"WindowDilated", R"(ENTRY e { a = f32[9,@N] parameter(0) z = f32[] constant(0)
  ROOT r = f32[18,@N] reduce-window(a, z), window={size=2x1 pad=1_1x0_0 lhs_dilate=2x1},
    to_apply=add })"},
    {"ValuesAndPlaces", R"(ENTRY e { a = f32[16,@N] parameter(0) i = s32[16,@N] parameter(1)
  z = f32[] constant(9) k = s32[] constant(-1)
  ROOT r = (f32[19,@N], s32[19,@N]) reduce-window(a, i, z, k), window={size=1x1 pad=1_2x0_0},
    to_apply=least })"},
    {"WindowOfTwoPads", R"(ENTRY e { a = f32[16,@N] parameter(0) b = f32[16,@N] parameter(1)
  z = f32[] constant(0) c = f32[] constant(2) d = f32[] constant(3)
  p = f32[19,@N] pad(a, c), padding=1_2x0_0
  q = f32[19,@N] pad(b, d), padding=1_2x0_0
  s = f32[19,@N] multiply(p, q)
  ROOT r = f32[19,@N] reduce-window(s, z), window={size=2x1 pad=1_0x0_0}, to_apply=add })"},
    {"ProductOfComplexPads", R"(ENTRY e { a = c64[16,@N] parameter(0) b = c64[16,@N] parameter(1)
  c = c64[] constant((2, 1)) d = c64[] constant((3, -1))
  p = c64[19,@N] pad(a, c), padding=1_2x0_0
  q = c64[19,@N] pad(b, d), padding=1_2x0_0
  ROOT r = c64[19,@N] multiply(p, q) })"},
    {"ProductOfDilatedPads", R"(ENTRY e { a = c64[9,@N] parameter(0) b = c64[9,@N] parameter(1)
  c = c64[] constant((2, 1)) d = c64[] constant((3, -1))
  p = c64[20,@N] pad(a, c), padding=1_2_1x0_0
  q = c64[20,@N] pad(b, d), padding=1_2_1x0_0
  ROOT r = c64[20,@N] multiply(p, q) })"},
    {"ProductOfParts", R"(ENTRY e { a = c64[7,@N] parameter(0) b = c64[12,@N] parameter(1)
  p = c64[19,@N] concatenate(a, b), dimensions={0}
  q = c64[19,@N] reverse(p), dimensions={0}
  ROOT r = c64[19,@N] multiply(p, q) })"},
    {"ComplexConvolution", R"(ENTRY e { a = c64[2,1,17] parameter(0) b = c64[1,1,3] parameter(1)
  ROOT r = c64[2,1,19] convolution(a, b), window={size=3 pad=2_2}, dim_labels=bf0_io0->bf0,
    feature_group_count=1, batch_group_count=1 })"},
};

class SharedConditions : public ::testing::TestWithParam<std::tuple<Kernel, int>> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    const auto& [kernel, extent] = GetParam();
    const std::string hlo =
        absl::StrCat(kBodies, absl::StrReplaceAll(kernel.hlo, {{"@N", absl::StrCat(extent)}}));
    EXPECT_EQ(CheckKernel(hlo, device, 1e-5), "");
    if (!absl::StrContains(kernel.hlo, "reduce-window") || device != absl::string_view("x86"))
      return;
    for (int tile : {2, 4, 8}) {
      const std::string schedule = absl::StrCat("window vec=1 tile=", tile, " grain=65536");
      EXPECT_EQ(CheckKernel(hlo, device, 1e-5, schedule), "") << schedule;
    }
  }
};

TEST_P(SharedConditions, HoldForEachCopyOnX86) { Check("x86"); }
TEST_P(SharedConditions, HoldForEachCopyOnVulkan) { Check("vulkan"); }
TEST_P(SharedConditions, HoldForEachCopyOnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(All, SharedConditions,
                         ::testing::Combine(::testing::ValuesIn(kKernels), ::testing::Values(1, 3)),
                         [](const auto& info) {
                           return absl::StrCat(std::get<0>(info.param).name, "By",
                                               std::get<1>(info.param));
                         });

}  // namespace
}  // namespace halyard::testing
