// Tests rows in a workgroup's shared memory whose arrays have elements of several sizes, and
// lengths that leave gaps between them (codegen/passes/gpu/shared_storage.h), for every type of
// element beside floats.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

// Returns a softmax, $0 elements long and of type $1, of what a flag chooses. Flags, factors and
// exponentials are staged.
std::string Program(int length, const std::string& type) {
  return absl::Substitute(
      "HloModule m\nmax { x = $1[] parameter(0) y = $1[] parameter(1) ROOT m = $1[] maximum(x, y) "
      "}\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\nENTRY e "
      "{ p = pred[4,$0] parameter(0) a = $1[4,$0] parameter(1) b = $1[4,$0] parameter(2) x = "
      "$1[4,$0] select(p, a, b) low = $1[] constant(-inf) m = $1[4] reduce(x, low), "
      "dimensions={1}, to_apply=max\nmb = $1[4,$0] broadcast(m), dimensions={0}\nd = $1[4,$0] "
      "subtract(x, mb) n = $1[4,$0] exponential(d) w = f32[4,$0] convert(n) o = f32[] constant(0) "
      "s = f32[4] reduce(w, o), dimensions={1}, to_apply=add\nsn = $1[4] convert(s) sb = $1[4,$0] "
      "broadcast(sn), dimensions={0}\nROOT r = $1[4,$0] divide(n, sb) }",
      length, type);
}

class SharedRows : public ::testing::TestWithParam<const char*> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    for (int length : {9, 11, 13, 31}) {
      EXPECT_EQ(CheckKernel(Program(length, GetParam()), device, 1e-2,
                            "row lanes=2 width=4 rows=1 stage=1 threads=64"),
                "")
          << length;
    }
  }
};

TEST_P(SharedRows, AreWholeOnVulkan) { Check("vulkan"); }
TEST_P(SharedRows, AreWholeOnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(All, SharedRows, ::testing::Values("f16", "bf16", "f32", "f64"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace halyard::testing
