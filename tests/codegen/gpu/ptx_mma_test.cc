#include "codegen/gpu/ptx/ptx_mma.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::lowering::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kMma[] = "halyard_intrinsic_mma_m16n8k16_f16";

// Returns a call in the form that LLVM prints.
std::string Call(const std::string& function, const std::vector<std::string>& arguments,
                 const std::string& result) {
  std::string text = "\t{ // callseq 0, 0\n";
  std::vector<std::string> parameters;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::StrAppend(&text, "\t.param .b32 \tparam", i, ";\n\tst.param.b32 \t[param", i, "], ",
                    arguments[i], ";\n");
    parameters.push_back(absl::StrCat("param", i));
  }
  absl::StrAppend(&text, "\t.param .b32 \tretval0;\n\tcall.uni (retval0), ", function, ", (",
                  absl::StrJoin(parameters, ", "), ");\n\tld.param.b32 \t", result,
                  ", [retval0];\n\t} // callseq 0\n");
  return text;
}

// Returns the calls of one product, each of which takes the results before it: %r10 … %r13 of %r0 …
// %r3, and the words %r4 … %r9.
std::vector<std::string> Group(const std::vector<int>& order = {0, 1, 2, 3}) {
  std::vector<std::string> c = {"%r0", "%r1", "%r2", "%r3"}, calls;
  for (int i : order) {
    std::vector<std::string> arguments = c;
    for (int w = 4; w < 10; ++w) arguments.push_back(absl::StrCat("%r", w));
    const std::string result = absl::StrCat("%r", 10 + i);
    calls.push_back(Call(absl::StrCat(kMma, "_", i), arguments, result));
    c[i] = result;
  }
  return calls;
}

std::string Module(const std::string& body) {
  return absl::StrCat(".version 7.0\n.target sm_80\n.address_size 64\n\n",
                      ".extern .func  (.param .b32 func_retval0) ", kMma, "_0\n(\n\t.param .b32 ",
                      kMma, "_0_param_0\n)\n;\n",
                      ".visible .entry k(\n\t.param .u64 k_param_0\n)\n",
                      "{\n\t.reg .pred \t%p<3>;\n\t.reg .b32 \t%r<30>;\n\t.reg .b64 \t%rd<9>;\n\n",
                      body, "\tret;\n}\n");
}

std::string Good(const std::string& body) {
  const auto ptx = RewriteIntrinsics(Module(body), 80);
  EXPECT_TRUE(ptx.ok()) << ptx.status();
  if (!ptx.ok()) return "";
  EXPECT_THAT(*ptx, Not(HasSubstr("halyard_intrinsic")));
  EXPECT_THAT(*ptx, Not(HasSubstr("callseq")));
  const auto assembled = RunPtxas(HALYARD_PTXAS, *ptx, 80);
  EXPECT_TRUE(assembled.ok()) << assembled.status() << *ptx;
  return *ptx;
}

// Returns what the refusal says, or "accepted".
std::string Refusal(const std::string& body, int capability = 80) {
  const auto ptx = RewriteIntrinsics(Module(body), capability);
  return ptx.ok() ? "accepted" : std::string(ptx.status().message());
}

TEST(PtxMmaTest, FourCallsAreOneInstruction) {
  EXPECT_THAT(Good(absl::StrJoin(Group(), "")),
              HasSubstr("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 \t{%r10, %r11, %r12, "
                        "%r13}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r0, %r1, %r2, %r3};"));
}

TEST(PtxMmaTest, ResultsMayBeTheAccumulators) {
  std::string body = absl::StrJoin(Group(), "");
  for (int i = 0; i < 4; ++i)
    body = absl::StrReplaceAll(body, {{absl::StrCat("%r1", i), absl::StrCat("%r", i)}});
  EXPECT_THAT(Good(body), HasSubstr("{%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, "
                                    "{%r0, %r1, %r2, %r3};"));
}

TEST(PtxMmaTest, CallsMayComeInAnyOrder) {
  for (const std::vector<int>& order : {std::vector<int>{0, 2, 1, 3}, {3, 2, 1, 0}}) {
    EXPECT_THAT(Good(absl::StrJoin(Group(order), "")),
                HasSubstr("{%r10, %r11, %r12, %r13}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r0, %r1, "
                          "%r2, %r3};"));
  }
}

TEST(PtxMmaTest, ConstantsAreMovedToRegisters) {
  std::string body = absl::StrReplaceAll(absl::StrJoin(Group(), ""), {{"%r3;", "0f00000000;"}});
  const std::string ptx = Good(body);
  EXPECT_THAT(ptx, HasSubstr("mov.b32 \t%hy_constant0, 0f00000000;"));
  EXPECT_THAT(ptx, HasSubstr("{%r0, %r1, %r2, %hy_constant0};"));
}

TEST(PtxMmaTest, OthersMayStandBetween) {
  std::vector<std::string> calls = Group();
  // A result that is there already, registers of others, pieces in braces.
  calls[1] +=
      "\tmov.b64 \t%rd1, {%r10, %r11};\n\tadd.s32 \t%r20, %r21, 1;\n"
      "\t{ .reg .b16 tmp; mov.b32 {%rs1, tmp}, %r20; }\n";
  const auto ptx = RewriteIntrinsics(Module(absl::StrJoin(calls, "")), 80);
  EXPECT_TRUE(ptx.ok()) << ptx.status();
  EXPECT_THAT(*ptx, HasSubstr("mov.b64 \t%rd1, {%r10, %r11};"));
}

TEST(PtxMmaTest, DamagedGroupsAreRefused) {
  const std::vector<std::string> good = Group();
  auto refusal = [&](size_t call, const std::string& from, const std::string& to) {
    std::vector<std::string> calls = good;
    calls[call] = absl::StrReplaceAll(calls[call], {{from, to}});
    EXPECT_NE(calls[call], good[call]) << from;
    return Refusal(absl::StrJoin(calls, ""));
  };
  EXPECT_THAT(refusal(1, "%r5;", "%r6;"), HasSubstr("other words of A or B"));
  EXPECT_THAT(refusal(3, "%r9;", "%r8;"), HasSubstr("other words of A or B"));
  EXPECT_THAT(refusal(2, "%r10;", "%r1;"), HasSubstr("accumulator that is not its group's"));
  EXPECT_THAT(refusal(1, "%r3;", "%r20;"), HasSubstr("accumulator that is not its group's"));
  EXPECT_THAT(refusal(1, "%r2;", "%r12;"), HasSubstr("accumulator that is not its group's"));
  EXPECT_THAT(refusal(2, "f16_2", "f16_3"), HasSubstr("order"));
  EXPECT_THAT(refusal(2, "f16_2", "f16_7"), HasSubstr("order"));
  EXPECT_THAT(refusal(0, "f16_0", "f16_1"), HasSubstr("order"));
  EXPECT_THAT(refusal(2, "m16n8k16_f16", "m16n8k16_bf16"), HasSubstr("order"));
  EXPECT_THAT(refusal(1, "halyard_intrinsic_mma", "halyard_intrinsic_nma"), HasSubstr("order"));
  EXPECT_THAT(refusal(0, "halyard_intrinsic_mma", "halyard_intrinsic_nma"),
              HasSubstr("no intrinsic"));
  EXPECT_THAT(refusal(3, "ld.param.b32 \t%r13", "ld.param.b32 \t%r12"), HasSubstr("shares"));
  EXPECT_THAT(refusal(3, "ld.param.b32 \t%r13, [retval0];", ""), HasSubstr("no result"));
  EXPECT_THAT(refusal(1, "\tst.param.b32 \t[param6], %r6;\n", ""), HasSubstr("leaves an argument"));
  EXPECT_THAT(refusal(1, "\tst.param.b32 \t[param9], %r9;\n", ""),
              HasSubstr("number of arguments"));
  EXPECT_THAT(refusal(1, "[param6]", "[param5]"), HasSubstr("twice"));
  EXPECT_THAT(refusal(1, "st.param.b32 \t[param6]", "st.param.b64 \t[param6]"), HasSubstr("holds"));
  EXPECT_THAT(refusal(1, "\t} // callseq 0\n", ""), Not(HasSubstr("accepted")));
  EXPECT_THAT(refusal(2, "call.uni", "add.s32 \t%r1, %r1, 1;\n\tcall.uni"), HasSubstr("holds"));
  EXPECT_THAT(Refusal(good[0] + good[1] + good[2]), HasSubstr("less than four"));
  EXPECT_THAT(Refusal(good[0] + good[2] + good[1] + good[3]),
              HasSubstr("accumulator that is not its group's"));
  EXPECT_THAT(Refusal("\tcall.uni " + std::string(kMma) + "_0, ();\n"), HasSubstr("outside"));
}

TEST(PtxMmaTest, WhatStandsBetweenMayNotTouchTheGroup) {
  auto between = [](const std::string& line) {
    std::vector<std::string> calls = Group();
    calls[1] += line;
    return Refusal(absl::StrJoin(calls, ""));
  };
  EXPECT_THAT(between("\tmov.b32 \t%r4, %r20;\n"), HasSubstr("redefined"));
  EXPECT_THAT(between("\tadd.s32 \t%r0, %r20, %r21;\n"), HasSubstr("redefined"));
  EXPECT_THAT(between("\tld.global.v2.b32 \t{%r20, %r11}, [%rd1];\n"), HasSubstr("redefined"));
  EXPECT_THAT(between("\tst.global.b32 \t[%rd1], %r13;\n"), HasSubstr("before it is there"));
  EXPECT_THAT(between("$L__BB0_1:\n"), HasSubstr("another block"));
  EXPECT_THAT(between("\t@%p1 bra \t$L__BB0_1;\n"), HasSubstr("another block"));
}

// mma.sync and shfl.sync need the whole warp.
TEST(PtxMmaTest, ConditionalProductsAreRefused) {
  const std::string group = absl::StrJoin(Group(), "");
  EXPECT_THAT(Refusal("\t@%p1 bra \t$L__BB0_2;\n" + group + "$L__BB0_2:\n"),
              HasSubstr("some lanes of a warp only"));
  EXPECT_THAT(Refusal("\t@%p1 ret;\n" + group), HasSubstr("some lanes of a warp only"));
  EXPECT_THAT(Refusal("\t@%p1 bra \t$L__BB0_9;\n" + group), HasSubstr("nowhere"));
  EXPECT_THAT(Refusal("\t@%p1 bra \t$L__BB0_1;\n\tbra.uni \t$L__BB0_2;\n$L__BB0_1:\n" + group +
                      "$L__BB0_2:\n"),
              HasSubstr("some lanes of a warp only"));
  // Branches that meet before it are no conditions either.
  Good("\t@%p1 bra \t$L__BB0_1;\n\tadd.s32 \t%r1, %r1, 1;\n$L__BB0_1:\n" + group);
  // Loops, and conditions that come later, do not count as conditions.
  Good("$L__BB0_1:\n" + group + "\t@%p1 bra \t$L__BB0_1;\n\t@%p2 bra \t$L__BB0_2;\n" +
       "\tadd.s32 \t%r1, %r1, 1;\n$L__BB0_2:\n");
}

TEST(PtxMmaTest, ScalarIntrinsics) {
  EXPECT_THAT(Good(Call("halyard_intrinsic_round_to_tf32", {"%r1"}, "%r2")),
              HasSubstr("cvt.rna.tf32.f32 %r2, %r1;"));
  EXPECT_THAT(Good(Call("halyard_intrinsic_shuffle_xor", {"%r1", "2"}, "%r2")),
              HasSubstr("shfl.sync.bfly.b32 %r2, %r1, 2, 31, 0xffffffff;"));
  EXPECT_THAT(Good(Call("halyard_intrinsic_shuffle_down", {"0f3F800000", "16"}, "%r2")),
              HasSubstr("shfl.sync.down.b32 %r2, %hy_constant0, 16, 31, 0xffffffff;"));
  EXPECT_THAT(Good(Call("halyard_intrinsic_exp2", {"%r1"}, "%r2")),
              HasSubstr("ex2.approx.ftz.f32 %r2, %r1;"));
  EXPECT_THAT(Good(Call("halyard_intrinsic_maximum", {"%r1", "%r3"}, "%r2")),
              HasSubstr("max.NaN.f32 %r2, %r1, %r3;"));
  // PTX names the upper half first.
  EXPECT_THAT(Good(Call("halyard_intrinsic_round_to_f16", {"%r1", "%r3"}, "%r2")),
              HasSubstr("cvt.rn.f16x2.f32 %r2, %r3, %r1;"));
  EXPECT_THAT(Good(Call("halyard_intrinsic_round_to_bf16", {"%r1", "%r3"}, "%r2")),
              HasSubstr("cvt.rn.bf16x2.f32 %r2, %r3, %r1;"));
  EXPECT_THAT(Refusal(Call("halyard_intrinsic_shuffle_xor", {"%r1", "%r3"}, "%r2")),
              HasSubstr("needs a constant"));
  EXPECT_THAT(Refusal(Call("halyard_intrinsic_shuffle_xor", {"%r1"}, "%r2")),
              HasSubstr("number of arguments"));
  EXPECT_THAT(Refusal("\t@%p1 bra \t$L__BB0_2;\n" +
                      Call("halyard_intrinsic_shuffle_xor", {"%r1", "1"}, "%r2") + "$L__BB0_2:\n"),
              HasSubstr("some lanes of a warp only"));
  EXPECT_THAT(Refusal(Call("halyard_intrinsic_round_to_tf32", {"%r1"}, "%r2"), 75),
              HasSubstr("needs sm_80; the device is sm_75"));
}

// The load of the counter becomes the atomic's address, and is gone.
TEST(PtxMmaTest, GroupsCountThemselves) {
  const std::string load = "\tld.global.nc.b32 \t%r1, [%rd1+8];\n";
  const std::string call = Call("halyard_intrinsic_arrive", {"%r1", "7"}, "%r2");
  const std::string ptx = Good("\tmov.b64 \t%rd1, 256;\n" + load + call);
  EXPECT_THAT(ptx, HasSubstr("\tfence.acq_rel.gpu;\n\tatom.relaxed.gpu.global.inc.u32 \t%r2, "
                             "[%rd1+8], 7;\n\tfence.acq_rel.gpu;\n"));
  EXPECT_THAT(ptx, Not(HasSubstr("ld.global")));
  EXPECT_THAT(Refusal(load + call, 60), HasSubstr("needs sm_70; the device is sm_60"));
  EXPECT_THAT(Refusal(call), HasSubstr("has a counter that is not loaded"));
  EXPECT_THAT(Refusal(load + Call("halyard_intrinsic_arrive", {"%r1", "%r3"}, "%r2")),
              HasSubstr("has no counter and constant"));
  EXPECT_THAT(Refusal(load + Call("halyard_intrinsic_arrive", {"%r1"}, "%r2")),
              HasSubstr("has no counter and constant"));
  EXPECT_THAT(Refusal(load + call + "\tadd.s32 \t%r3, %r1, 1;\n"),
              HasSubstr("a counter of groups that arrive is not only counted: line"));
}

TEST(PtxMmaTest, OtherCallsStay) {
  const std::string other =
      "\t{ // callseq 1, 0\n\t.param .b64 \tparam0;\n\tst.param.b64 \t[param0], %rd1;\n"
      "\tcall.uni other, (param0);\n\t} // callseq 1\n";
  const auto ptx = RewriteIntrinsics(Module(other + absl::StrJoin(Group(), "")), 80);
  ASSERT_TRUE(ptx.ok()) << ptx.status();
  EXPECT_THAT(*ptx, HasSubstr(other));
  EXPECT_THAT(*ptx, HasSubstr("mma.sync"));
  // If there is nothing to do, the text stays as it is.
  EXPECT_EQ(*RewriteIntrinsics("anything {\n", 80), "anything {\n");
}

}  // namespace
}  // namespace halyard::lowering::gpu
