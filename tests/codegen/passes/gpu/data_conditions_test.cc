// Tests GPU kernels whose results depend on whole arrays only if an element of another array says
// so. Halide would let the CPU look at that element.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

// A result that is needed under a condition on the scalar `p` of type pred, or `n` of type $0.
struct Use {
  const char* name;
  const char* text;
};
const Use kUses[] = {
    {"ShiftRight", "ROOT s = $0[] shift-right-logical(r, n)"},
    {"ShiftLeft", "ROOT s = $0[] shift-left(n, r)"},
    {"SelectFirst", "ROOT s = $0[] select(p, r, n)"},
    {"SelectSecond", "ROOT s = $0[] select(p, n, r)"},
    {"Divide", "ROOT s = $0[] divide(r, n)"},
    {"Minimum", "m = $0[] minimum(r, n)  ROOT s = $0[] select(p, m, n)"},
    {"Everywhere",
     "b = $0[4,3] broadcast(r), dimensions={}  c = pred[4,3] broadcast(p), "
     "dimensions={}  ROOT s = $0[4,3] select(c, b, x)"},
};

using Params = std::tuple<const char*, int>;  // type, number of a use

class DataConditions : public ::testing::TestWithParam<Params> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    const auto [type, use] = GetParam();
    for (const char* body : {"add", "xor", "maximum"}) {
      const std::string text = absl::Substitute(absl::StrCat(R"(HloModule m
f { a = $0[] parameter(0) b = $0[] parameter(1) ROOT s = $0[] $1(a, b) }
ENTRY e { x = $0[4,3] parameter(0) n = $0[] parameter(1) p = pred[] parameter(2)
  z = $0[] constant(1)  r = $0[] reduce(x, z), dimensions={0,1}, to_apply=f
  )",
                                                             kUses[use].text, " }"),
                                                type, body);
      EXPECT_EQ(CheckKernel(text, device, 0), "") << text;
    }
  }
};

TEST_P(DataConditions, OnVulkan) { Check("vulkan"); }
TEST_P(DataConditions, OnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(All, DataConditions,
                         ::testing::Combine(::testing::Values("s8", "u32", "s64"),
                                            ::testing::Range(0,
                                                             static_cast<int>(std::size(kUses)))),
                         [](const ::testing::TestParamInfo<Params>& info) {
                           return absl::StrCat(std::get<0>(info.param),
                                               kUses[std::get<1>(info.param)].name);
                         });

// One window at a place that an array names: it may lie outside.
class ScatterOfOneWindow : public ::testing::TestWithParam<int> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    for (const char* update : {"u", "add(o, u)"}) {
      const std::string text =
          absl::Substitute(R"(HloModule m
f { o = f32[] parameter(0) u = f32[] parameter(1) ROOT s = f32[] $1 }
ENTRY e { x = f32[16,5] parameter(0) i = s32[1,2] parameter(1) u = f32[$0,1] constant({$2})
  ROOT s = f32[16,5] scatter(x, i, u), update_window_dims={0}, inserted_window_dims={1},
      scatter_dims_to_operand_dims={1,0}, index_vector_dim=1, to_apply=f })",
                           GetParam(), update[0] == 'u' ? "copy(u)" : update, Rows());
      // The result is written over the operand.
      EXPECT_EQ(CheckKernel(text, device, 0, "", {{0, 0}}), "") << text;
    }
  }
  static std::string Rows() {
    std::string rows;
    for (int i = 0; i < GetParam(); ++i) absl::StrAppend(&rows, i == 0 ? "{" : ", {", i, ".5}");
    return rows;
  }
};

TEST_P(ScatterOfOneWindow, OnVulkan) { Check("vulkan"); }
TEST_P(ScatterOfOneWindow, OnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(Rows, ScatterOfOneWindow, ::testing::Values(1, 2, 5, 16));

}  // namespace
}  // namespace halyard::testing
