#include "codegen/gpu/ptx/ptx_passes.h"

#include <sys/stat.h>

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::lowering::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Kernel(const std::string& body) {
  return absl::StrCat(".version 7.0\n.target sm_80\n.address_size 64\n\n",
                      ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n",
                      "\t.reg .pred %p<4>;\n", "\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n", body,
                      "\tret;\n}\n");
}

std::string Prepared(const std::string& body, bool fuse = false) {
  PtxOptions options;
  options.fuse_multiply_accumulate = fuse;
  options.group["k"] = {32, 4, 1};
  absl::StatusOr<std::string> ptx = PreparePtx(Kernel(body), options);
  EXPECT_TRUE(ptx.ok()) << ptx.status();
  if (!ptx.ok()) return "";
  const auto assembled = RunPtxas(HALYARD_PTXAS, *ptx, 90);
  EXPECT_TRUE(assembled.ok()) << assembled.status() << "\n" << *ptx;
  return *ptx;
}

TEST(PtxPassesTest, ArithmeticGetsItsRounding) {
  const std::string ptx = Prepared(
      "\tadd.f32 \t%r1, %r2, %r3;\n\tadd.s32 \t%r4, %r5, %r6;\n"
      "\tmul.f64 \t%rd1, %rd2, %rd3;\n\tsub.rz.f32 \t%r1, %r2, %r3;\n");
  EXPECT_THAT(ptx, HasSubstr("add.rn.f32 \t%r1, %r2, %r3;"));
  EXPECT_THAT(ptx, HasSubstr("add.s32 \t%r4"));
  EXPECT_THAT(ptx, HasSubstr("mul.rn.f64"));
  EXPECT_THAT(ptx, HasSubstr("sub.rz.f32"));
  EXPECT_THAT(ptx, HasSubstr(".maxntid 32, 4, 1"));
}

TEST(PtxPassesTest, FusedOperationsAreSplit) {
  const std::string ptx = Prepared("\t@%p1 fma.rn.f32 \t%r1, %r2, %r3, %r4;\n", true);
  EXPECT_THAT(ptx, Not(HasSubstr("fma")));
  EXPECT_THAT(ptx, HasSubstr("@%p1 mul.rn.f32 \t%hy_product32, %r2, %r3;"));
  EXPECT_THAT(ptx, HasSubstr("@%p1 add.rn.f32 \t%r1, %hy_product32, %r4;"));
}

TEST(PtxPassesTest, AccumulationsMayStayFused) {
  const std::string loop =
      "\tmov.b32 \t%r1, 0f00000000;\n"
      "$L:\n"
      "\tfma.rn.f32 \t%r5, %r2, %r3, %r1;\n"
      "\tfma.rn.f32 \t%r6, %r2, %r4, %r5;\n"
      "\tmov.b32 \t%r1, %r6;\n"
      "\tsetp.ne.b32 \t%p1, %r7, 0;\n"
      "\t@%p1 bra \t$L;\n"
      "\tfma.rn.f32 \t%r8, %r1, %r2, %r3;\n";
  const std::string fused = Prepared(loop, true);
  EXPECT_THAT(fused, HasSubstr("fma.rn.f32 \t%r5"));
  EXPECT_THAT(fused, HasSubstr("fma.rn.f32 \t%r6"));
  EXPECT_THAT(fused, HasSubstr("add.rn.f32 \t%r8, %hy_product32, %r3"));
  EXPECT_THAT(Prepared(loop, false), Not(HasSubstr("fma")));
}

// LLVM keeps two sums in one 64-bit register.
TEST(PtxPassesTest, AccumulationsInPairs) {
  const std::string loop =
      "$L1:\n"
      "\tmov.b64 \t{%r1, %r2}, %rd1;\n"
      "\tfma.rn.f32 \t%r3, %r5, %r6, %r1;\n"
      "\tfma.rn.f32 \t%r4, %r5, %r6, %r2;\n"
      "\tfma.rn.f32 \t%r7, %r5, %r6, %r2;\n"
      "\tmov.b64 \t%rd2, {%r3, %r4};\n"
      "\tmov.b64 \t%rd1, %rd2;\n"
      "\t@%p1 bra \t$L1;\n";
  const std::string ptx = Prepared(loop, true);
  EXPECT_THAT(ptx, HasSubstr("fma.rn.f32 \t%r3"));
  EXPECT_THAT(ptx, HasSubstr("fma.rn.f32 \t%r4"));
  EXPECT_THAT(ptx, Not(HasSubstr("fma.rn.f32 \t%r7")));
}

TEST(PtxPassesTest, AccumulationsInMemory) {
  const std::string body =
      "\tld.global.v2.b32 \t{%r1, %r2}, [%rd1+16];\n"
      "\tfma.rn.f32 \t%r3, %r5, %r6, %r1;\n"
      "\tfma.rn.f32 \t%r4, %r5, %r6, %r2;\n"
      "\tst.global.v2.b32 \t[%rd1+16], {%r3, %r4};\n"
      "\tfma.rn.f32 \t%r7, %r5, %r6, %r2;\n"
      "\tst.global.b32 \t[%rd2], %r7;\n";
  const std::string ptx = Prepared(body, true);
  EXPECT_THAT(ptx, HasSubstr("fma.rn.f32 \t%r3"));
  EXPECT_THAT(ptx, HasSubstr("fma.rn.f32 \t%r4"));
  EXPECT_THAT(ptx, HasSubstr("add.rn.f32 \t%r7"));
}

TEST(PtxPassesTest, SharedMemoryHasASymbol) {
  const std::string ptx = Prepared(
      "\tst.shared.b32 \t[%rd1+8], %r1;\n\tld.shared.b32 \t%r2, [12];\n"
      "\tst.shared.v2.b32 \t[%r3], {%r1, %r2};\n");
  EXPECT_THAT(ptx, HasSubstr(".extern .shared"));
  EXPECT_THAT(ptx, HasSubstr("add.s64 \t%hy_address64, %rd1, %hy_base64;"));
  EXPECT_THAT(ptx, HasSubstr("[%hy_address64+8]"));
  EXPECT_THAT(ptx, HasSubstr("[hy_shared+12]"));
  EXPECT_THAT(ptx, HasSubstr("[%hy_address32]"));
}

TEST(PtxPassesTest, ApproximationsBecomeExactOrAreRefused) {
  const std::string ptx = Prepared(
      "\tsqrt.approx.ftz.f32 \t%r1, %r2;\n"
      "\tcvt.rmi.ftz.f32.f32 \t%r1, %r2;\n"
      "\tdiv.full.f32 \t%r1, %r2, %r3;\n");
  EXPECT_THAT(ptx, HasSubstr("sqrt.rn.f32"));
  EXPECT_THAT(ptx, HasSubstr("div.rn.f32"));
  EXPECT_THAT(ptx, HasSubstr("cvt.rmi.f32.f32"));
  // Only an intrinsic asks for this instruction.
  EXPECT_THAT(Prepared("\tex2.approx.ftz.f32 \t%r1, %r2;\n"), HasSubstr("ex2.approx.ftz.f32"));
  const auto refused = PreparePtx(Kernel("\tex2.approx.f32 \t%r1, %r2;\n"), PtxOptions());
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("ex2.approx.f32"));
  EXPECT_FALSE(PreparePtx("{\n", PtxOptions()).ok());
}

TEST(PtxasTest, ReportsAndErrors) {
  const auto good = RunPtxas(HALYARD_PTXAS, Kernel(""), 80);
  ASSERT_TRUE(good.ok()) << good.status();
  ASSERT_EQ(good->kernels.size(), 1u);
  EXPECT_EQ(good->kernels[0].entry, "k");
  EXPECT_GT(good->kernels[0].registers, 0);
  EXPECT_EQ(good->kernels[0].spill_store_bytes, 0);
  const auto bad = RunPtxas(HALYARD_PTXAS, Kernel("\tnonsense;\n"), 80);
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInternal);
  EXPECT_FALSE(IsUnusable(bad.status()));
  EXPECT_EQ(RunPtxas("/nowhere/ptxas", "", 80).status().code(), absl::StatusCode::kNotFound);
}

// Uses the words of the real ptxas.
TEST(PtxasTest, TooOldIsNoRefusalOfTheText) {
  const auto device = RunPtxas(HALYARD_PTXAS, Kernel(""), 999);
  EXPECT_EQ(device.status().code(), absl::StatusCode::kUnimplemented) << device.status();
  EXPECT_THAT(std::string(device.status().message()), HasSubstr("does not know sm_999"));
  const auto version = RunPtxas(
      HALYARD_PTXAS, absl::StrReplaceAll(Kernel(""), {{".version 7.0", ".version 99.0"}}), 80);
  EXPECT_EQ(version.status().code(), absl::StatusCode::kUnimplemented) << version.status();
  EXPECT_THAT(std::string(version.status().message()), HasSubstr("kernel.ptx, line 1"));
}

TEST(PtxasTest, ProgramsThatDoNotRunAreUnusable) {
  const std::string script = ::testing::TempDir() + "/not_ptxas";
  for (const char* text : {"#!/bin/sh\nexit 127\n", "#!/no/such/shell\n", "#!/bin/sh\nexit 0\n"}) {
    std::ofstream(script) << text;
    chmod(script.c_str(), 0700);
    const auto result = RunPtxas(script, Kernel(""), 80);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kNotFound) << text << result.status();
    EXPECT_THAT(std::string(result.status().message()), HasSubstr(script));
  }
}

}  // namespace
}  // namespace halyard::lowering::gpu
