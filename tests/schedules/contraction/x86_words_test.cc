// Tests products of narrow factors by AVX512-VNNI and AVX512-BF16. Any CPU can make the machine
// code, for a described device. Values are compared with the evaluator if this CPU has the
// instructions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo_text/parser.h"
#include "tests/sample.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kLevel4 = runtime::kX86Sse41 | runtime::kX86Avx | runtime::kX86Avx2 |
                             runtime::kX86Fma | runtime::kX86F16c | runtime::kX86Avx512;
constexpr uint64_t kNarrow = kLevel4 | runtime::kX86Avx512Vnni | runtime::kX86Avx512Bf16;
constexpr uint64_t kWithWords = runtime::kX86Zen4 | runtime::kX86SapphireRapids;

runtime::DeviceInfo CpuWith(uint64_t features) {
  runtime::DeviceInfo info = InfoNamed("x86");
  info.x86_features = features;
  return info;
}

std::string Dot(const std::string& a, const std::string& b, const std::string& result,
                const std::string& more = "") {
  return absl::StrCat("HloModule m\nENTRY e { a = ", a, " parameter(0) b = ", b,
                      " parameter(1) ROOT r = ", result,
                      " dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}", more, " }");
}

std::string Convolution(const std::string& image, const std::string& filter,
                        const std::string& result, const std::string& window) {
  return absl::StrCat("HloModule m\nENTRY e { a = ", image, " parameter(0) w = ", filter,
                      " parameter(1) ROOT c = ", result, " convolution(a, w), window={", window,
                      "}, dim_labels=b01f_01io->b01f }");
}

// Returns the product of factors whose types HLO multiplies only once they are widened to s32.
std::string Mixed(const std::string& a, const std::string& b) {
  return absl::StrCat("HloModule m\nENTRY e { a = ", a, "[40,64] parameter(0) b = ", b,
                      "[64,48] parameter(1) x = s32[40,64] convert(a) y = s32[64,48] convert(b) "
                      "ROOT r = s32[40,48] dot(x, y), lhs_contracting_dims={1}, "
                      "rhs_contracting_dims={0} }");
}

struct Case {
  const char* name;
  std::string hlo;
  const char* instruction;  // null if there must be none of them
  double tolerance = 0;
};

std::vector<Case> Cases() {
  const std::string bf16 = Dot("bf16[40,96]", "bf16[96,48]", "f32[40,48]");
  return {
      {"signed_bytes", Dot("s8[40,64]", "s8[64,48]", "s32[40,48]"), "vpdpbusd"},
      {"unsigned_broadcast", Mixed("u8", "s8"), "vpdpbusd"},
      {"unsigned_vector", Mixed("s8", "u8"), "vpdpbusd"},
      {"both_unsigned", Dot("u8[40,64]", "u8[64,48]", "s32[40,48]"), "vpdpwssd"},
      {"halves", Dot("s16[40,64]", "s16[64,48]", "s32[40,48]"), "vpdpwssd"},
      {"byte_and_half", Mixed("s8", "s16"), "vpdpwssd"},
      {"nibbles", Dot("s4[40,64]", "s4[64,48]", "s32[40,48]"), "vpdpbusd"},
      {"widened", Mixed("s8", "s8"), "vpdpbusd"},
      // The last word is filled up.
      {"odd_bytes", Dot("s8[37,51]", "s8[51,70]", "s32[37,70]"), "vpdpbusd"},
      {"odd_halves", Dot("s16[37,51]", "s16[51,70]", "s32[37,70]"), "vpdpwssd"},
      {"odd_bf16", Dot("bf16[37,51]", "bf16[51,70]", "f32[37,70]"), "vdpbf16ps", 1e-4},
      // An image has a narrow axis m, but many places.
      {"narrow_image",
       Convolution("s8[4,7,7,20]", "s8[3,3,20,36]", "s32[4,7,7,36]", "size=3x3 pad=1_1x1_1"),
       "vpdpbusd"},
      // Each step subtracts what it added too much.
      {"few_rows", Dot("s8[6,64]", "s8[64,48]", "s32[6,48]"), "vpdpbusd"},
      {"narrow", Dot("s8[40,64]", "s8[64,5]", "s32[40,5]"), "vpdpbusd"},
      {"bf16", bf16, "vdpbf16ps", 1e-4},
      {"bf16_result", Dot("bf16[40,96]", "bf16[96,48]", "bf16[40,48]"), "vdpbf16ps", 1e-2},
      {"f8", Dot("f8e4m3fn[40,96]", "f8e5m2[96,48]", "f32[40,48]"), "vdpbf16ps", 1e-4},
      {"transposed",
       absl::StrReplaceAll(Dot("bf16[40,96]", "bf16[48,96]", "f32[40,48]"),
                           {{"rhs_contracting_dims={0}", "rhs_contracting_dims={1}"}}),
       "vdpbf16ps", 1e-4},
      {"high_precision",
       absl::StrReplaceAll(bf16, {{" }", ", operand_precision={highest,highest} }"}}), nullptr,
       1e-4},
      {"f32", Dot("f32[40,96]", "f32[96,48]", "f32[40,48]"), nullptr, 1e-4},
      {"f16", Dot("f16[40,96]", "f16[96,48]", "f32[40,48]"), nullptr, 1e-3},
      {"padded",
       Convolution("s8[2,9,19,20]", "s8[3,3,20,36]", "s32[2,9,19,36]", "size=3x3 pad=1_1x1_1"),
       "vpdpbusd"},
      {"strided",
       Convolution("bf16[1,17,35,3]", "bf16[7,7,3,32]", "f32[1,9,18,32]",
                   "size=7x7 stride=2x2 pad=3_3x3_3"),
       "vdpbf16ps", 1e-4},
      {"pointwise", Convolution("s8[2,9,19,20]", "s8[1,1,20,36]", "s32[2,9,19,36]", "size=1x1"),
       "vpdpbusd"},
      {"channels_first",
       "HloModule m\nENTRY e { a = s8[1,32,7,7] parameter(0) w = s8[48,32,3,3] parameter(1) ROOT c "
       "= s32[1,48,7,7] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
       "dim_labels=bf01_oi01->bf01 }",
       "vpdpbusd"},
  };
}

// Without $HALYARD_ALL_CASES (tests/sample.h), the two devices of each of these tests take turns.
TEST(X86Words, InstructionsAreThereWhereTheDeviceHasThem) {
  size_t turn = 0;
  for (uint64_t core : {runtime::kX86Zen4, runtime::kX86SapphireRapids}) {
    size_t number = turn++;
    for (const Case& c : Cases()) {
      if (!AllCases() && number++ % 2 != 0) continue;
      const auto reply = CompileHlo(c.hlo, CpuWith(kNarrow | core), "", {}, /*dump=*/true);
      ASSERT_TRUE(reply.ok()) << c.name << reply.status();
      for (const char* name : {"vpdpbusd", "vpdpwssd", "vdpbf16ps"}) {
        const bool wanted = c.instruction != nullptr && std::string(name) == c.instruction;
        if (wanted) {
          EXPECT_THAT(reply->dump.assembly, HasSubstr(name)) << c.name;
          EXPECT_THAT(reply->schedule, HasSubstr("words=1")) << c.name;
        } else {
          EXPECT_THAT(reply->dump.assembly, Not(HasSubstr(name))) << c.name;
        }
      }
    }
  }
}

TEST(X86Words, OtherDevicesHaveNone) {
  size_t turn = 0;
  for (uint64_t features : {kLevel4, kNarrow}) {
    size_t number = turn++;
    for (const Case& c : Cases()) {
      if (!AllCases() && number++ % 2 != 0) continue;
      const auto reply = CompileHlo(c.hlo, CpuWith(features), "", {}, /*dump=*/true);
      ASSERT_TRUE(reply.ok()) << c.name << reply.status();
      EXPECT_THAT(reply->dump.assembly, Not(HasSubstr("vpdp"))) << c.name;
      EXPECT_THAT(reply->dump.assembly, Not(HasSubstr("vdpbf16"))) << c.name;
      EXPECT_THAT(reply->schedule, Not(HasSubstr("words"))) << c.name;
    }
  }
  const auto refused =
      CompileHlo(Cases()[0].hlo, CpuWith(kLevel4), "contraction tile_n=16 words=1");
  EXPECT_FALSE(refused.ok());
}

class X86WordsHere : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!(InfoNamed("x86").x86_features & kWithWords))
      GTEST_SKIP() << "this CPU has no AVX512-VNNI and AVX512-BF16 of Zen 4 or Sapphire Rapids";
  }
};

TEST_F(X86WordsHere, AgreeWithEvaluator) {
  for (const Case& c : Cases()) {
    const bool narrow = std::string(c.name) == "narrow";
    for (const char* schedule : {"", "contraction tile_n=16 tile_m=3 block_m=8",
                                 "contraction tile_n=32 tile_m=5 block_m=16 by_panel=1",
                                 "contraction tile_n=4 tile_m=4 block_m=16"}) {
      const bool small = c.name == std::string("few_rows") || c.name == std::string("narrow_image");
      if (small && *schedule != 0) continue;  // it has no such blocks
      if (narrow && std::string(schedule).find("tile_n=") < 64 &&
          std::string(schedule).find("tile_n=4 ") > 64) {
        continue;  // wider than the product
      }
      // A CPU with AMX would take tiles, for which some blocks are too narrow.
      const bool words = *schedule != 0 && c.instruction != nullptr;
      const std::string line = absl::StrCat(schedule, words ? " words=1" : "");
      EXPECT_EQ(CheckKernel(c.hlo, "x86", c.tolerance, line), "") << c.name << line;
    }
  }
}

// Constant weights in the layout that a pass makes are read in place, and are also packed again.
TEST_F(X86WordsHere, PanelsOfWordsAgreeWithEvaluator) {
  const std::string whole =
      "HloModule m\nENTRY e { a = s8[70,52] parameter(0) p = s8[3,13,32,4] parameter(1) t = "
      "s8[13,4,3,32] transpose(p), dimensions={1,3,0,2} w = s8[52,96] reshape(t), "
      "frontend_attributes={packed_factor=\"true\"} ROOT r = s32[70,96] dot(a, w), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
  const std::string filled_up = absl::StrReplaceAll(
      whole, {{"ROOT r = s32[70,96] dot(a, w)",
               "s = s8[52,90] slice(w), slice={[0:52], [0:90]} ROOT r = s32[70,90] dot(a, s)"}});
  const std::string image =
      "HloModule m\nENTRY e { a = bf16[2,9,19,20] parameter(0) p = bf16[2,3,3,10,32,2] "
      "parameter(1) t = bf16[3,3,10,2,2,32] transpose(p), dimensions={1,2,3,5,0,4} w = "
      "bf16[3,3,20,64] reshape(t), frontend_attributes={packed_factor=\"true\"} ROOT c = "
      "bf16[2,9,19,64] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
      "dim_labels=b01f_01io->b01f }";
  const std::string vector = absl::StrReplaceAll(whole, {{"[70,", "[1,"}});
  for (const std::string* hlo : {&whole, &filled_up, &image, &vector}) {
    const double tolerance = hlo == &image ? 1e-2 : 0;
    for (const std::string schedule :
         {"", "contraction pack=1", "contraction tile_n=16 tile_m=5", "contraction words=1",
          "contraction tile_n=8 tile_m=3 by_panel=1 words=1", "contraction words=0"}) {
      if (hlo == &vector && absl::StrContains(schedule, "tile_m")) continue;
      EXPECT_EQ(CheckKernel(*hlo, "x86", tolerance, schedule), "") << *hlo << schedule;
    }
    runtime::DeviceInfo device = InfoNamed("x86");
    device.x86_features &= ~uint64_t{runtime::kX86Amx};  // for tiles, see x86_tiles_test.cc
    const auto reply = CompileHlo(*hlo, device, "", {}, /*dump=*/true);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("pack=0"));
    EXPECT_THAT(reply->schedule, HasSubstr("words=1"));
    EXPECT_THAT(reply->dump.stmt, Not(HasSubstr("packed"))) << *hlo;
  }
}

// Weights whose output features are not neighbours would be gathered for every row of the image. A
// panel of them serves several rows, however short these are.
TEST(X86Contraction, PanelsOfStridedWeightsServeSeveralRows) {
  auto convolution = [](const char* weights, const char* labels) {
    return absl::StrCat("HloModule m\nENTRY e { a = f32[4,16,16,24] parameter(0) w = f32[", weights,
                        "] parameter(1) ROOT c = f32[4,16,16,32] convolution(a, w), "
                        "window={size=2x2 pad=0_1x0_1}, dim_labels=b01f_",
                        labels, "->b01f }");
  };
  runtime::DeviceInfo device = CpuWith(kLevel4);
  device.compute_units = 2;
  const std::string strided = convolution("2,2,32,24", "01oi");
  auto reply = CompileHlo(strided, device);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, HasSubstr("pack=1 by_panel=0 rows=16"));
  reply = CompileHlo(convolution("2,2,24,32", "01io"), device);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, HasSubstr("pack=0"));
  EXPECT_EQ(CheckKernel(strided, "x86", 1e-4), "");
}

// A product of few rows by a matrix whose rows lie along the sum, as attention over a cache of
// keys, folds each row: vectors of outputs would gather their elements.
TEST(X86Contraction, MatricesAlongTheSumAreFoldedInRows) {
  auto product = [](int rows, const std::string& type, const std::string& sum, int terms) {
    return absl::StrCat("HloModule m\nENTRY e { a = ", type, "[3,", rows, ",", terms,
                        "] parameter(0) b = ", type, "[3,37,", terms,
                        "] parameter(1) ROOT d = ", sum, "[3,", rows,
                        ",37] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, "
                        "lhs_contracting_dims={2}, rhs_contracting_dims={2} }");
  };
  const runtime::DeviceInfo device = CpuWith(kLevel4);
  for (int rows : {1, 2, 3, 20}) {
    const auto reply = CompileHlo(product(rows, "f32", "f32", 64), device);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(reply->schedule.rfind("reduction", 0) == 0, rows <= 2) << reply->schedule;
    if (rows > 2) EXPECT_THAT(reply->schedule, HasSubstr("pack=1")) << reply->schedule;
  }
  // Too few terms for vectors along the sum.
  const auto reply = CompileHlo(product(1, "f32", "f32", 8), device);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_EQ(reply->schedule.rfind("contraction", 0), 0u) << reply->schedule;
  const std::pair<const char*, double> types[] = {{"f32", 1e-5}, {"f64", 1e-12}, {"bf16", 1e-2},
                                                  {"f16", 1e-3}, {"s8", 0},      {"u16", 0},
                                                  {"c64", 1e-5}};
  for (const auto& [type, tolerance] : types) {
    const std::string sum = tolerance == 0 ? "s32" : type;
    const std::string sum_type = std::string(type) == "u16" ? "u32" : sum;
    for (int rows : {1, 2, 3}) {
      for (int terms : {64, 53}) {
        const std::string hlo = product(rows, type, sum_type, terms);
        EXPECT_EQ(CheckKernel(hlo, "x86", tolerance), "") << hlo;
      }
    }
  }
}

// Nor are rows folded whose matrix is indexed by 64 bits.
TEST(X86Contraction, MatricesBeyond32BitsAreNotFoldedInRows) {
  const auto reply = CompileHlo(
      "HloModule m\nENTRY e { a = f32[200,89,84] parameter(0) b = f32[200,89,492,84] parameter(1) "
      "ROOT d = f32[200,492] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, "
      "lhs_contracting_dims={1,2}, rhs_contracting_dims={1,3} }",
      CpuWith(kLevel4));
  EXPECT_TRUE(reply.ok()) << reply.status();
}

// Pairs widen the broadcast factor as a whole, which has more than 2^31 bytes here.
TEST(X86Contraction, FactorsThatAreTooLargeToWidenHaveNoPairs) {
  const auto reply = CompileHlo(
      "HloModule m\nENTRY e { a = s8[429,121,5,399,100] parameter(0) b = s8[429,3,121,5,100] "
      "parameter(1) ROOT d = s32[429,121,399,3] dot(a, b), lhs_batch_dims={0,1}, "
      "rhs_batch_dims={0,2}, lhs_contracting_dims={2,4}, rhs_contracting_dims={3,4} }",
      CpuWith(runtime::kX86Avx | runtime::kX86Avx2 | runtime::kX86Fma));
  EXPECT_TRUE(reply.ok()) << reply.status();
}

// The image of a first convolution has few channels, and is padded in whole vectors.
TEST(X86Contraction, ImagesOfFewChannelsAreCopiedInVectors) {
  size_t number = 0;  // seven numbers of channels, so the second type has the other levels
  for (const char* type : {"f32", "bf16"}) {
    for (int channels : {1, 2, 3, 4, 5, 8, 9}) {
      const std::string hlo =
          Convolution(absl::StrCat(type, "[2,21,35,", channels, "]"),
                      absl::StrCat(type, "[3,3,", channels, ",32]"),
                      absl::StrCat(type, "[2,11,18,32]"), "size=3x3 stride=2x2 pad=1_1x1_1");
      const double tolerance = std::string(type) == "f32" ? 1e-4 : 1e-2;
      const bool on_best = number++ % 2 == 0;
      if (AllCases() || on_best) {
        EXPECT_EQ(CheckKernel(hlo, "x86", tolerance), "") << hlo;
      }
      if (AllCases() || !on_best) {
        EXPECT_EQ(CheckKernel(hlo, "x86:v3", tolerance), "") << hlo;
      }
    }
  }
  const std::string hlo = Convolution("f32[1,64,64,3]", "f32[3,3,3,32]", "f32[1,32,32,32]",
                                      "size=3x3 stride=2x2 pad=1_1x1_1");
  const auto reply = CompileHlo(hlo, CpuWith(kLevel4), "", {}, /*dump=*/true);
  ASSERT_TRUE(reply.ok()) << reply.status();
  // Copies three channels of 16 places at a time, in place.
  EXPECT_THAT(reply->dump.stmt,
              ::testing::ContainsRegex("padded\\[ramp\\(.*, 1, 48\\).* = in0\\[ramp"))
      << reply->dump.stmt;
}

TEST_F(X86WordsHere, TilesOfFewerThanFourElementsAreRefused) {
  const auto refused = CompileHlo(Cases()[0].hlo, InfoNamed("x86"), "contraction tile_n=2 words=1");
  EXPECT_THAT(refused.status().message(), HasSubstr("four elements along n"));
}

// Sums that leave 32 bits wrap, although something is added to make factors unsigned.
TEST_F(X86WordsHere, SumsWrap) {
  const int64_t m = 8, k = 140000, n = 16;
  const std::string hlo =
      Dot(absl::StrCat("s8[", m, ",", k, "]"), absl::StrCat("s8[", k, ",", n, "]"),
          absl::StrCat("s32[", m, ",", n, "]"));
  const auto module = hlo_text::ParseModule(hlo, "kernel.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<hlo::Literal> inputs = RandomInputs(**module, 1);
  for (hlo::Literal& input : inputs)
    for (std::byte& byte : input.mutable_bytes()) byte = std::byte{0x80};
  const auto reply = CompileHlo(hlo, InfoNamed("x86"));
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, HasSubstr("words=1"));
  const auto results = RunKernel(*reply, *DeviceNamed("x86"), **module, inputs);
  ASSERT_TRUE(results.ok()) << results.status();
  const int32_t expected = static_cast<int32_t>(static_cast<uint32_t>(k * 128 * 128));
  for (int64_t i = 0; i < m * n; ++i)
    EXPECT_EQ((*results)[0].GetAsDouble(i), static_cast<double>(expected));
}

}  // namespace
}  // namespace halyard::testing
