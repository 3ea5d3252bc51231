// Products in stages by warpgroups (schedules/contraction/cuda_wgmma.cc), run by the fake driver's
// interpreter, which knows wgmma's layouts of shared memory and checks its waits and fences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/gpu/ptx/ptxas.h"
#include "tests/schedules/contraction/staged_products.h"

namespace halyard::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class WgmmaTest : public StagedTest {
 protected:
  void CheckWgmma(const std::string& hlo, double tolerance, const std::string& knobs) {
    const std::string schedule = absl::StrCat("contraction_wgmma ", knobs);
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    ASSERT_THAT(reply->object, AllOf(HasSubstr("wgmma.mma_async"), HasSubstr("fence.proxy.async"),
                                     HasSubstr(".target sm_90a"), Not(HasSubstr("mma.sync"))));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }
  std::string Refusal(const Dot& d, const std::string& knobs) {
    const auto reply = CompileHlo(Hlo(d), device_->info(), "contraction_wgmma " + knobs);
    return reply.ok() ? "" : std::string(reply.status().message());
  }
};

// Every order of both factors, of one warpgroup and of several.
TEST_F(WgmmaTest, OrdersOfFactors) {
  for (const char* type : {"bf16", "f16"}) {
    for (const bool a_across : {false, true}) {
      for (const bool b_across : {false, true}) {
        for (const char* knobs : {"nt=8 wm=4 stages=3", "nt=16 wm=8 stages=4"}) {
          Dot d;
          d.type = type;
          d.m = 128;
          d.n = 128;
          d.k = 320;
          d.k_first_lhs = a_across;
          d.k_first_rhs = b_across;
          CheckWgmma(Hlo(d), 1e-3, knobs);
          d.result = type;
          CheckWgmma(Hlo(d), 1e-2, knobs);
        }
      }
    }
  }
}

TEST_F(WgmmaTest, Bytes) {
  for (const char* knobs : {"nt=8 wm=4 stages=3", "nt=32 wm=8 stages=4"}) {
    Dot d;
    d.type = "s8";
    d.result = "s32";
    d.m = 128;
    d.n = 256;
    d.k = 640;
    CheckWgmma(Hlo(d), 0, knobs);
    d.type = "u8";
    d.epilogue = false;
    CheckWgmma(Hlo(d), 0, knobs);
  }
  // wgmma turns elements of 16 bits only.
  Dot d;
  d.type = "s8";
  d.result = "s32";
  d.m = d.n = 128;
  d.k_first_rhs = true;
  EXPECT_THAT(Refusal(d, "nt=16 wm=4 stages=4"), HasSubstr("does not fit this kernel"));
}

// Rows, columns and terms past the last; fewer steps than slots, and some behind the last turn.
TEST_F(WgmmaTest, Edges) {
  for (const int64_t steps : {2, 3, 4, 5, 6, 7, 9}) {
    for (const char* knobs : {"nt=8 wm=4 stages=3", "nt=8 wm=4 stages=4", "nt=8 wm=4 stages=5"}) {
      Dot d;
      d.m = 72;
      d.n = 104;
      d.k = 64 * steps - (steps % 2 == 0 ? 24 : 0);
      d.k_first_rhs = steps > 4;
      CheckWgmma(Hlo(d), 1e-3, knobs);
    }
  }
}

// Epilogues: written out whole and, where they are long, for some columns at a time.
TEST_F(WgmmaTest, Epilogues) {
  for (const bool b_across : {false, true}) {
    Dot d;
    d.m = 200;
    d.n = 264;
    d.k_first_rhs = b_across;
    d.epilogue = true;
    CheckWgmma(Hlo(d), 1e-3, "nt=32 wm=8 stages=3");
    d.result = "bf16";
    CheckWgmma(Hlo(d), 3e-2, "nt=16 wm=8 stages=3");
  }
}

TEST_F(WgmmaTest, LongEpilogues) {
  for (const bool b_across : {false, true}) {
    const std::string rhs = b_across ? "f32[320,256]" : "f32[256,320]";
    std::string hlo = absl::StrCat(
        "HloModule m\n\nENTRY e {\n  a = bf16[128,320] parameter(0)\n  b = bf16",
        b_across ? "[320,256]" : "[256,320]", " parameter(1)\n  d = f32[128,256] dot(a, b), ",
        "lhs_contracting_dims={1}, rhs_contracting_dims={", b_across ? 0 : 1, "}\n");
    std::string last = "d";
    for (int i = 0; i < 12; ++i) {
      absl::StrAppend(&hlo, "  l", i, " = f32[128,256] logistic(", last, ")\n  ",
                      i == 11 ? "ROOT " : "", "t", i, " = f32[128,256] add(l", i, ", d)\n");
      last = absl::StrCat("t", i);
    }
    CheckWgmma(hlo + "}\n", 1e-3, "nt=32 wm=4 stages=3");
  }
}

TEST_F(WgmmaTest, PartsAndBatches) {
  Dot d;
  d.m = 72;
  d.n = 64;
  d.k = 64 * 11 - 8;
  for (const char* knobs : {"nt=8 wm=4 stages=3 parts=2", "nt=8 wm=8 stages=4 parts=4"})
    CheckWgmma(Hlo(d), 1e-3, knobs);
  CheckWgmma(R"(
HloModule m

ENTRY e {
  a = f16[3,64,192] parameter(0)
  b = f16[3,192,64] parameter(1)
  ROOT d = f32[3,64,64] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
})",
             1e-3, "nt=8 wm=4 stages=3");
}

// A convolution is the same product.
TEST_F(WgmmaTest, Convolutions) {
  for (const char* knobs : {"nt=8 wm=4 stages=3", "nt=8 wm=8 stages=4"}) {
    CheckWgmma(R"(
HloModule m

ENTRY e {
  x = f16[2,10,10,64] parameter(0)
  w = f16[3,3,64,64] parameter(1)
  ROOT c = f16[2,10,10,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
})",
               1e-2, knobs);
  }
}

// Large products take it by default on sm_90 and nowhere else; so do their NaN and infinities.
TEST_F(WgmmaTest, DefaultOfLargeProducts) {
  Dot d;
  d.m = d.n = d.k = 4096;
  for (const auto& [capability, wanted] : {std::pair(90, "contraction_wgmma "),
                                           {80, "contraction_staged "},
                                           {100, "contraction_staged "}}) {
    runtime::DeviceInfo info = device_->info();
    info.cuda_capability = capability;
    const auto reply = CompileHlo(Hlo(d), info, "");
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, StartsWith(wanted)) << capability;
  }
  d.type = "f32";
  d.algorithm = "dot_tf32_tf32_f32";
  const auto reply = CompileHlo(Hlo(d), device_->info(), "");
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, StartsWith("contraction_staged "));
}

// What ptxas makes of real sizes: sums that stay where they are. (It says so in words when it must
// wait for every product.)
TEST_F(WgmmaTest, Assembles) {
  for (const bool across : {false, true}) {
    Dot d;
    d.m = d.n = d.k = 4096;
    d.k_first_lhs = d.k_first_rhs = across;
    const auto reply = CompileHlo(Hlo(d), device_->info(), "contraction_wgmma nt=32 wm=8 stages=4");
    ASSERT_TRUE(reply.ok()) << reply.status();
    const size_t begin = reply->object.find(".version"), end = reply->object.find('\0', begin);
    ASSERT_NE(begin, std::string::npos);
    const auto assembled =
        lowering::gpu::RunPtxas(HALYARD_PTXAS, reply->object.substr(begin, end - begin), 90);
    ASSERT_TRUE(assembled.ok()) << assembled.status();
    ASSERT_EQ(assembled->kernels.size(), 1u);
    EXPECT_EQ(assembled->kernels[0].spill_store_bytes, 0);
    EXPECT_LE(assembled->kernels[0].registers, 200);
    EXPECT_THAT(assembled->words, Not(HasSubstr("serialized")));
  }
}

}  // namespace
}  // namespace halyard::testing
