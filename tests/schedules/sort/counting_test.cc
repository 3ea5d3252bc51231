// Tests counting-pass against the evaluator.

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard {
namespace {

using testing::CheckKernel;

// Returns a program that sorts by the number modulo `digits` and moves the other arrays along.
std::string Program(const std::string& dims, int digits, const std::string& others) {
  std::string types = absl::StrCat("s32[", dims, "]"), operands = "x", digit = "", parameters;
  int count = 1;
  for (size_t begin = 0; begin < others.size();) {
    size_t end = std::min(others.find(',', begin), others.size());
    const std::string type = others.substr(begin, end - begin);
    absl::StrAppend(&types, ", ", type, "[", dims, "]");
    absl::StrAppend(&operands, ", y", count);
    absl::StrAppend(&digit, "  y", count, " = ", type, "[] parameter(", count, ")\n");
    absl::StrAppend(&parameters, "  y", count, " = ", type, "[", dims, "] parameter(", count,
                    ")\n");
    ++count;
    begin = end + 1;
  }
  if (count > 1) types = "(" + types + ")";
  return absl::StrCat("HloModule m\ndigit {\n  x = s32[] parameter(0)\n", digit,
                      "  d = s32[] constant(", digits, ")\n  ROOT r = s32[] remainder(x, d)\n}\n",
                      "ENTRY e {\n  x = s32[", dims, "] parameter(0)\n", parameters,
                      "  ROOT p = ", types, " counting-pass(", operands, "), k=", digits,
                      ", to_apply=digit\n}\n");
}

TEST(CountingPass, Lines) {
  for (const char* dims : {"1,1", "1,7", "5,33", "40,100", "3,2000"}) {
    EXPECT_EQ(CheckKernel(Program(dims, 5, "f32"), "x86", 0), "") << dims;
  }
}

TEST(CountingPass, Blocks) {
  for (const char* dims : {"1,4096", "2,5000", "3,1025"}) {
    EXPECT_EQ(CheckKernel(Program(dims, 3, "bf16,f64"), "x86", 0, "counting block=1024"), "")
        << dims;
  }
}

TEST(CountingPass, Digits) {
  for (int digits : {1, 2, 17, 2048}) {
    EXPECT_EQ(CheckKernel(Program("2,300", digits, ""), "x86", 0), "") << digits;
  }
}

// On GPUs: full and partial blocks of threads, several levels of sums, and lines that share the
// grid.
TEST(CountingPass, OnVulkan) {
  if (testing::DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
  for (const char* dims : {"1,1", "1,7", "5,33", "40,100", "3,2000", "1,40007"}) {
    EXPECT_EQ(CheckKernel(Program(dims, 5, "f32"), "vulkan", 0, "counting block=16 threads=32"), "")
        << dims;
  }
  for (int digits : {1, 2, 16}) {
    EXPECT_EQ(CheckKernel(Program("3,1025", digits, "bf16,f32"), "vulkan", 0), "") << digits;
  }
}

// Digits below 0 (of the remainders of negative numbers) count as 0, and those from k on as k - 1.
TEST(CountingPass, ClampsDigits) {
  std::string text = Program("2,300", 100, "s32");
  text.replace(text.find("k=100"), 5, "k=2");
  EXPECT_EQ(CheckKernel(text, "x86", 0), "");
}

}  // namespace
}  // namespace halyard
