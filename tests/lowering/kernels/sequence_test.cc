// Kernels that update their results step after step, beside the evaluator.

#include <gtest/gtest.h>

#include "tests/lowering/kernels/kernel_harness.h"

namespace halyard::testing {
namespace {

struct Case {
  const char* name;
  const char* hlo;
  std::vector<std::pair<int32_t, int32_t>> aliases = {{0, 0}};
};

class SequenceKernel : public ::testing::TestWithParam<Case> {};

const Case kWindowWrites[] = {
    {"Complex",
     "HloModule m\nENTRY e { a = c64[6,9] parameter(0) u = c64[3,4] parameter(1) i = s32[] "
     "parameter(2) j = s32[] parameter(3) ROOT r = c64[6,9] dynamic-update-slice(a, u, i, j) }"},
    {"ComplexDouble",
     "HloModule m\nENTRY e { a = c128[40] parameter(0) u = c128[17] parameter(1) i = s32[] "
     "parameter(2) ROOT r = c128[40] dynamic-update-slice(a, u, i) }"},
    {"ComplexScalar",
     "HloModule m\nENTRY e { a = c64[] parameter(0) u = c64[] parameter(1) ROOT r = c64[] "
     "dynamic-update-slice(a, u) }"},
    {"Scalar",
     "HloModule m\nENTRY e { a = bf16[] parameter(0) u = bf16[] parameter(1) ROOT r = bf16[] "
     "dynamic-update-slice(a, u) }"},
    {"ManyRows",
     "HloModule m\nENTRY e { a = f16[300,257] parameter(0) u = f16[290,200] parameter(1) i = u8[] "
     "parameter(2) j = u8[] parameter(3) k = f16[290,200] add(u, u) ROOT r = f16[300,257] "
     "dynamic-update-slice(a, k, i, j) }"},
};

TEST_P(SequenceKernel, AgreesWithTheEvaluator) {
  for (const char* device : {"x86", "x86:v2", "vulkan"}) {
    if (DeviceNamed(device) == nullptr) continue;
    EXPECT_EQ(CheckKernel(GetParam().hlo, device, 0, "", GetParam().aliases), "") << device;
  }
}

std::string NameOf(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(WindowWrites, SequenceKernel, ::testing::ValuesIn(kWindowWrites), NameOf);

}  // namespace
}  // namespace halyard::testing
