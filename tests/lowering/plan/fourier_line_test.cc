// Tests transforms whose lines fit a workgroup: the number of launches, and the results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "lowering/kernels/fourier/form.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_interpreter.h"

namespace halyard::lowering {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kSmall = 32 << 10, kLarge = 160 << 10;

PlanOptions WithShared(int64_t bytes, int64_t threads = 1024) {
  PlanOptions options = VulkanOptions();
  options.device.max_threads_per_group = static_cast<uint32_t>(threads);
  options.device.max_group[0] = static_cast<uint32_t>(threads);
  options.device.max_shared_bytes = static_cast<uint32_t>(bytes);
  return options;
}

// Returns the launches of a transform along the last `axes` dimensions.
int Launches(const std::string& shape, const std::string& type, const std::string& lengths,
             const PlanOptions& options) {
  const auto module = Parse(
      absl::StrCat("HloModule m\nENTRY e {\n  x = ", shape, " parameter(0)\n  ROOT y = ", shape,
                   " fft(x), fft_type=", type, ", fft_length={", lengths, "}\n}\n"));
  hlo::Literal x(module->entry()->parameters()[0]->shape.WithDefaultLayout());
  for (int64_t i = 0; i < x.shape().NumElements(); ++i) {
    x.SetComplex(i, {static_cast<double>(i * 7 % 19) / 9 - 1, static_cast<double>(i % 5) - 2});
  }
  const ProgramSpec spec = PlanOf(*module, options);
  const auto want = hlo::Evaluator().Run(*module, {x});
  const auto got = InterpretPlan(spec, {x});
  EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status() << shape;
  if (want.ok() && got.ok()) {
    const auto difference = hlo::Compare((*got)[0], *want, 1e-3, 1e-3);
    EXPECT_TRUE(difference.ok() && difference->within) << shape << DescribePlan(spec);
  }
  return CountSteps(spec, ProgramSpec::Step::Kind::kKernel);
}

TEST(FourierLine, IsOneLaunchWhereItFits) {
  for (const char* n : {"8", "60", "256", "1000"}) {
    EXPECT_EQ(Launches(absl::StrCat("c64[3,", n, "]"), "FFT", n, WithShared(kSmall)), 1) << n;
    EXPECT_EQ(Launches(absl::StrCat("c64[3,", n, "]"), "IFFT", n, WithShared(kSmall)), 1) << n;
  }
  EXPECT_EQ(Launches("c64[2,4096]", "FFT", "4096", WithShared(kLarge)), 1);
  // There is one launch for each axis, and one that finds values that are not finite.
  EXPECT_EQ(Launches("c64[2,20,36]", "FFT", "20,36", WithShared(kSmall)), 3);
}

// One more launch before them finds values that are not finite.
TEST(FourierLine, LongerOnesTakeALaunchForEachPass) {
  EXPECT_EQ(Launches("c64[2,4096]", "FFT", "4096", WithShared(kSmall)), 4);
  EXPECT_EQ(Launches("c128[2,1024]", "IFFT", "1024", WithShared(kSmall)), 4);
  EXPECT_EQ(Launches("c64[2,256]", "FFT", "256", WithShared(0)), 3);
  // There are too few threads.
  EXPECT_EQ(Launches("c64[2,4096]", "FFT", "4096", WithShared(kLarge, 16)), 4);
  // If shared memory is no faster than other memory, only the number of launches counts.
  PlanOptions software = WithShared(kSmall);
  software.device.software = true;
  EXPECT_EQ(Launches("c64[2,256]", "FFT", "256", software), 1);
  EXPECT_EQ(Launches("c64[64,256]", "FFT", "256", software), 3);
}

// A core takes a line if the first radix is 16 and the line fits its cache. Several cores take a
// long one pass by pass.
TEST(FourierLine, OnX86) {
  PlanOptions options = X86Options();
  options.device.compute_units = 4;
  for (const char* n : {"64", "192", "1024", "4096"})
    EXPECT_EQ(Launches(absl::StrCat("c64[2,", n, "]"), "FFT", n, options), 1) << n;
  EXPECT_EQ(Launches("c128[3,512]", "IFFT", "512", options), 1);
  EXPECT_EQ(Launches("c64[2,48]", "FFT", "48", options), 3);
  EXPECT_EQ(Launches("c64[2,1000]", "FFT", "1000", options), 4);
  EXPECT_EQ(Launches("c64[2,8192]", "FFT", "8192", options), 5);
  EXPECT_EQ(Launches("c64[4,8192]", "FFT", "8192", options), 1);
  EXPECT_EQ(Launches("c64[4,32768]", "FFT", "32768", options), 5);
  // The elements of columns are neighbours as they are.
  EXPECT_EQ(Launches("c64[256,16]", "FFT", "256,16", options), 3);
}

TEST(FourierLine, Radices) {
  EXPECT_THAT(FourierRadices(1), IsEmpty());
  EXPECT_THAT(FourierRadices(17 * 2), IsEmpty());
  EXPECT_THAT(FourierRadices(26, 8), IsEmpty());
  EXPECT_THAT(FourierRadices(4096), ElementsAre(16, 16, 16));
  EXPECT_THAT(FourierRadices(4096, 8), ElementsAre(8, 8, 8, 8));
  EXPECT_THAT(FourierRadices(13), ElementsAre(13));
}

}  // namespace
}  // namespace halyard::lowering
