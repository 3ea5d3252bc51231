// Tests ops that a device's libraries have: which become library ops, and that plans with them
// compute the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_interpreter.h"

namespace halyard::lowering {
namespace {

using hlo::Literal;

PlanOptions WithCufft() {
  PlanOptions options = VulkanOptions();
  options.device.kind = runtime::DeviceKind::kCuda;
  options.device.cuda_capability = 90;
  options.device.libraries = runtime::kCufft;
  options.target = "cuda";
  return options;
}

std::string Program(const std::string& from, const std::string& to, const std::string& type,
                    const std::string& lengths) {
  return absl::StrCat("HloModule m\nENTRY e {\n  x = ", from, " parameter(0)\n  ROOT y = ", to,
                      " fft(x), fft_type=", type, ", fft_length={", lengths, "}\n}\n");
}

// Returns how many kernels are calls of the library. Checks results.
int LibraryKernels(const std::string& text, const PlanOptions& options) {
  const auto module = Parse(text);
  Literal x(module->entry()->parameters()[0]->shape.WithDefaultLayout());
  for (int64_t i = 0; i < x.shape().NumElements(); ++i) {
    const double re = static_cast<double>(i * 7 % 19) / 9 - 1, im = static_cast<double>(i % 5) - 2;
    if (hlo::IsComplex(x.shape().element_type())) {
      x.SetComplex(i, {re, im});
    } else {
      x.SetFloat(i, re);
    }
  }
  const ProgramSpec spec = PlanOf(*module, options);
  const auto want = hlo::Evaluator().Run(*module, {x});
  const auto got = InterpretPlan(spec, {x});
  EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status() << text;
  if (want.ok() && got.ok()) {
    const auto difference = hlo::Compare((*got)[0], *want, 1e-4, 1e-4);
    EXPECT_TRUE(difference.ok() && difference->within) << text << DescribePlan(spec);
  }
  int count = 0;
  for (const ProgramSpec::Kernel& kernel : spec.kernels) {
    count += absl::StrContains(kernel.request, "unscaled-fft");
  }
  return count;
}

TEST(LibraryPlan, TransformsAreCuffts) {
  const PlanOptions cufft = WithCufft();
  PlanOptions none = WithCufft();
  none.device.libraries = 0;
  for (const auto& [from, to, type, lengths] :
       {std::tuple("c64[2,3,40]", "c64[2,3,40]", "FFT", "40"),
        std::tuple("c64[2,3,40]", "c64[2,3,40]", "IFFT", "40"),
        std::tuple("c64[40]", "c64[40]", "IFFT", "40"),
        std::tuple("c64[5,6,7]", "c64[5,6,7]", "FFT", "5,6,7"),
        std::tuple("c128[2,6,34]", "c128[2,6,34]", "IFFT", "6,34"),
        std::tuple("f32[3,40]", "c64[3,21]", "RFFT", "40"),
        std::tuple("f32[3,5,21]", "c64[3,5,11]", "RFFT", "5,21"),
        std::tuple("c64[3,21]", "f32[3,40]", "IRFFT", "40"),
        std::tuple("c64[3,11]", "f32[3,21]", "IRFFT", "21"),
        // A convolution with a chirp, by transforms of length 1024.
        std::tuple("c64[2,307]", "c64[2,307]", "FFT", "307")}) {
    const std::string text = Program(from, to, type, lengths);
    EXPECT_GE(LibraryKernels(text, cufft), 1) << text;
    EXPECT_EQ(LibraryKernels(text, none), 0) << text;
  }
}

TEST(LibraryPlan, ShortLinesAreOnePassOfOurs) {
  EXPECT_EQ(LibraryKernels(Program("c64[100,16]", "c64[100,16]", "FFT", "16"), WithCufft()), 0);
}

}  // namespace
}  // namespace halyard::lowering
