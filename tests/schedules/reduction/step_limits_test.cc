// Mesa's software device leaves a thread's loops after 65,535 iterations, without an error: a
// schedule with longer ones is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "absl/strings/str_cat.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard {
namespace {

using testing::CheckReply;
using testing::CompileHlo;
using ::testing::HasSubstr;
using testing::InfoNamed;
using ::testing::StartsWith;

std::string ErrorOf(const std::string& hlo, const std::string& schedule) {
  return std::string(CompileHlo(hlo, InfoNamed("vulkan"), schedule).status().message());
}

class StepLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
    if (!InfoNamed("vulkan").software) GTEST_SKIP() << "not a software device";
  }
};

TEST_F(StepLimits, OfFolds) {
  const std::string sums = R"(HloModule m
sum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT s = s32[] add(a, b) }
ENTRY e { a = s32[3,200000] parameter(0) z = s32[] constant(0)
  ROOT r = s32[3] reduce(a, z), dimensions={1}, to_apply=sum })";
  EXPECT_EQ(ErrorOf(sums, ""), "");
  EXPECT_EQ(ErrorOf(sums, "reduction lanes=16 parts=1 width=1"), "");
  for (const char* knobs : {"lanes=1 parts=1 width=1", "lanes=1 parts=1 width=8",
                            "lanes=2 parts=1 width=1", "lanes=1 parts=2 width=1"}) {
    EXPECT_THAT(ErrorOf(sums, absl::StrCat("reduction ", knobs)), HasSubstr("more lanes or parts"))
        << knobs;
  }
}

// The template that takes what all others refuse folds each output in one thread and one float.
TEST_F(StepLimits, DefaultsOfSumsKeepThem) {
  for (const auto& [from, to, dimensions] : {std::tuple("1048577", "", "0"),
                                             {"16777216", "", "0"},
                                             {"3,2097152", "3", "1"},
                                             {"1048577,5", "5", "0"},
                                             {"300,70000", "300", "1"},
                                             {"70000,300", "300", "0"}}) {
    const std::string sums = absl::StrCat(
        "HloModule m\nsum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) "
        "}\nENTRY e { a = f32[",
        from, "] parameter(0) z = f32[] constant(0)\n  ROOT r = f32[", to,
        "] reduce(a, z), dimensions={", dimensions, "}, to_apply=sum }");
    const auto reply = CompileHlo(sums, InfoNamed("vulkan"), "");
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, StartsWith("reduction ")) << sums;
  }
}

// Workgroups of one thread folded nothing but for the first output.
TEST_F(StepLimits, ColumnsAreWhole) {
  for (const char* shape : {"25088,40", "12288,64", "1000,300", "20000,12", "70000,33"}) {
    const std::string sums = absl::StrCat(
        "HloModule m\nsum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT s = s32[] add(a, b) "
        "}\nENTRY e { a = s32[",
        shape, "] parameter(0) z = s32[] constant(0)\n  ROOT r = s32[",
        absl::string_view(shape).substr(absl::string_view(shape).find(',') + 1),
        "] reduce(a, z), dimensions={0}, to_apply=sum }");
    const auto reply = CompileHlo(sums, InfoNamed("vulkan"), "");
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(CheckReply(*reply, sums, *testing::DeviceNamed("vulkan"), 0), "") << sums;
  }
}

// Each of two threads goes through half of a row eight times.
TEST_F(StepLimits, OfRows) {
  std::string rows = R"(HloModule m
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }
ENTRY e { v0 = f32[2,16384] parameter(0) z = f32[] constant(0)
)";
  for (int i = 0; i < 7; ++i) {
    absl::StrAppend(&rows, "m", i, " = f32[2] reduce(v", i, ", z), dimensions={1}, to_apply=max b",
                    i, " = f32[2,16384] broadcast(m", i, "), dimensions={0} ",
                    i == 6 ? "ROOT " : "", "v", i + 1, " = f32[2,16384] subtract(v", i, ", b", i,
                    ")\n");
  }
  rows += "}";
  EXPECT_EQ(ErrorOf(rows, ""), "");
  EXPECT_EQ(ErrorOf(rows, "row lanes=4 width=1 rows=1 stage=0"), "");
  EXPECT_THAT(ErrorOf(rows, "row lanes=2 width=1 rows=1 stage=0"), HasSubstr("more lanes"));
}

}  // namespace
}  // namespace halyard
