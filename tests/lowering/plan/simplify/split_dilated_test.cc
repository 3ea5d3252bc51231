// Convolutions of dilated operands, split into phases, beside the evaluator on the program as it
// was. All sums are exact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/plan/passes.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

constexpr DilatedLimits kAll{.products = 0, .terms = 0};

std::complex<double> ValueAt(const Literal& array, int64_t i) {
  return hlo::IsComplex(array.shape().element_type()) ? array.GetComplex(i) : array.GetAsDouble(i);
}

std::vector<const Instruction*> ConvolutionsOf(const hlo::Module& module) {
  std::vector<const Instruction*> found;
  for (const auto& inst : module.entry()->instructions()) {
    if (inst->opcode == Opcode::kConvolution) found.push_back(inst.get());
  }
  return found;
}

bool HasHoles(const Instruction& convolution) {
  const auto& dims = convolution.GetWindow().dims;
  return std::any_of(dims.begin(), dims.end(),
                     [](const hlo::WindowDim& dim) { return dim.base_dilation != 1; });
}

// Returns the program after it was split, and checks that it computes the same.
std::unique_ptr<hlo::Module> Split(const std::string& text, const DilatedLimits& limits = kAll) {
  const std::unique_ptr<hlo::Module> before = Parse(text);
  std::unique_ptr<hlo::Module> after = Parse(text);
  bool changed = false;
  EXPECT_TRUE(SplitDilated(*after, limits, &changed).ok());
  EXPECT_TRUE(hlo::VerifyModule(*after).ok()) << hlo::VerifyModule(*after) << text;
  std::vector<Literal> arguments;
  for (const Instruction* parameter : before->entry()->parameters())
    arguments.push_back(ExactNumbers(parameter->shape));
  hlo::Evaluator evaluator;
  const auto want = evaluator.Run(*before, arguments);
  const auto got = evaluator.Run(*after, arguments);
  EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status() << text;
  if (!want.ok() || !got.ok()) return after;
  // Numbers: zeros of either sign are the same.
  for (int64_t i = 0; i < want->shape().NumElements(); ++i) {
    if (ValueAt(*want, i) == ValueAt(*got, i)) continue;
    ADD_FAILURE() << "element " << i << ": " << ValueAt(*got, i) << ", not " << ValueAt(*want, i)
                  << "\n"
                  << text;
    break;
  }
  return after;
}

// The number of convolutions after that.
size_t Phases(const std::string& text, const DilatedLimits& limits = kAll) {
  return ConvolutionsOf(*Split(text, limits)).size();
}

// A convolution of a random image, kernel and window, with `rank` dimensions.
std::string RandomConvolution(std::mt19937& random, int rank) {
  auto up_to = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  const int groups = up_to(1, 2), features = groups * up_to(1, 2), outputs = groups * up_to(1, 2);
  std::string image, kernel, result, size, stride, pad, lhs, rhs, reversal, spatial;
  for (int d = 0; d < rank; ++d) {
    int extent = 0, taps = 0, step = 0, low = 0, high = 0, holes = 0, dilation = 0, room = -1;
    while (room < 0) {
      extent = up_to(1, 5), taps = up_to(1, 5), step = up_to(1, 3), holes = up_to(1, 4);
      dilation = up_to(1, 3), low = up_to(-2, 4), high = up_to(-2, 4);
      room = (extent - 1) * holes + low + high - (taps - 1) * dilation;
    }
    const char* x = d == 0 ? "" : "x";
    absl::StrAppend(&image, extent, ",");
    absl::StrAppend(&kernel, taps, ",");
    absl::StrAppend(&result, room / step + 1, ",");
    absl::StrAppend(&size, x, taps);
    absl::StrAppend(&stride, x, step);
    absl::StrAppend(&pad, x, low, "_", high);
    absl::StrAppend(&lhs, x, holes);
    absl::StrAppend(&rhs, x, dilation);
    absl::StrAppend(&reversal, x, up_to(0, 1));
    absl::StrAppend(&spatial, d);
  }
  return absl::StrCat(
      "HloModule m\nENTRY e { x = f32[2,", image, features, "] parameter(0) w = f32[", kernel,
      features / groups, ",", outputs, "] parameter(1) ROOT c = f32[2,", result, outputs,
      "] convolution(x, w), window={size=", size, " stride=", stride, " pad=", pad,
      " lhs_dilate=", lhs, " rhs_dilate=", rhs, " rhs_reversal=", reversal, "}, dim_labels=b",
      spatial, "f_", spatial, "io->b", spatial, "f, feature_group_count=", groups, " }");
}

TEST(SplitDilated, RandomWindows) {
  std::mt19937 random(20261129);
  int split = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = RandomConvolution(random, 1 + i % 3);
    const bool had = HasHoles(*ConvolutionsOf(*Parse(text))[0]);
    const auto after = Split(text);
    int holes = 0;
    for (const Instruction* convolution : ConvolutionsOf(*after)) holes += HasHoles(*convolution);
    split += had && holes == 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(split, 500);
}

// Types whose bits are joined as others, a dimension that stays dilated (5 × 5 phases are too
// many), and one whose only element has no holes.
TEST(SplitDilated, Types) {
  for (const char* types : {"f32 f32", "f16 f16", "bf16 f32", "f64 f64", "s8 s32", "u64 u64",
                            "c64 c64", "f8e5m2 f32", "s4 s32"}) {
    const std::vector<std::string> type = absl::StrSplit(types, ' ');
    const auto after = Split(
        absl::StrCat("HloModule m\nENTRY e { x = ", type[0], "[1,3,3,2] parameter(0) w = ", type[0],
                     "[5,5,2,3] parameter(1) ROOT c = ", type[1],
                     "[1,11,11,3] convolution(x, w), window={size=5x5 pad=2_2x2_2 lhs_dilate=5x5}, "
                     "dim_labels=b01f_01io->b01f }"));
    EXPECT_EQ(ConvolutionsOf(*after).size(), 5) << types;
    for (const Instruction* convolution : ConvolutionsOf(*after)) {
      EXPECT_EQ(convolution->GetWindow().dims[0].base_dilation, 1);
      EXPECT_EQ(convolution->GetWindow().dims[1].base_dilation, 5);
    }
  }
  EXPECT_EQ(Phases(R"(HloModule m
    ENTRY e { x = f32[1,3,1,2] parameter(0) w = f32[4,9,2,3] parameter(1)
      ROOT c = f32[1,6,9,3] convolution(x, w), window={size=4x9 pad=2_2x8_8 lhs_dilate=2x9},
          dim_labels=b01f_01io->b01f })"),
            2);
}

// [b, f, y, x] and kernels [o, i, y, x], with a constant kernel, which is cut when it is compiled.
TEST(SplitDilated, ConstantsOfOtherOrders) {
  for (const char* reversal : {"", " rhs_reversal=1x0"}) {
    const auto after = Split(absl::StrCat(R"(HloModule m
      ENTRY e { x = s32[1,2,3,2] parameter(0)
        w = s32[1,2,3,2] constant({{{{1,2},{3,4},{5,6}},{{7,8},{9,-1},{-2,-3}}}})
        ROOT c = s32[1,1,6,4] convolution(x, w), window={size=3x2 pad=1_2x1_1 lhs_dilate=2x2)",
                                          reversal, "}, dim_labels=bf01_oi01->bf01 }"));
    EXPECT_EQ(ConvolutionsOf(*after).size(), 4);
    for (const Instruction* convolution : ConvolutionsOf(*after))
      EXPECT_EQ(convolution->operand(1)->opcode, Opcode::kConstant);
  }
}

// The gradient of a 1x1 convolution with stride 2: three of four phases have no term.
TEST(SplitDilated, PhasesWithoutTerms) {
  EXPECT_EQ(Phases(R"(HloModule m
    ENTRY e { x = f32[1,3,3,2] parameter(0) w = f32[1,1,2,3] parameter(1)
      ROOT c = f32[1,6,6,3] convolution(x, w), window={size=1x1 pad=0_1x0_1 lhs_dilate=2x2},
          dim_labels=b01f_01io->b01f })"),
            1);
}

TEST(SplitDilated, BatchesInGroups) {
  EXPECT_EQ(Phases(R"(HloModule m
    ENTRY e { x = f32[4,5,3] parameter(0) w = f32[3,3,4] parameter(1)
      ROOT c = f32[2,10,4] convolution(x, w), window={size=3 pad=1_2 lhs_dilate=2},
          dim_labels=b0f_0io->b0f, batch_group_count=2 })"),
            2);
}

size_t PhasesOfTransposed(int64_t pixels, int64_t features, const DilatedLimits& limits) {
  return Phases(absl::StrCat("HloModule m\nENTRY e { x = f32[1,", pixels, ",", features,
                             "] parameter(0) w = f32[4,", features,
                             ",8] parameter(1) ROOT c = f32[1,", 2 * pixels + 1,
                             ",8] convolution(x, w), window={size=4 pad=2_3 lhs_dilate=2}, "
                             "dim_labels=b0f_0io->b0f }"),
                limits);
}

TEST(SplitDilated, LittleStays) {
  EXPECT_EQ(PhasesOfTransposed(16, 16, {}), 1);    // few products
  EXPECT_EQ(PhasesOfTransposed(20000, 4, {}), 1);  // few terms
  EXPECT_EQ(PhasesOfTransposed(4096, 16, {}), 2);
  EXPECT_EQ(PhasesOfTransposed(4, 4, {.products = 0, .terms = 0, .phases = 1}), 1);
}

}  // namespace
}  // namespace halyard::lowering
