// Tests constant weights in panels: the graph computes the same, and each panel has its elements in
// the order of the sum.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/contraction/packed_factor.h"
#include "lowering/plan/passes.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

// `weights` and `x` are shapes. `op` says how they are used.
std::string Program(const std::string& weights, const std::string& x, const std::string& op) {
  const std::unique_ptr<hlo::Module> shape =
      Parse(absl::StrCat("HloModule m\nENTRY e { ROOT w = ", weights, " parameter(0) }"));
  return absl::StrCat("HloModule m\nENTRY e { x = ", x, " parameter(0) w = ", weights, " constant(",
                      ExactNumbers(shape->entry()->root()->shape).ToString(), ") ROOT r = ", op,
                      " }");
}

runtime::DeviceInfo Avx512() {
  runtime::DeviceInfo device;
  device.x86_features = runtime::kX86Avx512 | runtime::kX86Avx | runtime::kX86Avx2;
  return device;
}

// Returns the panels' width, or 0 if there are none. Checks that results have the same bits. If
// `terms` is given, it receives the number of terms in a word.
int64_t WidthAfterPacking(const std::string& text, const runtime::DeviceInfo& device = Avx512(),
                          int64_t* terms = nullptr) {
  const std::unique_ptr<hlo::Module> before = Parse(text), after = Parse(text);
  EXPECT_TRUE(PackFactors(*after, device).ok());
  EXPECT_TRUE(hlo::VerifyModule(*after).ok()) << hlo::VerifyModule(*after);
  const std::vector<Literal> arguments = {ExactNumbers(before->entry()->parameters()[0]->shape)};
  hlo::Evaluator evaluator;
  const auto want = evaluator.Run(*before, arguments);
  const auto got = evaluator.Run(*after, arguments);
  EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status();
  EXPECT_TRUE(got->BitwiseEqual(*want)) << text.substr(0, 80);
  int64_t width = 0;
  for (const auto& inst : after->entry()->instructions()) {
    if (!IsPackedFactor(*inst)) continue;
    width = PanelWidth(*inst);
    if (terms != nullptr) *terms = PanelTerms(*inst);
  }
  return width;
}

TEST(PackFactors, OfDots) {
  const std::string matrix =
      "f32[5,64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  EXPECT_EQ(WidthAfterPacking(Program("f32[40,64]", "f32[5,40]", matrix)), 32);
  const std::string transposed =
      "f32[5,48] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}";
  EXPECT_EQ(WidthAfterPacking(Program("f32[48,40]", "f32[5,40]", transposed)), 48);
  const std::string two =
      "f32[5,16] dot(x, w), lhs_contracting_dims={2,1}, rhs_contracting_dims={0,2}";
  EXPECT_EQ(WidthAfterPacking(Program("f32[4,16,7]", "f32[5,7,4]", two)), 16);
  const std::string doubles =
      "f64[5,16] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  EXPECT_EQ(WidthAfterPacking(Program("f64[40,16]", "f64[5,40]", doubles)), 16);
}

TEST(PackFactors, OfConvolutions) {
  const std::string image = "f32[2,5,6,7]";
  const std::string result = "f32[2,5,6,32] convolution(x, w), window={size=3x2 pad=1_1x0_1}, ";
  EXPECT_EQ(
      WidthAfterPacking(Program("f32[3,2,7,32]", image, result + "dim_labels=b01f_01io->b01f")),
      32);
  EXPECT_EQ(
      WidthAfterPacking(Program("f32[32,7,3,2]", image, result + "dim_labels=b01f_oi01->b01f")),
      32);
  EXPECT_EQ(
      WidthAfterPacking(Program("f32[2,32,3,7]", image, result + "dim_labels=b01f_1o0i->b01f")),
      32);
}

TEST(PackFactors, FillsTheLastPanelUp) {
  EXPECT_EQ(WidthAfterPacking(Program("f32[40,60]", "f32[5,40]",
                                      "f32[5,60] dot(x, w), lhs_contracting_dims={1}, "
                                      "rhs_contracting_dims={0}")),
            32);
  EXPECT_EQ(WidthAfterPacking(Program("f32[60,7,3,2]", "f32[2,5,6,7]",
                                      "f32[2,5,6,60] convolution(x, w), window={size=3x2 "
                                      "pad=1_1x0_1}, dim_labels=b01f_oi01->b01f")),
            32);
}

TEST(PackFactors, WidthFollowsTheDevice) {
  const std::string text =
      Program("f32[40,48]", "f32[5,40]",
              "f32[5,48] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  EXPECT_EQ(WidthAfterPacking(text), 48);
  runtime::DeviceInfo device;
  device.x86_features = runtime::kX86Avx;
  EXPECT_EQ(WidthAfterPacking(text, device), 16);
  device.x86_features = 0;
  EXPECT_EQ(WidthAfterPacking(text, device), 8);
}

// For narrow factors of devices that multiply words, neighbouring terms are adjacent.
TEST(PackFactors, WordsFollowTypesAndDevice) {
  runtime::DeviceInfo device = Avx512();
  device.x86_features |= runtime::kX86Zen4;
  auto terms_of = [&](const std::string& type, const std::string& sum, int m, int k,
                      const std::string& more = "") {
    int64_t terms = 0;
    const std::string text = Program(
        absl::StrCat(type, "[", k, ",60]"), absl::StrCat(type, "[", m, ",", k, "]"),
        absl::StrCat(sum, "[", m,
                     ",60] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}", more));
    WidthAfterPacking(text, device, &terms);
    return terms;
  };
  EXPECT_EQ(terms_of("s8", "s32", 20, 40), 4);
  EXPECT_EQ(terms_of("s16", "s32", 20, 40), 2);
  EXPECT_EQ(terms_of("bf16", "f32", 20, 40), 2);
  EXPECT_EQ(terms_of("bf16", "bf16", 20, 40), 2);
  EXPECT_EQ(terms_of("f32", "f32", 20, 40), 1);
  // Memory bounds the products of one row, of bf16 without words too.
  EXPECT_EQ(terms_of("s8", "s32", 1, 40), 4);
  EXPECT_EQ(terms_of("bf16", "f32", 4, 40), 2);
  // These have no whole words, too few places, or more precision than words have.
  EXPECT_EQ(terms_of("s8", "s32", 20, 42), 0);
  EXPECT_EQ(terms_of("bf16", "f32", 20, 41), 1);
  EXPECT_EQ(terms_of("bf16", "f32", 3, 40), 1);
  EXPECT_EQ(terms_of("bf16", "f32", 20, 40, ", operand_precision={high,default}"), 1);
  device.x86_features = Avx512().x86_features | runtime::kX86Avx512Vnni;
  EXPECT_EQ(terms_of("s8", "s32", 20, 40), 0);

  device.x86_features |= runtime::kX86SapphireRapids;
  int64_t terms = 0;
  const std::string image = Program("s8[48,3,2,8]", "s8[2,5,6,8]",
                                    "s32[2,5,6,48] convolution(x, w), window={size=3x2 "
                                    "pad=1_1x1_0}, dim_labels=b01f_o01i->b01f");
  EXPECT_EQ(WidthAfterPacking(image, device, &terms), 48);
  EXPECT_EQ(terms, 4);
}

// Narrow elements of which a product of one row makes its matrix.
TEST(PackFactors, OfConvertedWeights) {
  // `made` computes m from the weights w.
  auto width = [](const std::string& weights, const std::string& x, const std::string& made,
                  const std::string& dot) {
    std::string text = Program(weights, x, dot);
    text.insert(text.find("ROOT r = "), made + " ");
    return WidthAfterPacking(text);
  };
  const std::string dot =
      "f32[1,128] dot(x, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const std::string converted = "m = f32[40,128] convert(w)";
  EXPECT_EQ(width("s8[40,128]", "f32[1,40]", converted, dot), 64);
  EXPECT_EQ(width("s4[40,128]", "f32[1,40]", converted, dot), 64);
  EXPECT_EQ(width("bf16[40,128]", "f32[1,40]", converted, dot), 64);
  // A vector without a dimension for its one row, and a last panel that is filled up.
  EXPECT_EQ(width("s8[40,125]", "f32[40]", "m = f32[40,125] convert(w)",
                  "f32[125] dot(x, m), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            64);
  // In blocks of terms, each with a scale and a zero point.
  const std::string scaled =
      "c = f32[3,16,96] convert(v) z = f32[] constant(3) zb = f32[3,16,96] broadcast(z), "
      "dimensions={} d = f32[3,16,96] subtract(c, zb) s = f32[3,96] iota(), iota_dimension=1 "
      "sb = f32[3,16,96] broadcast(s), dimensions={0,2} m = f32[3,16,96] multiply(d, sb)";
  const std::string blocks =
      "f32[1,96] dot(x, m), lhs_contracting_dims={1,2}, rhs_contracting_dims={0,1}";
  EXPECT_EQ(width("s8[48,96]", "f32[1,3,16]", "v = s8[3,16,96] reshape(w) " + scaled, blocks), 48);
  // Two rows; other orders; matrices that are not made element by element, or read twice.
  EXPECT_EQ(width("s8[40,128]", "f32[2,40]", converted,
                  "f32[2,128] dot(x, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            0);
  EXPECT_EQ(width("s8[128,40]", "f32[1,40]", "m = f32[128,40] convert(w)",
                  "f32[1,128] dot(x, m), lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
            0);
  EXPECT_EQ(width("s8[128,40]", "f32[1,40]",
                  "t = s8[40,128] transpose(w), dimensions={1,0} m = f32[40,128] convert(t)", dot),
            0);
  // Two numbers of 4 bits become one of 8, in an array of another rank.
  EXPECT_EQ(width("s4[40,128,2]", "f32[1,40]",
                  "b = s8[40,128] bitcast-convert(w) m = f32[40,128] convert(b)", dot),
            0);
  EXPECT_EQ(width("s8[40,128]", "f32[1,40]", converted, "f32[40,128] negate(m) d = " + dot), 0);
}

TEST(PackFactors, LeavesOthersAlone) {
  // Too many zeros would fill up the last panel.
  EXPECT_EQ(WidthAfterPacking(Program("f32[40,50]", "f32[5,40]",
                                      "f32[5,50] dot(x, w), lhs_contracting_dims={1}, "
                                      "rhs_contracting_dims={0}")),
            0);
  // A batch dimension.
  EXPECT_EQ(WidthAfterPacking(Program("f32[3,40,64]", "f32[3,5,40]",
                                      "f32[3,5,64] dot(x, w), lhs_batch_dims={0}, "
                                      "rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                                      "rhs_contracting_dims={1}")),
            0);
  // Groups read different features.
  EXPECT_EQ(WidthAfterPacking(Program("f32[3,3,4,64]", "f32[1,5,5,8]",
                                      "f32[1,3,3,64] convolution(x, w), window={size=3x3}, "
                                      "dim_labels=b01f_01io->b01f, feature_group_count=2")),
            0);
  // Something else reads the weights.
  EXPECT_EQ(WidthAfterPacking(Program("f32[40,64]", "f32[5,40]",
                                      "f32[40,64] negate(w) d = f32[5,64] dot(x, w), "
                                      "lhs_contracting_dims={1}, rhs_contracting_dims={0}")),
            0);
}

}  // namespace
}  // namespace halyard::lowering
