// Tests kernels that write over their inputs, and what code generation guarantees.
#include <gtest/gtest.h>

#include "tests/schedules/kernel_cases.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

TEST(InPlace, DynamicUpdateSliceWritesTheWindowOnly) {
  const char* hlo =
      "HloModule m\nENTRY e { a = f32[10,20] parameter(0) u = f32[3,4] parameter(1) i = s32[] "
      "parameter(2) j = s32[] parameter(3) "
      "ROOT r = f32[10,20] dynamic-update-slice(a, u, i, j) }";
  for (const char* device : {"x86", "vulkan"}) {
    if (DeviceNamed(device) == nullptr) continue;
    EXPECT_EQ(CheckKernel(hlo, device, 0, "", {{0, 0}}), "") << device;
  }
}

TEST(InPlace, ElementwiseOverItsInput) {
  const char* hlo =
      "HloModule m\nENTRY e { a = f32[1003] parameter(0) b = f32[1003] parameter(1) ROOT r = "
      "f32[1003] add(a, b) }";
  for (const char* device : {"x86", "x86:v2", "vulkan"}) {
    if (DeviceNamed(device) == nullptr) continue;
    EXPECT_EQ(CheckKernel(hlo, device, 0, "", {{0, 0}}), "") << device;
  }
}

// The last, partial vector of a reversed array has lanes before the array's first element.
TEST(Codegen, ReversedArraysOfOddSizes) {
  EXPECT_EQ(CheckKernel(R"(HloModule m
digit {
  a = s32[] parameter(0)
  low = s32[] constant(255)
  ROOT d = s32[] and(a, low)
}
ENTRY e {
  p = s32[1,300] parameter(0)
  r = s32[1,300] reverse(p), dimensions={1}
  ROOT c = s32[1,300] counting-pass(r), k=256, to_apply=digit
})",
                        "x86", 0),
            "");
  EXPECT_EQ(CheckKernel(R"(HloModule m
ENTRY e {
  p = f32[300] parameter(0)
  q = f32[300] parameter(1)
  r = f32[300] reverse(q), dimensions={0}
  ROOT s = f32[300] add(p, r)
})",
                        "x86", 0, "", {{0, 0}}),
            "");
}

TEST(Codegen, SameRequestSameBytes) {
  for (const KernelCase& test : {kKernelCases[3], kKernelCases[21], kKernelCases[35]}) {
    const auto first = CompileHlo(test.hlo, InfoNamed("x86")),
               second = CompileHlo(test.hlo, InfoNamed("x86"));
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(first->object, second->object) << test.name;
  }
}

TEST(Codegen, BadScheduleLinesAreNamed) {
  const auto unknown = CompileHlo(kKernelCases[1].hlo, InfoNamed("x86"), "nonsense vec=8");
  EXPECT_NE(std::string(unknown.status().message()).find("no template nonsense"), std::string::npos)
      << unknown.status();
  const auto value = CompileHlo(kKernelCases[1].hlo, InfoNamed("x86"), "elementwise vec=7");
  EXPECT_NE(std::string(value.status().message()).find("vec=7"), std::string::npos)
      << value.status();
}

}  // namespace
}  // namespace halyard::testing
