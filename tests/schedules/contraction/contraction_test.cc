// Tests the forms that products and convolutions take on GPUs, against the evaluator on a Vulkan
// device, and as CUDA kernels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/substitute.h"
#include "lowering/kernels/contraction/tile_dot.h"
#include "tests/sample.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Dot(const std::string& a, const std::string& b, const std::string& result,
                const std::string& dims) {
  return absl::StrCat("HloModule m\nENTRY e { a = ", a, " parameter(0) b = ", b,
                      " parameter(1) ROOT r = ", result, " dot(a, b), ", dims, " }");
}

const char kPlain[] = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
const char kNone[] = "lhs_contracting_dims={}, rhs_contracting_dims={}";

const std::string kProduct = Dot("f32[64,96]", "f32[96,64]", "f32[64,64]", kPlain);
const std::string kLarge = Dot("f32[128,24]", "f32[24,128]", "f32[128,128]", kPlain);
const std::string kOdd = Dot("f32[70,51]", "f32[51,100]", "f32[70,100]", kPlain);
const std::string kTransposedLeft = Dot("f32[96,64]", "f32[96,64]", "f32[64,64]",
                                        "lhs_contracting_dims={0}, rhs_contracting_dims={0}");
const std::string kTransposedRight = Dot("f32[64,96]", "f32[64,96]", "f32[64,64]",
                                         "lhs_contracting_dims={1}, rhs_contracting_dims={1}");
const std::string kVector = Dot("f32[1,96]", "f32[96,64]", "f32[1,64]", kPlain);
const std::string kBatched = Dot("f32[3,64,96]", "f32[3,96,64]", "f32[3,64,64]",
                                 "lhs_batch_dims={0}, rhs_batch_dims={0}, "
                                 "lhs_contracting_dims={2}, rhs_contracting_dims={1}");
const std::string kBf16 = Dot("bf16[64,96]", "bf16[96,64]", "bf16[64,64]", kPlain);
const std::string kF16 = Dot("f16[64,96]", "f16[96,64]", "f16[64,64]", kPlain);
const std::string kF64 = Dot("f64[64,96]", "f64[96,64]", "f64[64,64]", kPlain);
const std::string kS8 = Dot("s8[64,96]", "s8[96,64]", "s32[64,64]", kPlain);
const std::string kConvolution =
    "HloModule m\nENTRY e { a = f32[2,33,33,20] parameter(0) w = f32[3,3,20,36] parameter(1) ROOT "
    "c "
    "= f32[2,33,33,36] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
    "dim_labels=b01f_01io->b01f }";
const std::string kStrided = absl::StrReplaceAll(
    kConvolution, {{"f32[2,33,33,20]", "f32[2,65,65,20]"}, {"pad=", "stride=2x2 pad="}});
const std::string kPointwise = absl::StrReplaceAll(
    kConvolution, {{"f32[3,3,20,36]", "f32[1,1,20,36]"}, {"size=3x3 pad=1_1x1_1", "size=1x1"}});
const std::string kDepthwise =
    "HloModule m\nENTRY e { a = f32[2,9,9,40] parameter(0) w = f32[3,3,1,40] parameter(1) ROOT c = "
    "f32[2,9,9,40] convolution(a, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
    "feature_group_count=40 }";
const std::string kWithEpilogue =
    "HloModule m\nENTRY e { a = f32[64,96] parameter(0) b = f32[96,64] parameter(1) c = f32[64] "
    "parameter(2) z = f32[] constant(0) d = f32[64,64] dot(a, b), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0} bc = f32[64,64] broadcast(c), dimensions={1} s = f32[64,64] add(d, "
    "bc) zb = f32[64,64] broadcast(z), dimensions={} ROOT r = f32[64,64] maximum(s, zb) }";

struct Case {
  const char* name;
  const std::string* hlo;
  std::string schedule;  // "": the default
  double tolerance = 1e-4;
};

const Case kCases[] = {
    {"product", &kProduct, "contraction tile_n=4 tile_m=4 group_n=8 group_m=4 step_k=8"},
    {"parts", &kProduct, "contraction tile_n=4 tile_m=4 group_n=8 group_m=4 step_k=8 parts=4"},
    {"slots", &kProduct, "contraction tile_n=4 tile_m=4 group_n=8 group_m=4 step_k=8 slots=2"},
    {"slots_odd", &kLarge, "contraction tile_n=8 tile_m=8 group_n=16 group_m=16 step_k=8 slots=2"},
    {"slots_tail", &kOdd, "contraction tile_n=8 tile_m=2 group_n=4 group_m=16 step_k=4 slots=2"},
    {"slots_parts", &kBatched,
     "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=16 parts=2 slots=2"},
    {"slots_window", &kConvolution,
     "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=4 slots=2"},
    {"large_tiles", &kLarge, "contraction tile_n=8 tile_m=8 group_n=16 group_m=16 step_k=8"},
    {"scalars", &kProduct, "contraction tile_n=2 tile_m=8 group_n=16 group_m=8 step_k=32"},
    {"direct", &kProduct, "contraction tile_n=3 tile_m=8 group_n=8 group_m=1 step_k=0 unroll_k=4"},
    {"direct_parts", &kBatched,
     "contraction tile_n=4 tile_m=4 group_n=8 group_m=1 step_k=0 parts=8 unroll_k=2"},
    {"vector", &kVector, "contraction tile_n=4 tile_m=1 group_n=8 group_m=1 step_k=0 parts=8"},
    {"default_direct", &kProduct, ""},
    {"odd", &kOdd, "contraction tile_n=8 tile_m=2 group_n=4 group_m=16 step_k=4"},
    {"odd_whole_row", &kOdd, "contraction tile_n=4 tile_m=8 group_n=16 group_m=8 step_k=32"},
    {"transposed_left", &kTransposedLeft,
     "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=16"},
    {"transposed_right", &kTransposedRight,
     "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=16"},
    {"batched", &kBatched, "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=16 parts=2"},
    {"bf16", &kBf16, "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=16", 1e-2},
    {"f16", &kF16, "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=16", 1e-2},
    {"f64", &kF64, "contraction tile_n=2 tile_m=4 group_n=8 group_m=8 step_k=16"},
    {"s8", &kS8, "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=16", 0},
    {"convolution", &kConvolution, "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=4"},
    {"strided", &kStrided, "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=8"},
    {"pointwise", &kPointwise, "contraction tile_n=4 tile_m=4 group_n=8 group_m=8 step_k=4"},
    {"depthwise", &kDepthwise, "window threads=32 tile=1"},
    {"depthwise_tiles", &kDepthwise, "window threads=32 tile=4"},
    {"epilogue", &kWithEpilogue, "contraction tile_n=4 tile_m=4 group_n=8 group_m=4 step_k=8"},
};

// The vector factor is read where it lies, or from panels; some tiles do not divide the extents.
TEST(X86Contraction, AgreesWithEvaluator) {
  for (const std::string* hlo :
       {&kProduct, &kOdd, &kTransposedLeft, &kTransposedRight, &kVector, &kBatched, &kBf16, &kF64,
        &kS8, &kConvolution, &kStrided, &kPointwise, &kWithEpilogue}) {
    const double tolerance = hlo == &kS8 ? 0 : hlo == &kBf16 ? 1e-2 : 1e-4;
    for (const char* schedule : {"contraction pack=0", "contraction pack=1"})
      EXPECT_EQ(CheckKernel(*hlo, "x86", tolerance, schedule), "") << *hlo << schedule;
    if (hlo == &kVector) continue;
    // With AVX2, a tile has at most 16 numbers of 64 bits.
    for (const char* schedule : {"contraction tile_n=16 tile_m=3 block_m=8 pack=1",
                                 hlo == &kF64 ? "contraction tile_n=16 tile_m=5 block_m=16 pack=0"
                                              : "contraction tile_n=32 tile_m=5 block_m=16 pack=0"})
      EXPECT_EQ(CheckKernel(*hlo, "x86", tolerance, schedule), "") << *hlo << schedule;
  }
  // This factor is too large to be read where it lies.
  EXPECT_EQ(CheckKernel(Dot("f32[40,300]", "f32[300,512]", "f32[40,512]", kPlain), "x86", 1e-4),
            "");
}

// Walks outputs in every order: panel by panel, and several rows of an image with one panel.
TEST(X86Contraction, WalksAgreeWithEvaluator) {
  for (const std::string* hlo : {&kConvolution, &kStrided, &kBatched, &kOdd}) {
    const bool image = hlo == &kConvolution || hlo == &kStrided;
    for (const char* walk : {"pack=0 by_panel=1", "pack=1 by_panel=1"})
      EXPECT_EQ(CheckKernel(*hlo, "x86", 1e-4, absl::StrCat("contraction ", walk)), "") << *hlo;
    for (const char* walk : {"pack=0 rows=4", "pack=1 rows=8", "pack=1 rows=16 by_panel=1",
                             "tile_n=16 tile_m=3 block_m=8 pack=0 rows=33"}) {
      if (!image) continue;
      EXPECT_EQ(CheckKernel(*hlo, "x86", 1e-4, absl::StrCat("contraction ", walk)), "") << walk;
    }
  }
}

// Constant weights in the layout that a pass makes: whole panels, and a last one that is filled up.
TEST(X86Contraction, PackedWeightsAgreeWithEvaluator) {
  size_t number = 0;
  const std::string whole =
      "HloModule m\nENTRY e { a = f32[70,51] parameter(0) p = f32[3,51,32] parameter(1) t = "
      "f32[51,3,32] transpose(p), dimensions={1,0,2} w = f32[51,96] reshape(t), "
      "frontend_attributes={packed_factor=\"true\"} ROOT r = f32[70,96] dot(a, w), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
  const std::string filled_up = absl::StrReplaceAll(
      whole, {{"ROOT r = f32[70,96] dot(a, w)",
               "s = f32[51,90] slice(w), slice={[0:51], [0:90]} ROOT r = f32[70,90] dot(a, s)"}});
  const std::string image =
      "HloModule m\nENTRY e { a = f32[2,9,11,20] parameter(0) p = f32[2,3,3,20,32] parameter(1) t "
      "= "
      "f32[3,3,20,2,32] transpose(p), dimensions={1,2,3,0,4} w = f32[3,3,20,64] reshape(t), "
      "frontend_attributes={packed_factor=\"true\"} ROOT c = f32[2,9,11,64] convolution(a, w), "
      "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f }";
  for (const std::string* hlo : {&whole, &filled_up, &image}) {
    for (const char* schedule : {"", "contraction pack=1", "contraction tile_n=16 tile_m=5",
                                 "contraction tile_n=8 tile_m=3 by_panel=1"}) {
      EXPECT_EQ(CheckKernel(*hlo, "x86", 1e-4, schedule), "") << *hlo << schedule;
      // Every second one without $HALYARD_ALL_CASES.
      if (!AllCases() && number++ % 2 != 0) continue;
      EXPECT_EQ(CheckKernel(*hlo, "x86:v3", 1e-4, schedule), "") << *hlo << schedule;
    }
    ++number;  // the next one has the other schedules
    // Vectors never cross the end of a panel.
    const auto refused = CompileHlo(*hlo, InfoNamed("x86"), "contraction tile_n=48");
    EXPECT_THAT(refused.status().message(), HasSubstr("tile_n=48 is not possible here"));
  }
}

// Of weights that no cache holds, a panel gives all its outputs before the next one. Tiles of
// others go by blocks of rows.
TEST(X86Contraction, LargeWeightsGoByPanels) {
  auto product = [](int m, int k, int panels) {
    return absl::Substitute(
        "HloModule m\nENTRY e { a = f32[$0,$1] parameter(0) p = f32[$2,$1,32] parameter(1) "
        "t = f32[$1,$2,32] transpose(p), dimensions={1,0,2} w = f32[$1,$3] reshape(t), "
        "frontend_attributes={packed_factor=\"true\"} ROOT r = f32[$0,$3] dot(a, w), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
        m, k, panels, panels * 32);
  };
  for (const auto& [hlo, by_panel] :
       {std::pair(product(4096, 4096, 128), true), std::pair(product(2048, 2048, 64), true),
        std::pair(product(1024, 1024, 32), false), std::pair(product(16384, 512, 16), false)}) {
    const auto chosen = CompileHlo(hlo, InfoNamed("x86:v4"));
    ASSERT_TRUE(chosen.ok()) << chosen.status();
    EXPECT_THAT(chosen->schedule, HasSubstr(by_panel ? "by_panel=1" : "by_panel=0")) << hlo;
  }
}

// If channels come before the image, vectors cross its rows.
std::string ChannelsFirst(const std::string& image, const std::string& filter,
                          const std::string& result, const std::string& window) {
  const bool volume = std::count(image.begin(), image.end(), ',') == 4;
  return absl::StrCat("HloModule m\nENTRY e { a = ", image, " parameter(0) w = ", filter,
                      " parameter(1) ROOT c = ", result, " convolution(a, w), window={", window,
                      "}, dim_labels=", volume ? "bf012_oi012->bf012" : "bf01_oi01->bf01", " }");
}

TEST(X86Contraction, MergesRowsOfSmallImages) {
  const std::string small =
      ChannelsFirst("f32[2,40,7,7]", "f32[48,40,3,3]", "f32[2,48,7,7]", "size=3x3 pad=1_1x1_1");
  // Without padding, panels are read from the argument, and must not pass its end.
  const std::string valid =
      ChannelsFirst("f32[1,24,9,11]", "f32[50,24,3,3]", "f32[1,50,7,9]", "size=3x3");
  const std::string strided =
      ChannelsFirst("f32[2,16,11,11]", "f32[64,16,3,3]", "f32[2,64,5,5]", "size=3x3 stride=2x2");
  const std::string volume =
      ChannelsFirst("f32[1,8,5,6,7]", "f32[48,8,2,2,2]", "f32[1,48,4,5,6]", "size=2x2x2");
  const std::string narrow =
      ChannelsFirst("s8[1,32,7,7]", "s8[48,32,3,3]", "s32[1,48,7,7]", "size=3x3 pad=1_1x1_1");
  const std::string epilogue = absl::StrReplaceAll(
      small, {{"ROOT c =",
               "b = f32[48] parameter(2) bb = f32[2,48,7,7] broadcast(b), "
               "dimensions={1} c ="},
              {"->bf01 }",
               "->bf01 s = f32[2,48,7,7] add(c, bb) t = f32[2,48,7,7] tanh(s) ROOT r "
               "= f32[2,48,7,7] multiply(t, s) }"}});
  const bool tiles = lowering::MultipliesTiles(InfoNamed("x86"));
  for (const std::string* hlo : {&small, &valid, &strided, &volume, &narrow, &epilogue}) {
    const double tolerance = hlo == &narrow ? 0 : 1e-4;
    for (const char* schedule :
         {"", "contraction pack=2", "contraction tile_n=4 tile_m=7 block_m=32 pack=1",
          "contraction tile_n=16 tile_m=3 block_m=8 pack=2",
          "contraction tile_n=32 tile_m=5 block_m=16 pack=2",
          "contraction tile_n=4 tile_m=4 block_m=16 pack=0"}) {
      // AMX, the default where the CPU has it, needs wider tiles.
      const bool vectors = tiles && hlo == &narrow && absl::StrContains(schedule, "tile_n=4 ");
      const std::string line = absl::StrCat(schedule, vectors ? " words=1" : "");
      EXPECT_EQ(CheckKernel(*hlo, "x86", tolerance, line), "") << *hlo << line;
    }
    EXPECT_EQ(CheckKernel(*hlo, "x86:v3", tolerance, "contraction pack=2"), "") << *hlo;
  }
  auto chosen = CompileHlo(small, InfoNamed("x86"));
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_THAT(chosen->schedule, HasSubstr("pack=2"));
  auto refused = CompileHlo(small, InfoNamed("x86"), "contraction tile_n=16 pack=1");
  EXPECT_THAT(refused.status().message(), HasSubstr("tile_n is more than a row"));
  // The rows of a tile that the task does not have would be read behind the factor's end.
  refused = CompileHlo(kProduct, InfoNamed("x86"), "contraction tile_m=6 block_m=4");
  EXPECT_THAT(refused.status().message(), HasSubstr("tile_m is more than block_m"));
  refused = CompileHlo(kProduct, InfoNamed("x86"), "contraction pack=2");
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(refused.status().message(), HasSubstr("choices: 0, 1"));
}

// Returns the program with other types of the two factors and of the result.
std::string WithTypes(const std::string& hlo, const std::string& left, const std::string& right,
                      const std::string& result) {
  return absl::StrReplaceAll(hlo, {{"a = f32", absl::StrCat("a = ", left)},
                                   {"b = f32", absl::StrCat("b = ", right)},
                                   {"w = f32", absl::StrCat("w = ", right)},
                                   {"r = f32", absl::StrCat("r = ", result)},
                                   {"c = f32", absl::StrCat("c = ", result)}});
}

// Without instructions for their words, narrow floats are converted where they are packed, and
// those of the broadcast factor before all tasks.
TEST(X86Contraction, NarrowFloatsAgreeWithEvaluator) {
  const std::string same =
      ChannelsFirst("f32[2,20,9,70]", "f32[36,20,3,3]", "f32[2,36,9,70]", "size=3x3 pad=1_1x1_1");
  const std::string small =
      ChannelsFirst("f32[2,20,7,7]", "f32[48,20,3,3]", "f32[2,48,7,7]", "size=3x3 pad=1_1x1_1");
  const std::string valid = absl::StrReplaceAll(
      kConvolution, {{"pad=1_1x1_1", ""}, {"f32[2,33,33,36]", "f32[2,31,31,36]"}});
  const std::string cropped = absl::StrReplaceAll(
      kConvolution, {{"pad=1_1x1_1", "pad=-2_0x0_-1"}, {"f32[2,33,33,36]", "f32[2,29,30,36]"}});
  const std::string widened =
      "HloModule m\nENTRY e { a = f16[40,51] parameter(0) b = s8[51,100] parameter(1) x = "
      "f32[40,51] "
      "convert(a) y = f32[51,100] convert(b) ROOT r = f32[40,100] dot(x, y), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
  for (const char* schedule : {"", "contraction pack=0", "contraction pack=1"})
    EXPECT_EQ(CheckKernel(widened, "x86", 1e-3, schedule), "") << schedule;
  // Few terms, and few channels of images without padding or with fewer places than there are: what
  // is copied in vectors of rows or places must end with the array.
  const std::string few = Dot("f16[5,19,8]", "f16[5,8,96]", "f32[5,19,96]",
                              "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                              "rhs_contracting_dims={1}");
  const std::string channels =
      "HloModule m\nENTRY e { a = f16[1,9,37,3] parameter(0) w = f16[3,3,3,96] parameter(1) ROOT c "
      "= "
      "f16[1,7,35,96] convolution(a, w), window={size=3x3}, dim_labels=b01f_01io->b01f }";
  const std::string line =
      "HloModule m\nENTRY e { a = f16[1,4097,20] parameter(0) w = f16[3,20,96] parameter(1) ROOT c "
      "= "
      "f16[1,4095,96] convolution(a, w), window={size=3}, dim_labels=b0f_0io->b0f }";
  for (const std::string& hlo :
       {few, channels, line,
        absl::StrReplaceAll(channels, {{"size=3x3", "size=3x3 pad=-1_0x0_-2"},
                                       {"f16[1,7,35,96]", "f16[1,6,33,96]"}})}) {
    for (const char* device : {"x86", "x86:v3"})
      EXPECT_EQ(CheckKernel(hlo, device, 4e-3), "") << hlo << device;
  }
  // One factor is a number: there is no dimension along which to convert it.
  for (const char* type : {"f16", "bf16", "f8e8m0fnu", "f8e4m3fn"}) {
    const std::string vector(std::string(type) + "[3,117]"), scalar(std::string(type) + "[]");
    for (const char* device : {"x86", "x86:v3"}) {
      EXPECT_EQ(CheckKernel(Dot(vector, scalar, vector, kNone), device, 8e-3), "")
          << type << device;
      EXPECT_EQ(CheckKernel(Dot(scalar, vector, vector, kNone), device, 8e-3), "")
          << type << device;
    }
  }
  const struct {
    const char *left, *right, *result;
    double tolerance;
  } types[] = {{"f16", "f16", "f16", 4e-3},
               {"bf16", "bf16", "f32", 1e-3},
               {"f8e4m3fn", "f8e5m2", "f32", 1e-3},
               {"f4e2m1fn", "f8e8m0fnu", "f32", 1e-3}};
  size_t number = 0;
  for (const std::string* hlo :
       {&kOdd, &kTransposedLeft, &kTransposedRight, &kVector, &kBatched, &kConvolution, &kStrided,
        &kPointwise, &same, &small, &valid, &cropped}) {
    for (const auto& t : types) {
      const bool image = absl::StrContains(*hlo, "convolution");
      const std::string typed = WithTypes(*hlo, t.left, t.right, t.result);
      for (const char* device : {"x86", "x86:v3"}) {
        for (const char* schedule : {"", "contraction pack=0", "contraction pack=1"}) {
          if (hlo == &small && *schedule != 0) continue;  // pack=2 is its default
          // Every fifth one without $HALYARD_ALL_CASES, which comes to all types and forms.
          if (!AllCases() && number++ % 5 != 0) continue;
          EXPECT_EQ(CheckKernel(typed, device, image ? 4 * t.tolerance : t.tolerance, schedule), "")
              << typed << schedule << device;
        }
      }
    }
  }
}

// The loop over terms has no conversions, unless so few tiles read the broadcast factor that making
// a copy of it takes as long.
TEST(X86Contraction, ConvertsNarrowFloatsBeforeTheyAreMultiplied) {
  const auto stmt = [](const std::string& hlo, const char* device) {
    const auto reply = CompileHlo(hlo, InfoNamed(device), "", {}, /*dump=*/true);
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? reply->dump.stmt : "";
  };
  const std::string product = Dot("f32[64,96]", "f32[96,256]", "f32[64,256]", kPlain);
  for (const char* type : {"f16", "f8e4m3fn"}) {
    const std::string text = stmt(WithTypes(product, type, type, "f32"), "x86:v3");
    EXPECT_THAT(text, HasSubstr("allocate wide[float32")) << type;
    EXPECT_THAT(text, HasSubstr("allocate packed[float32")) << type;
  }
  EXPECT_THAT(stmt(WithTypes(kConvolution, "f16", "f16", "f16"), "x86"),
              HasSubstr("allocate padded[float32"));
  const std::string few = Dot("f16[512,96]", "f16[96,8]", "f16[512,8]", kPlain);
  EXPECT_THAT(stmt(few, "x86"), Not(HasSubstr("allocate wide")));
}

class GpuContraction : public ::testing::TestWithParam<Case> {};

TEST_P(GpuContraction, AgreesWithEvaluator) {
  if (DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan device here";
  const Case& test = GetParam();
  EXPECT_EQ(CheckKernel(*test.hlo, "vulkan", test.tolerance, test.schedule), "");
}

TEST_P(GpuContraction, AgreesWithEvaluatorOnCuda) {
  if (DeviceNamed("cuda") == nullptr) GTEST_SKIP() << "no CUDA device here, nor a fake one";
  const Case& test = GetParam();
  EXPECT_EQ(CheckKernel(*test.hlo, "cuda", test.tolerance, test.schedule), "");
}

INSTANTIATE_TEST_SUITE_P(All, GpuContraction, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

runtime::DeviceInfo CudaDevice(int32_t capability) {
  runtime::DeviceInfo info;
  info.kind = runtime::DeviceKind::kCuda;
  info.cuda_capability = capability;
  info.compute_units = 132;
  info.subgroup_size = 32;
  info.max_threads_per_group = 1024;
  info.max_group[0] = info.max_group[1] = 1024;
  info.max_group[2] = 64;
  info.max_grid[0] = INT32_MAX;
  info.max_grid[1] = info.max_grid[2] = 65535;
  info.max_shared_bytes = 48 << 10;
  info.max_storage_range_bytes = uint64_t{1} << 40;
  info.max_storage_buffers = 64;
  info.max_allocation_bytes = uint64_t{1} << 36;
  info.has_f64 = info.has_f16 = info.has_i64 = info.has_i16 = info.has_i8 = true;
  return info;
}

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// In a large product, every factor's element is read from shared memory once for 8 multiply-adds,
// four at a time, and the accumulators are registers.
TEST(CudaContraction, LargeProductsUseSharedMemoryAndRegisters) {
  const std::string hlo = Dot("f32[2048,1024]", "f32[1024,2048]", "f32[2048,2048]", kPlain);
  const auto reply = CompileHlo(hlo, CudaDevice(90), "", {}, /*dump=*/true);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_NE(reply->schedule.find("tile_n=8 tile_m=8 group_n=16 group_m=16"), std::string::npos)
      << reply->schedule;
  const std::string& ptx = reply->dump.assembly;
  const int multiply_adds = Count(ptx, "fma.rn.f32");
  EXPECT_GE(multiply_adds, 512);
  EXPECT_EQ(Count(ptx, "ld.shared.v4") * 16, multiply_adds);
  EXPECT_EQ(Count(ptx, "ld.shared"), Count(ptx, "ld.shared.v4"));
  EXPECT_EQ(Count(ptx, ".local"), 0);
  EXPECT_THAT(reply->schedule, HasSubstr("slots=2"));
  EXPECT_THAT(reply->schedule, HasSubstr("registers=128"));
  // A turn is two steps with a barrier each; there are more after the first copy and around it.
  EXPECT_EQ(multiply_adds, 1024);
  EXPECT_LE(Count(ptx, "bar.sync"), 5);
  // The loads of the next step come before the arithmetic of this one.
  const size_t loop = ptx.find("pipelined_slots");
  EXPECT_LT(ptx.find("ld.global", loop), ptx.find("fma.rn.f32", loop));
  // Its stores come after the arithmetic, and a barrier after them.
  EXPECT_LT(ptx.find("fma.rn.f32", loop), ptx.find("st.shared", loop));
  EXPECT_LT(ptx.find("st.shared", loop), ptx.find("bar.sync", loop));
}

// 128 groups on 132 units: a limit would make room for a second group of a unit that never comes.
TEST(CudaContraction, RegistersAreLimitedOnlyWhereAUnitHasSeveralGroups) {
  const std::string hlo = Dot("f32[1024,1024]", "f32[1024,1024]", "f32[1024,1024]", kPlain);
  const auto reply = CompileHlo(hlo, CudaDevice(86), "", {}, /*dump=*/true);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, HasSubstr("tile_n=8 tile_m=8 group_n=16 group_m=16"));
  EXPECT_THAT(reply->schedule, HasSubstr("parts=2"));
  EXPECT_THAT(reply->schedule, HasSubstr("registers=0"));
  EXPECT_EQ(reply->resources.spilled_bytes, 0);
  // The limit is a directive and nothing else: every value, NaN, infinity or -0 too, is the same.
  const auto limited =
      CompileHlo(hlo, CudaDevice(86),
                 absl::StrReplaceAll(reply->schedule, {{"registers=0", "registers=128"}}), {},
                 /*dump=*/true);
  ASSERT_TRUE(limited.ok()) << limited.status();
  auto instructions = [](const std::string& ptx) {
    std::vector<std::string> lines = absl::StrSplit(ptx, '\n');
    std::erase_if(lines, [](const std::string& line) {
      return absl::StartsWith(line, ".maxnreg") || absl::StartsWith(line, ".minnctapersm");
    });
    return lines;
  };
  EXPECT_EQ(instructions(limited->dump.assembly), instructions(reply->dump.assembly));
}

TEST(CudaContraction, DefaultsAreAssembled) {
  for (const std::string* hlo : {&kOdd, &kTransposedRight, &kBf16, &kS8, &kConvolution}) {
    const auto reply = CompileHlo(*hlo, CudaDevice(80), "", {}, /*dump=*/true);
    ASSERT_TRUE(reply.ok()) << *hlo << reply.status();
    EXPECT_EQ(reply->schedule.find("step_k=0"), std::string::npos) << reply->schedule;
    EXPECT_EQ(Count(reply->dump.assembly, ".local"), 0) << *hlo;
  }
}

TEST(CudaContraction, AScheduleMayLimitTheRegistersOfAThread) {
  const std::string schedule =
      "contraction tile_n=8 tile_m=8 group_n=16 group_m=16 step_k=8 registers=";
  auto registers = [&](int limit) {
    const auto reply = CompileHlo(kLarge, CudaDevice(90), absl::StrCat(schedule, limit), {}, true);
    EXPECT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(Count(reply->dump.assembly, absl::StrCat(".maxnreg ", limit)), limit == 0 ? 0 : 1);
    return reply->resources.registers;
  };
  const int64_t free = registers(0);
  EXPECT_GT(free, 96);
  EXPECT_LE(registers(96), 96);
  EXPECT_LE(registers(64), 64);
  // ptxas chooses among the numbers below a limit, so it may take more than without a limit.
  EXPECT_LE(registers(168), 168);
  // Other devices have no such knob.
  const auto reply = CompileHlo(kLarge, InfoNamed("x86"), "contraction registers=64");
  EXPECT_THAT(reply.status().message(), HasSubstr("has no knob registers here"));
}

TEST(CudaContraction, ADeviceWithLittleSharedMemoryHasADefaultToo) {
  runtime::DeviceInfo device = CudaDevice(80);
  device.max_shared_bytes = 16 << 10;
  device.max_threads_per_group = device.max_group[0] = device.max_group[1] = 128;
  const std::string hlo = Dot("f32[2048,1024]", "f32[1024,2048]", "f32[2048,2048]", kPlain);
  const auto reply = CompileHlo(hlo, device);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_EQ(reply->schedule.find("step_k=0"), std::string::npos) << reply->schedule;
}

TEST(CudaContraction, SchedulesThatDoNotFitAreRefused) {
  const auto reply = CompileHlo(kProduct, CudaDevice(80),
                                "contraction tile_n=8 tile_m=8 group_n=32 group_m=8 step_k=8");
  ASSERT_FALSE(reply.ok());
  EXPECT_NE(reply.status().message().find("a block of 256x64 is larger than the result"),
            std::string::npos)
      << reply.status();
}

}  // namespace
}  // namespace halyard::testing
