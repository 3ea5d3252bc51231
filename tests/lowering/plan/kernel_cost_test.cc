#include "lowering/plan/steps/kernel_cost.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "frontend/hlo_text/parser.h"

namespace halyard::lowering {
namespace {

KernelCost CostOfText(const std::string& text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      hlo_text::ParseModule("HloModule m\n" + text, "kernel.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? CostOf(*(*module)->entry()) : KernelCost();
}

constexpr char kAdd[] =
    "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n";

TEST(KernelCost, ElementwiseOpsCountOnceAndMovesNotAtAll) {
  const KernelCost cost = CostOfText(
      "ENTRY e { x = f32[8,4] parameter(0) y = f32[4] parameter(1)\n"
      "  z = f32[8,4] broadcast(y), dimensions={1}\n"
      "  s = f32[8,4] multiply(x, z) t = f32[8,4] tanh(s)\n"
      "  ROOT u = f16[8,4] convert(t) }");
  EXPECT_EQ(cost.flops, 2 * 32);
  EXPECT_EQ(cost.bytes_read, 4 * (32 + 4));
  EXPECT_EQ(cost.bytes_written, 2 * 32);
}

TEST(KernelCost, DotsAndConvolutionsCountMultiplyAdds) {
  const KernelCost dot = CostOfText(
      "ENTRY e { x = f32[3,5,7] parameter(0) y = f32[3,7,11] parameter(1)\n"
      "  ROOT r = f32[3,5,11] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, "
      "lhs_contracting_dims={2}, rhs_contracting_dims={1} }");
  EXPECT_EQ(dot.flops, 2 * 3 * 5 * 11 * 7);
  const KernelCost convolution = CostOfText(
      "ENTRY e { x = f32[2,8,8,6] parameter(0) k = f32[3,3,2,12] parameter(1)\n"
      "  ROOT r = f32[2,6,6,12] convolution(x, k), window={size=3x3}, "
      "dim_labels=b01f_01io->b01f, feature_group_count=3 }");
  EXPECT_EQ(convolution.flops, 2 * (2 * 6 * 6 * 12) * (3 * 3 * 2));
  EXPECT_EQ(convolution.bytes(), 4 * (2 * 8 * 8 * 6 + 3 * 3 * 2 * 12 + 2 * 6 * 6 * 12));
}

TEST(KernelCost, ReductionsCombineEachElement) {
  const KernelCost cost = CostOfText(std::string(kAdd) +
                                     "ENTRY e { x = f32[8,4] parameter(0) z = f32[] constant(0)\n"
                                     "  ROOT r = f32[8] reduce(x, z), dimensions={1}, "
                                     "to_apply=add }");
  EXPECT_EQ(cost.flops, 32);
  EXPECT_EQ(cost.bytes_written, 32);
  const KernelCost window = CostOfText(std::string(kAdd) +
                                       "ENTRY e { x = f32[8] parameter(0) z = f32[] constant(0)\n"
                                       "  ROOT r = f32[6] reduce-window(x, z), window={size=3}, "
                                       "to_apply=add }");
  EXPECT_EQ(window.flops, 6 * 3);
}

TEST(KernelCost, OnlyWhatIsTakenIsRead) {
  const KernelCost slice = CostOfText(
      "ENTRY e { x = f32[1000,8] parameter(0) i = s32[] parameter(1) z = s32[] constant(0)\n"
      "  ROOT r = f32[2,8] dynamic-slice(x, i, z), dynamic_slice_sizes={2,8} }");
  EXPECT_EQ(slice.bytes_read, 4 * 16 + 4);
  EXPECT_EQ(slice.bytes_written, 4 * 16);
  // If something else reads it, too, all of it counts.
  const KernelCost both = CostOfText(
      "ENTRY e { x = f32[8] parameter(0) y = f32[4] slice(x), slice={[0:4]}\n"
      "  c = f32[] constant(0) z = f32[8] pad(y, c), padding=0_4 ROOT r = f32[8] add(x, z) }");
  EXPECT_EQ(both.bytes_read, 32);
}

TEST(KernelCost, UpdatesInPlaceWriteWhatTheyChange) {
  const KernelCost cost = CostOfText(
      "ENTRY e { x = f32[1000,8] parameter(0) u = f32[1,8] parameter(1) i = s32[] parameter(2)\n"
      "  z = s32[] constant(0) ROOT r = f32[1000,8] dynamic-update-slice(x, u, i, z) }");
  EXPECT_EQ(cost.flops, 0);
  EXPECT_EQ(cost.bytes_read, 4 * 8 + 4);
  EXPECT_EQ(cost.bytes_written, 4 * 8);
}

TEST(KernelCost, ComplexNumbersCountTheirParts) {
  const KernelCost cost = CostOfText(
      "ENTRY e { x = c64[4] parameter(0) y = c64[4] parameter(1)\n"
      "  p = c64[4] multiply(x, y) ROOT r = c64[4] add(p, x) }");
  EXPECT_EQ(cost.flops, 4 * (6 + 2));
  EXPECT_EQ(cost.bytes(), 3 * 32);
}

}  // namespace
}  // namespace halyard::lowering
