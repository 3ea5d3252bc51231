// Tests sort-pass against the evaluator: kernels of one pass, and of several passes over blocks.

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard {
namespace {

using testing::CheckKernel;

// Returns a program that orders by the first array's `key`, then by the last array, of type s32.
// NaN does not come before anything.
std::string Program(const std::string& dims, const std::vector<std::string>& types,
                    const std::vector<int>& masks, int block) {
  std::string parameters, shapes, operands, body;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string shape = absl::StrCat(types[i], "[", dims, "]");
    absl::StrAppend(&parameters, "  x", i, " = ", shape, " parameter(", i, ")\n");
    absl::StrAppend(&shapes, i > 0 ? ", " : "", shape);
    absl::StrAppend(&operands, "x", i, ", ");
    absl::StrAppend(&body, "  a", i, " = ", types[i], "[] parameter(", 2 * i, ")\n  b", i, " = ",
                    types[i], "[] parameter(", 2 * i + 1, ")\n");
  }
  if (types.size() > 1) shapes = absl::StrCat("(", shapes, ")");
  const size_t last = types.size() - 1;
  return absl::StrCat(
      "HloModule m\nbefore {\n", body,
      "  l = pred[] compare(a0, b0), direction=LT\n  g = pred[] compare(a0, b0), direction=GT\n"
      "  n = pred[] not(g)\n  p = pred[] compare(a",
      last, ", b", last,
      "), direction=LT\n  t = pred[] and(n, p)\n  ROOT r = pred[] or(l, t)\n}\nENTRY e {\n",
      parameters, "  masks = s32[", masks.size(), "] parameter(", types.size(),
      ")\n  ROOT s = ", shapes, " sort-pass(", operands, "masks), ",
      block > 0 ? absl::StrCat("k=", block, ", ") : "", "to_apply=before\n}\n");
}

void Check(const std::string& target) {
  // The harness makes the masks: small numbers with either sign.
  const std::vector<int> passes(6), one(1);
  for (const char* dims : {"1", "2", "7", "100", "3,1", "5,33"}) {
    EXPECT_EQ(CheckKernel(Program(dims, {"f32", "s32"}, passes, 16), target, 0), "") << dims;
    EXPECT_EQ(CheckKernel(Program(dims, {"s32"}, one, 0), target, 0), "") << dims;
  }
  EXPECT_EQ(CheckKernel(Program("3,500", {"bf16", "pred", "s8", "s32"}, passes, 256), target, 0),
            "");
  // Arrays of 8 and 16 bits share the same shared memory.
  EXPECT_EQ(CheckKernel(Program("2,8", {"f32", "s8", "bf16", "s32"}, passes, 8), target, 0), "");
  EXPECT_EQ(CheckKernel(Program("1,3000", {"f32", "f32", "s32"}, passes, 1024), target, 0), "");
}

TEST(SortPass, OnX86) { Check("x86"); }

TEST(SortPass, OnVulkan) {
  if (testing::DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
  Check("vulkan");
}

// Runs as PTX in the fake driver's interpreter, which finds places that two threads write or read
// at once.
TEST(SortPass, OnCuda) {
  if (testing::DeviceNamed("cuda") == nullptr) GTEST_SKIP() << "no CUDA driver";
  Check("cuda");
  EXPECT_EQ(CheckKernel(Program("2,100", {"f64", "s64", "s32"}, std::vector<int>(5), 32), "cuda", 0,
                        "exchange threads=32"),
            "");
}

TEST(SortPass, Schedules) {
  const std::string program = Program("3,300", {"f32", "s32"}, std::vector<int>(5), 64);
  for (const char* line :
       {"exchange vec=1 grain=1024", "exchange vec=4", "exchange grain=1048576"}) {
    EXPECT_EQ(CheckKernel(program, "x86", 0, line), "") << line;
  }
}

}  // namespace
}  // namespace halyard
