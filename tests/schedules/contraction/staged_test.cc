// Tests products in stages: the fake driver's interpreter runs their PTX, which is compared with
// the evaluator.

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/schedules/contraction/staged_products.h"

namespace halyard::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(StagedTest, EveryTypeAndLayout) {
  const std::vector<std::tuple<std::string, std::string, double, std::string>> types = {
      {"f16", "f32", 1e-3, ""},
      {"bf16", "bf16", 5e-2, ""},
      {"s8", "s32", 0, ""},
      {"u8", "u32", 0, ""},
      {"f32", "f32", 2e-2, "dot_tf32_tf32_f32"}};
  for (const auto& [type, result, tolerance, algorithm] : types) {
    for (int layout = 0; layout < 4; ++layout) {
      Dot d;
      d.type = type;
      d.result = result;
      d.k_first_lhs = (layout & 1) != 0;
      d.k_first_rhs = (layout & 2) != 0;
      d.algorithm = algorithm;
      if (type[1] == '8') d.k = 320;
      Check(Hlo(d), tolerance, "mt=2 nt=4 wm=2 wn=1 stages=4");
      // Each layout with two of the types.
      if ((type[0] + layout) % 4 == 0)
        Check(Hlo(d), tolerance, "mt=2 nt=4 wm=1 wn=1 stages=2 row=128");
    }
  }
}

TEST_F(StagedTest, TilesAndStages) {
  for (const char* knobs : {"mt=1 nt=2 wm=2 wn=1 stages=2", "mt=4 nt=8 wm=2 wn=2 stages=3",
                            "mt=2 nt=8 wm=2 wn=2 stages=3 row=128", "mt=1 nt=2 wm=1 wn=2 stages=5",
                            "mt=2 nt=4 wm=4 wn=2 stages=3 raster=1"}) {
    for (const bool k_first : {false, true}) {
      Dot d;
      d.m = 128;
      d.n = 128;
      d.k_first_lhs = d.k_first_rhs = k_first;
      Check(Hlo(d), 1e-3, knobs);
    }
  }
}

// The loop is written out for as many steps as there are slots: as many turns as fit, and the steps
// behind them. So places in slots are constants, and no loop is left where there is no whole turn.
TEST_F(StagedTest, StepsOfATurn) {
  for (const int64_t steps : {2, 3, 4, 5, 8, 11}) {
    for (const char* knobs : {"mt=1 nt=2 wm=2 wn=1 stages=4", "mt=1 nt=2 wm=2 wn=1 stages=3"}) {
      Dot d;
      d.m = d.n = 32;
      d.k = 32 * steps - (steps % 2 == 0 ? 8 : 0);  // the last step is not full
      d.k_first_rhs = steps < 5;
      Check(Hlo(d), 1e-3, knobs);
    }
  }
  const auto count = [&](int64_t k, const char* part) {
    Dot d;
    d.k = k;
    const auto reply = CompileHlo(Hlo(d), device_->info(),
                                  "contraction_staged mt=2 nt=4 wm=2 wn=1 stages=4 parts=1");
    EXPECT_TRUE(reply.ok()) << reply.status();
    size_t found = 0;
    for (size_t at = reply->object.find(part); at != std::string::npos;
         at = reply->object.find(part, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count(32 * 64, "bar.sync"), 4);  // a turn
  EXPECT_EQ(count(32 * 66, "bar.sync"), 6);  // and two steps behind
  EXPECT_EQ(count(32 * 3, "bar.sync"), 3);
  EXPECT_EQ(count(32 * 3, "bra"), 0);
}

// Tiles of three products side by side.
TEST_F(StagedTest, TilesOfThree) {
  for (const char* knobs : {"mt=3 nt=8 wm=2 wn=2 stages=4", "mt=3 nt=4 wm=4 wn=1 stages=3",
                            "mt=3 nt=8 wm=8 wn=1 stages=4"}) {
    Dot d;
    d.m = 200;
    d.n = 136;
    Check(Hlo(d), 1e-3, knobs);
    d.k_first_rhs = true;
    d.epilogue = true;
    Check(Hlo(d), 1e-3, knobs);
  }
  // The threads of a group do not share out the lines of this factor.
  Dot d;
  d.m = 192;
  d.k_first_lhs = true;
  const auto reply =
      CompileHlo(Hlo(d), device_->info(), "contraction_staged mt=3 nt=4 wm=2 wn=2 stages=4");
  EXPECT_FALSE(reply.ok());
  EXPECT_THAT(std::string(reply.status().message()), HasSubstr("cannot share out the pieces"));
}

// Groups share the steps of a sum, and a second kernel adds their parts: also where the last part
// has fewer steps, with a tail of k, a batch, and an epilogue, which follows the sum.
TEST_F(StagedTest, Parts) {
  for (const char* knobs :
       {"mt=1 nt=2 wm=2 wn=1 stages=3 parts=2", "mt=2 nt=4 wm=2 wn=1 stages=4 parts=4"}) {
    for (const bool k_first : {false, true}) {
      Dot d;
      d.k = 328;  // 11 steps, the last of which is short
      d.k_first_lhs = d.k_first_rhs = k_first;
      Check(Hlo(d), 1e-3, knobs);
      d.type = "s8";
      d.result = "s32";
      d.k = 1040;
      Check(Hlo(d), 0, knobs);
    }
  }
  Dot d;
  d.k = 512;
  d.m = 24;  // rows and columns past the last
  d.n = 40;
  Check(Hlo(d), 1e-3, "mt=2 nt=2 wm=2 wn=2 stages=4 parts=4");
  d.epilogue = true;
  Check(Hlo(d), 1e-3, "mt=1 nt=2 wm=2 wn=1 stages=4 parts=8");
  d.m = 200;  // two groups and a part of one
  Check(Hlo(d), 1e-3, "mt=3 nt=4 wm=2 wn=2 stages=4 parts=4");
  Check(R"(HloModule m

ENTRY e {
  a = bf16[3,32,256] parameter(0)
  b = bf16[3,256,48] parameter(1)
  ROOT d = bf16[3,32,48] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}
)",
        5e-2, "mt=1 nt=2 wm=2 wn=1 stages=4 parts=4");
}

// Few tiles with many terms are shared out by default, and enough tiles are not.
TEST_F(StagedTest, PartsByDefault) {
  runtime::DeviceInfo device = device_->info();
  device.compute_units = 132;
  auto parts = [&](int64_t m, int64_t n, int64_t k, const char* wanted) {
    Dot d;
    d.m = m;
    d.n = n;
    d.k = k;
    const auto reply = CompileHlo(Hlo(d), device, "");
    EXPECT_TRUE(reply.ok()) << reply.status();
    if (!reply.ok()) return int64_t{0};
    EXPECT_TRUE(absl::StartsWith(reply->schedule, wanted)) << reply->schedule;
    const size_t at = reply->schedule.find("parts=");
    return static_cast<int64_t>(std::stoll(reply->schedule.substr(at + 6)));
  };
  for (const auto& [capability, wanted] :
       {std::pair(80, "contraction_staged "), {90, "contraction_wgmma "}}) {
    device.cuda_capability = capability;
    EXPECT_GE(parts(256, 256, 65536, wanted), 16);
    EXPECT_EQ(parts(4096, 4096, 4096, wanted), 1);
    EXPECT_EQ(parts(64, 64, 256, "contraction_staged "), 1);
  }
}

// Bytes of rows that are neighbours in memory are transposed on their way: pairs of rows and
// columns, in every layout, with a tail of k, a batch, and the left factor's axis as the fastest.
TEST_F(StagedTest, BytesAcrossK) {
  for (int layout = 1; layout < 4; ++layout) {
    for (const char* knobs : {"mt=1 nt=2 wm=1 wn=2 stages=2", "mt=4 nt=8 wm=2 wn=2 stages=3",
                              "mt=2 nt=4 wm=2 wn=4 stages=4"}) {
      Dot d;
      d.type = "s8";
      d.result = "s32";
      d.m = 144;
      d.n = 80;
      d.k = 208;
      d.k_first_lhs = (layout & 1) != 0;
      d.k_first_rhs = (layout & 2) != 0;
      Check(Hlo(d), 0, knobs);
    }
  }
  Check(R"(HloModule m

ENTRY e {
  a = s8[3,128,32] parameter(0)
  b = s8[3,128,48] parameter(1)
  ROOT d = s32[3,32,48] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}
}
)",
        0, "mt=1 nt=2 wm=2 wn=2");
  Check(R"(HloModule m

ENTRY e {
  a = s8[2,128,4,16] parameter(0)
  b = s8[1,1,128,32] parameter(1)
  ROOT c = s32[2,32,4,16] convolution(a, b), window={size=1x1}, dim_labels=bf01_01io->bf01
}
)",
        0, "mt=1 nt=2 wm=2 wn=2");
}

// Products of 8-bit floats, where a device has them; conversions or integer instructions elsewhere.
TEST_F(StagedTest, SmallFloats) {
  struct Case {
    const char *lhs, *rhs;
    int layout;
  };
  const std::vector<std::pair<int, const char*>> devices = {{80, "prmt.b32"},
                                                            {89, ".f32.e"},
                                                            {90, "cvt.rn.f16x2.e"},
                                                            {100, "cvt.rn.f16x2.e"},
                                                            {120, ".f32.e"}};
  for (const auto& [capability, instruction] : devices) {
    for (const Case& c : std::vector<Case>{{"f8e4m3fn", "f8e4m3fn", 0},
                                           {"f8e4m3fn", "f8e5m2", 2},
                                           {"f8e5m2", "f8e4m3fn", 1},
                                           {"f8e5m2", "f8e5m2", 3}}) {
      Dot d;
      d.type = c.lhs;
      d.k = 320;
      d.k_first_lhs = (c.layout & 1) != 0;
      d.k_first_rhs = (c.layout & 2) != 0;
      const std::string hlo =
          absl::StrReplaceAll(Hlo(d), {{absl::StrCat("b = ", c.lhs), absl::StrCat("b = ", c.rhs)}});
      runtime::DeviceInfo info = device_->info();
      info.cuda_capability = capability;
      SCOPED_TRACE(absl::StrCat("sm_", capability, "\n", hlo));
      const auto reply = CompileHlo(hlo, info, "contraction_staged mt=2 nt=4 wm=2 wn=1 stages=3");
      ASSERT_TRUE(reply.ok()) << reply.status();
      EXPECT_THAT(reply->object, HasSubstr(instruction));
      // CheckReply tries whole numbers, infinities and NaN, too. If terms cancel, what products of
      // 8-bit floats cut off is a larger part of the sum.
      const double tolerance = instruction[0] == '.' ? 1e-2 : 1e-4;
      EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
    }
  }
  // This asks for more precision than a product of 8-bit floats has.
  Dot d;
  d.type = "f8e4m3fn";
  const std::string hlo = absl::StrReplaceAll(
      Hlo(d), {{"rhs_contracting_dims={1}",
                "rhs_contracting_dims={1}, operand_precision={highest,highest}"}});
  runtime::DeviceInfo info = device_->info();
  info.cuda_capability = 89;
  const auto reply = CompileHlo(hlo, info, "contraction_staged mt=2 nt=4 wm=2 wn=1 stages=3");
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->object,
              AllOf(HasSubstr("cvt.rn.f16x2.e4m3x2"), ::testing::Not(HasSubstr(".f32.e4m3"))));
}

// Rows and columns that stick out, steps that are not full, and fewer steps than stages.
TEST_F(StagedTest, RaggedSizes) {
  for (const auto& [m, n, k] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {72, 40, 200}, {17, 24, 40}, {40, 56, 72}, {128, 8, 64}}) {
    for (const bool k_first_rhs : {false, true}) {
      Dot d;
      d.m = m;
      d.n = n;
      d.k = k;
      d.k_first_rhs = k_first_rhs;
      d.result = "bf16";
      Check(Hlo(d), 5e-2, "mt=2 nt=4 wm=2 wn=2 stages=4");
    }
  }
}

TEST_F(StagedTest, Epilogues) {
  for (const bool k_first_rhs : {false, true}) {
    Dot d;
    d.epilogue = true;
    d.result = "bf16";
    d.k_first_rhs = k_first_rhs;
    Check(Hlo(d), 5e-2, "mt=2 nt=4 wm=2 wn=1");
  }
}

// Loops go through the sums of a lane: over tiles, or over tiles and halves of them. Rows and
// columns past the last are left out.
TEST_F(StagedTest, LongEpiloguesAreLoops) {
  for (const auto& [type, function, knobs] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"f32", "logistic", "mt=4 nt=8 wm=1 wn=1 stages=3"},
           {"bf16", "erf", "mt=4 nt=8 wm=1 wn=1 stages=3"},
           {"bf16", "erf", "mt=2 nt=4 wm=2 wn=1 stages=4"},
           {"bf16", "erf", "mt=3 nt=8 wm=1 wn=1 stages=3"},
           {"f32", "erf", "mt=4 nt=2 wm=1 wn=2 stages=4"}}) {
    for (const bool k_first_rhs : {false, true}) {
      Dot d;
      d.epilogue = true;
      d.result = type;
      d.m = 72;
      d.n = 72;
      d.k_first_rhs = k_first_rhs;
      Check(absl::StrReplaceAll(Hlo(d), {{"logistic", function}}), type == "f32" ? 1e-3 : 5e-2,
            knobs);
    }
  }
}

// The code of a long epilogue is not written for each of the 128 sums of a lane, but that of a
// short one is.
TEST_F(StagedTest, LongEpiloguesAreShortCode) {
  Dot d;
  d.epilogue = true;
  d.result = "bf16";
  d.m = d.n = 256;
  const auto length = [&](const std::string& hlo, const std::string& knobs) {
    const auto reply = CompileHlo(hlo, device_->info(), absl::StrCat("contraction_staged ", knobs));
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? std::count(reply->object.begin(), reply->object.end(), '\n') : 0;
  };
  const std::string gelu = absl::StrReplaceAll(Hlo(d), {{"logistic", "erf"}});
  EXPECT_LT(length(gelu, "mt=4 nt=8 wm=2 wn=2 stages=3"), 6000);
  d.epilogue = false;
  const std::string plain = Hlo(d);
  EXPECT_GT(length(plain, "mt=4 nt=8 wm=2 wn=2 stages=3"),
            length(plain, "mt=2 nt=8 wm=2 wn=2 stages=3") + 64);
}

// What cannot be copied as it is uses the next template, as does a tile that fits no group.
TEST_F(StagedTest, OthersAreLeftToOtherTemplates) {
  for (const char* factor :
       {"bf16[64,97] slice(p), slice={[0:64], [3:100]}", "bf16[64,97] parameter(0)"}) {
    const bool slice = absl::StrContains(factor, "slice");
    const std::string hlo =
        absl::StrCat("HloModule m\n\nENTRY e {\n", slice ? "  p = bf16[64,100] parameter(0)\n" : "",
                     "  a = ", factor,
                     "\n  b = bf16[32,97] parameter(1)\n  ROOT d = f32[64,32] dot(a, b), "
                     "lhs_contracting_dims={1}, "
                     "rhs_contracting_dims={1}\n}\n");
    const auto reply = CompileHlo(hlo, device_->info());
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, ::testing::StartsWith("contraction_mma ")) << hlo;
  }
  // These pieces do not begin at multiples of 16 bytes.
  const std::string hlo =
      "HloModule m\n\nENTRY e {\n  p = bf16[64,196] parameter(0)\n  a = bf16[64,192] slice(p), "
      "slice={[0:64], [4:196]}\n  b = bf16[32,192] parameter(1)\n  ROOT d = f32[64,32] dot(a, b), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={1}\n}\n";
  const auto reply = CompileHlo(hlo, device_->info());
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, ::testing::StartsWith("contraction_mma "));
  EXPECT_EQ(CheckReply(*reply, hlo, *device_, 1e-3), "");
}

// A copy moves 16 bytes or nothing, so a factor is not copied where a mask decides for each
// element.
TEST_F(StagedTest, ElementsThatAreChosenAreNotCopied) {
  for (const bool k_first : {false, true}) {
    const std::string shape = k_first ? "[192,64]" : "[64,192]";
    const std::string hlo = absl::StrCat(
        "HloModule m\n\nENTRY e {\n  p = bf16", shape, " parameter(0)\n  c = pred", shape,
        " parameter(1)\n  z = bf16[] constant(0)\n  zeros = bf16", shape,
        " broadcast(z), dimensions={}\n  a = bf16", shape,
        " select(c, p, zeros)\n  b = bf16[32,192] parameter(2)\n  ROOT d = f32[64,32] dot(a, b), "
        "lhs_contracting_dims={",
        k_first ? 0 : 1, "}, rhs_contracting_dims={1}\n}\n");
    SCOPED_TRACE(hlo);
    const auto reply = CompileHlo(hlo, device_->info());
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, ::testing::Not(::testing::StartsWith("contraction_staged")));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, 1e-3), "");
  }
}

}  // namespace
}  // namespace halyard::testing
