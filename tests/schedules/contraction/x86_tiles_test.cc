// Tests products by AMX. Any CPU can make the machine code, for a described device. Values are
// compared with the evaluator here if this CPU has AMX; tests/codegen/passes/tile_products_test.cc
// does so on all CPUs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/sample.h"
#include "tests/schedules/contraction/tile_cases.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

size_t CountOf(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// Without $HALYARD_ALL_CASES (tests/sample.h), there is one case of each instruction.
TEST(X86Tiles, InstructionsAreThereWhereTheDeviceHasThem) {
  std::set<std::string> seen;
  for (const TileCase& c : TileCases()) {
    if (!seen.insert(c.instruction).second && !AllCases()) continue;
    const auto reply = CompileHlo(c.hlo, CpuWithTiles(), "", {}, /*dump=*/true);
    ASSERT_TRUE(reply.ok()) << c.name << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("words=2")) << c.name;
    for (const char* name : {"tdpbssd", "tdpbsud", "tdpbusd", "tdpbuud", "tdpbf16ps"}) {
      EXPECT_EQ(CountOf(reply->dump.assembly, name) > 0, std::string(name) == c.instruction)
          << c.name << " " << name;
    }
    for (const char* name : {"ldtilecfg", "tilezero", "tileload", "tilestored", "tilerelease"})
      EXPECT_GT(CountOf(reply->dump.assembly, name), 0u) << c.name << " " << name;
  }
}

// 2 × 2 tiles of sums take two tiles of each factor for four products, and nothing is spilled.
TEST(X86Tiles, FourProductsShareTheirFactors) {
  const auto reply = CompileHlo(Dot("s8[256,512]", "s8[512,192]", "s32[256,192]"), CpuWithTiles(),
                                "", {}, /*dump=*/true);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, HasSubstr("tile_n=32 tile_m=32"));
  const std::string& code = reply->dump.assembly;
  EXPECT_EQ(CountOf(code, "\ttdpbssd"), 4u);
  EXPECT_EQ(CountOf(code, "\ttileload"), 4u);
  EXPECT_EQ(CountOf(code, "\ttilestored"), 4u);
  EXPECT_EQ(CountOf(code, "\ttilezero"), 4u);
}

// Whole panels of constant weights are read where they lie.
TEST(X86Tiles, PanelsAreReadInPlace) {
  for (const TileCase& c : TileCases()) {
    const std::string name = c.name;
    if (name != "panels" && name != "panels_in_place" && name != "filled_up_panels") continue;
    const auto reply = CompileHlo(c.hlo, CpuWithTiles(), "", {}, /*dump=*/true);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("pack=0")) << c.name;
    EXPECT_THAT(reply->dump.stmt, Not(HasSubstr("packed"))) << c.name;
  }
}

// On two cores, a task packs weights that are arguments once, and uses them for half of the image's
// rows.
TEST(X86Tiles, PanelsServeSeveralRows) {
  runtime::DeviceInfo device = CpuWithTiles();
  device.compute_units = 2;
  const auto reply = CompileHlo(
      Convolution("s8[1,56,56,64]", "s8[3,3,64,64]", "s32[1,56,56,64]", "size=3x3 pad=1_1x1_1"),
      device);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule,
              HasSubstr("tile_n=32 tile_m=28 block_m=56 pack=1 by_panel=0 rows=28"));
}

TEST(X86Tiles, SmallProductsDoWithoutThem) {
  for (const std::string& hlo :
       {Dot("s8[8,64]", "s8[64,48]", "s32[8,48]"), Dot("s8[40,64]", "s8[64,12]", "s32[40,12]"),
        Dot("s8[40,32]", "s8[32,48]", "s32[40,48]")}) {
    const auto reply = CompileHlo(hlo, CpuWithTiles());
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("words=1")) << hlo;
  }
}

// Denormals, which tdpbf16ps takes for zeros, and types that it does not have.
TEST(X86Tiles, OtherProductsDoWithoutThem) {
  for (const std::string& hlo :
       {Dot("bf16[40,96]", "bf16[96,48]", "f32[40,48]", ", operand_precision={highest,highest}"),
        Dot("s16[40,64]", "s16[64,48]", "s32[40,48]"),
        Dot("f32[40,96]", "f32[96,48]", "f32[40,48]"),
        Dot("f16[40,96]", "f16[96,48]", "f32[40,48]")}) {
    const auto reply = CompileHlo(hlo, CpuWithTiles(), "", {}, /*dump=*/true);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(CountOf(reply->dump.assembly, "tdp"), 0u) << hlo;
    EXPECT_EQ(CountOf(reply->dump.assembly, "tilecfg"), 0u) << hlo;
  }
}

// The pass that makes tiles looks at every kernel of such a CPU, also at long chains of values.
TEST(X86Tiles, OtherKernelsCompileAsFast) {
  const auto reply = CompileHlo(
      "HloModule m\nENTRY e { a = f16[1000] parameter(0) s = f16[1000] sine(a) t = f16[1000] "
      "sine(s) ROOT r = f16[1000] sine(t) }",
      CpuWithTiles());
  EXPECT_TRUE(reply.ok()) << reply.status();
}

TEST(X86Tiles, DevicesWithoutAmxHaveNone) {
  const std::string hlo = Dot("s8[40,64]", "s8[64,48]", "s32[40,48]");
  // Halide's target for AMX has AVX-512's extensions, too.
  for (uint64_t features :
       {kWithoutTiles, (kWithoutTiles | runtime::kX86Amx) & ~uint64_t{runtime::kX86SapphireRapids},
        uint64_t{runtime::kX86Sse41 | runtime::kX86Amx}}) {
    const auto reply = CompileHlo(hlo, CpuWith(features), "", {}, /*dump=*/true);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(CountOf(reply->dump.assembly, "tdp"), 0u);
    EXPECT_THAT(reply->schedule, Not(HasSubstr("words=2")));
    EXPECT_FALSE(CompileHlo(hlo, CpuWith(features), "contraction tile_n=16 words=2").ok());
  }
}

TEST(X86Tiles, BlocksThatTilesCannotMakeUpAreRefused) {
  const std::string hlo = Dot("s8[40,64]", "s8[64,64]", "s32[40,64]");
  for (const char* schedule :
       {"contraction tile_n=8 tile_m=8 words=2", "contraction tile_n=16 tile_m=1 words=2",
        "contraction tile_n=64 tile_m=32 words=2"}) {
    const auto refused = CompileHlo(hlo, CpuWithTiles(), schedule);
    EXPECT_THAT(refused.status().message(), HasSubstr("four tiles of 16 elements")) << schedule;
  }
}

class X86TilesHere : public ::testing::Test {
 protected:
  void SetUp() override {
    const uint64_t needed = runtime::kX86Amx | runtime::kX86SapphireRapids;
    if ((InfoNamed("x86").x86_features & needed) != needed) GTEST_SKIP() << "this CPU has no AMX";
  }
};

TEST_F(X86TilesHere, AgreeWithEvaluator) {
  for (const TileCase& c : TileCases()) {
    for (const std::string& schedule : {std::string(), absl::StrCat("contraction ", c.other)})
      EXPECT_EQ(CheckKernel(c.hlo, "x86", c.tolerance, schedule), "") << c.name << schedule;
  }
}

}  // namespace
}  // namespace halyard::testing
