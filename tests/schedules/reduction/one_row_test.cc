// Tests kernels of one row alone (a softmax or variance of a whole array): the `row` template takes
// them on every target, so that no thread goes through the row by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::StartsWith;

constexpr char kBodies[] = R"(HloModule m
sum { a = T[] parameter(0) b = T[] parameter(1) ROOT s = T[] add(a, b) }
max { a = T[] parameter(0) b = T[] parameter(1) ROOT s = T[] maximum(a, b) }
)";

std::string Program(const std::string& entry, const std::string& type, int n) {
  return absl::StrReplaceAll(absl::StrCat(kBodies, entry),
                             {{"T[", type + "["}, {"LENGTH", absl::StrCat(n)}});
}

constexpr char kSoftmax[] = R"(ENTRY e { a = T[LENGTH] parameter(0)
  n = T[] constant(-inf)
  z = T[] constant(0)
  m = T[] reduce(a, n), dimensions={0}, to_apply=max
  mb = T[LENGTH] broadcast(m), dimensions={}
  d = T[LENGTH] subtract(a, mb)
  x = T[LENGTH] exponential(d)
  s = T[] reduce(x, z), dimensions={0}, to_apply=sum
  sb = T[LENGTH] broadcast(s), dimensions={}
  ROOT r = T[LENGTH] divide(x, sb) })";

// The result is a scalar.
constexpr char kSquares[] = R"(ENTRY e { a = T[LENGTH] parameter(0)
  z = T[] constant(0)
  m = T[] reduce(a, z), dimensions={0}, to_apply=sum
  mb = T[LENGTH] broadcast(m), dimensions={}
  d = T[LENGTH] subtract(a, mb)
  q = T[LENGTH] multiply(d, d)
  ROOT s = T[] reduce(q, z), dimensions={0}, to_apply=sum })";

// Two dimensions, which one operand tells apart.
constexpr char kPlane[] = R"(ENTRY e { a = T[3,LENGTH] parameter(0) b = T[3] parameter(1)
  bb = T[3,LENGTH] broadcast(b), dimensions={0}
  c = T[3,LENGTH] multiply(a, bb)
  z = T[] constant(0)
  m = T[] reduce(c, z), dimensions={0,1}, to_apply=sum
  mb = T[3,LENGTH] broadcast(m), dimensions={}
  d = T[3,LENGTH] subtract(a, mb)
  q = T[3,LENGTH] multiply(d, d)
  s = T[] reduce(q, z), dimensions={0,1}, to_apply=sum
  sb = T[3,LENGTH] broadcast(s), dimensions={}
  ROOT r = T[3,LENGTH] divide(d, sb) })";

void Check(const std::string& name, const std::string& hlo, double tolerance,
           const std::string& schedule = "") {
  const auto kernel = CompileHlo(hlo, InfoNamed(name), schedule);
  ASSERT_TRUE(kernel.ok()) << kernel.status() << "\n" << hlo;
  EXPECT_THAT(kernel->schedule, StartsWith("row ")) << hlo;
  EXPECT_EQ(CheckReply(*kernel, hlo, *DeviceNamed(name), tolerance), "") << kernel->schedule << "\n"
                                                                         << hlo;
}

class OneRow : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (DeviceNamed(GetParam()) == nullptr) GTEST_SKIP() << "no " << GetParam();
  }
};

TEST_P(OneRow, OfEveryLength) {
  for (int n : {2, 3, 5, 16, 37, 1000, 16384}) {
    Check(GetParam(), Program(kSoftmax, "f32", n), 1e-5);
    Check(GetParam(), Program(kSquares, "f32", n), 1e-4);
    if (n <= 1000) Check(GetParam(), Program(kPlane, "f32", n), 1e-4);
  }
}

TEST_P(OneRow, OfEveryType) {
  for (const char* type : {"f64", "f16", "bf16"})
    Check(GetParam(), Program(kSoftmax, type, 131), 1e-2);
  for (const char* type : {"s32", "s8"}) Check(GetParam(), Program(kSquares, type, 131), 0);
  Check(GetParam(), Program(kSquares, "c64", 131), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, OneRow, ::testing::Values("x86", "x86:v2", "vulkan", "cuda"),
                         [](const auto& info) {
                           return absl::StrReplaceAll(info.param, {{":", "_"}});
                         });

void CheckSchedules(const char* device) {
  if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device;
  for (const char* schedule : {"row lanes=4 width=1 rows=1 stage=0 threads=32",
                               "row lanes=16 width=4 rows=1 stage=1 threads=32",
                               "row lanes=64 width=8 rows=1 stage=0 threads=32",
                               "row lanes=128 width=2 rows=1 stage=1 threads=32"}) {
    Check(device, Program(kSoftmax, "f32", 131), 1e-5, schedule);
    Check(device, Program(kSquares, "f32", 128), 1e-5, schedule);
    Check(device, Program(kPlane, "f32", 40), 1e-5, schedule);
  }
}

TEST(OneRowSchedules, OnVulkan) { CheckSchedules("vulkan"); }
TEST(OneRowSchedules, OnCuda) { CheckSchedules("cuda"); }

// One thread would do all of it.
TEST(OneRowSchedules, NeedLanes) {
  if (DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
  const auto kernel = CompileHlo(Program(kSoftmax, "f32", 131), InfoNamed("vulkan"),
                                 "row lanes=1 width=1 rows=1 stage=0 threads=32");
  EXPECT_FALSE(kernel.ok());
  EXPECT_THAT(kernel.status().message(), ::testing::HasSubstr("lanes"));
}

}  // namespace
}  // namespace halyard::testing
