// Tests arithmetic with zeros that only show once a kernel is lowered
// (codegen/passes/strict_code.h), on special values, against the evaluator. Compilers behind Vulkan
// fold x * 0 and x + 0, although x may be infinite, NaN or -0, and Halide refuses x / 0.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

struct Zero {
  const char* name;
  const char* hlo;  // computes z from x and the constants zero and one
};

constexpr Zero kZeros[] = {
    {"OfNoValueBelowItself",
     "p = pred[40] compare(x, x), direction=GT\nz = T[40] select(p, one, zero)"},
    {"OfASumNotBelowItself",
     "s = T[40] add(x, one)\np = pred[40] compare(s, s), direction=LT\nz = T[40] convert(p)"},
    {"OfPlacesOutOfRange",
     "n = s32[40] iota(), iota_dimension=0\nk = s32[40] broadcast(forty), dimensions={}\n"
     "p = pred[40] compare(n, k), direction=GE\nz = T[40] select(p, one, zero)"},
    {"Negative",
     "p = pred[40] compare(x, x), direction=GT\ns = T[40] select(p, one, zero)\n"
     "z = T[40] negate(s)"},
};

constexpr char kKernel[] = R"(HloModule m
ENTRY e { x = T[40] parameter(0)
  none = T[] constant(0)
  unit = T[] constant(1)
  forty = s32[] constant(40)
  zero = T[40] broadcast(none), dimensions={}
  one = T[40] broadcast(unit), dimensions={}
  @Z
  ROOT r = T[40] @OP })";

class ZeroOperands : public ::testing::TestWithParam<std::tuple<Zero, const char*, const char*>> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    const auto& [zero, type, op] = GetParam();
    const std::string hlo = absl::StrReplaceAll(kKernel, {{"@Z", zero.hlo}, {"@OP", op}});
    EXPECT_EQ(CheckKernel(absl::StrReplaceAll(hlo, {{"T[", absl::StrCat(type, "[")}}), device, 0),
              "");
  }
};

TEST_P(ZeroOperands, OnX86) { Check("x86"); }
TEST_P(ZeroOperands, OnVulkan) { Check("vulkan"); }
TEST_P(ZeroOperands, OnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(
    All, ZeroOperands,
    ::testing::Combine(::testing::ValuesIn(kZeros), ::testing::Values("f32", "f64"),
                       ::testing::Values("multiply(x, z)", "multiply(z, x)", "add(x, z)",
                                         "subtract(x, z)", "subtract(z, x)", "divide(x, z)",
                                         "divide(z, x)")),
    [](const ::testing::TestParamInfo<ZeroOperands::ParamType>& info) {
      std::string op = std::get<2>(info.param);
      op = absl::StrReplaceAll(op, {{"(", "_"}, {", ", "_"}, {")", ""}});
      return absl::StrCat(std::get<0>(info.param).name, "_", std::get<1>(info.param), "_", op);
    });

// Halide moves the rounding of such a constant out of the kernel, to a host that cannot do it as
// the device does. Rows of 3 elements are not vectorized, and only scalars are moved.
class NarrowZeros : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    const auto& [type, op] = GetParam();
    EXPECT_EQ(CheckKernel(absl::StrReplaceAll(R"(HloModule m
ENTRY e { x = T[256,3] parameter(0)
  n = s32[256,3] iota(), iota_dimension=1
  three = s32[] constant(3)
  k = s32[256,3] broadcast(three), dimensions={}
  p = pred[256,3] compare(n, k), direction=GE
  z = T[256,3] convert(p)
  ROOT r = T[256,3] OP(x, z) })",
                                              {{"T[", absl::StrCat(type, "[")}, {"OP", op}}),
                          device, 0),
              "");
  }
};

TEST_P(NarrowZeros, OnX86) { Check("x86"); }
TEST_P(NarrowZeros, OnVulkan) { Check("vulkan"); }
TEST_P(NarrowZeros, OnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(All, NarrowZeros,
                         ::testing::Combine(::testing::Values("bf16", "f16", "f8e4m3fn"),
                                            ::testing::Values("add", "multiply")));

}  // namespace
}  // namespace halyard::testing
