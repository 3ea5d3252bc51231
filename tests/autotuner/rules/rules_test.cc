#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "autotuner/measure/oracle.h"
#include "autotuner/rules/rounding_rules.h"
#include "autotuner/rules/special_values.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using hlo::ElementType;

std::vector<OutputRule> RulesOfText(const std::string& body) {
  lowering::KernelRequest request;
  request.hlo = absl::StrCat("HloModule k\n\n", body);
  absl::StatusOr<TrialData> data = MakeTrialData(request);
  EXPECT_TRUE(data.ok()) << data.status() << body;
  if (!data.ok()) return {};
  std::vector<OutputRule> rules;
  for (const TrialCase& one : data->cases) rules.push_back(one.rules[0]);
  return rules;
}

TEST(Rules, StrictOpsHaveTheirBits) {
  const auto rules = RulesOfText(
      "ENTRY e {\n  a = bf16[64] parameter(0)\n  b = bf16[64] parameter(1)\n  m = bf16[64] "
      "multiply(a, b)\n  c = f32[64] convert(m)\n  ROOT d = f32[64] divide(c, c)\n}\n");
  for (const OutputRule& rule : rules) {
    EXPECT_EQ(rule.of_largest, 0);
    EXPECT_EQ(rule.of_element, 0);
    EXPECT_EQ(rule.absolute, 0);
  }
  EXPECT_TRUE(rules[2].signed_zeros);
}

TEST(Rules, FactorsOfFewBitsDoNotMakeSumsInexact) {
  const auto rules = RulesOfText(
      "ENTRY e {\n  a = bf16[4,1024] parameter(0)\n  b = bf16[1024,4] parameter(1)\n  ROOT d = "
      "f32[4,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
  EXPECT_LT(rules[0].of_largest, 1e-4);
  EXPECT_EQ(rules[0].of_element, 0);
  EXPECT_EQ(rules[1].of_largest, 0) << "whole numbers are exact";
  EXPECT_GT(rules[2].of_largest, 0);
}

TEST(Rules, WhatIsRoundedLastIsOneUnitOff) {
  const auto rules = RulesOfText(
      "ENTRY e {\n  a = f32[4,1024] parameter(0)\n  b = f32[1024,4] parameter(1)\n  d = f32[4,4] "
      "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  t = f32[4,4] tanh(d)\n  "
      "ROOT c = bf16[4,4] convert(t)\n}\n");
  for (const OutputRule& rule : rules) {
    EXPECT_LT(rule.of_largest, 1e-4);
    EXPECT_EQ(rule.of_element, 0x1p-7);
  }
}

TEST(Rules, NarrowSumsAreRoundedOnce) {
  for (const auto& [op, of_largest] : {std::pair("add", 1e-4), {"power", 1.0}}) {
    const auto rules = RulesOfText(absl::StrCat(
        "f {\n  a = bf16[] parameter(0)\n  b = bf16[] parameter(1)\n  ROOT c = bf16[] ", op,
        "(a, b)\n}\nENTRY e {\n  x = bf16[4,1024] parameter(0)\n  s = bf16[] constant(0)\n  ROOT r "
        "= bf16[4] reduce(x, s), dimensions={1}, to_apply=f\n}\n"));
    EXPECT_LT(rules[0].of_largest, of_largest) << op;
    EXPECT_GT(rules[0].of_largest, of_largest / 100) << op;
    EXPECT_EQ(rules[0].of_element, 0x1p-7) << op;
  }
}

TEST(Rules, WhatIsComputedFromRoundedValuesIsFourUnitsOff) {
  const auto rules = RulesOfText(
      "ENTRY e {\n  a = bf16[64] parameter(0)\n  b = bf16[64] exponential(a)\n  c = bf16[64] "
      "add(b, a)\n  d = bf16[64] multiply(c, b)\n  f = bf16[64] multiply(d, b)\n  g = bf16[64] "
      "add(f, d)\n  ROOT h = f32[64] convert(g)\n}\n");
  EXPECT_GT(rules[0].of_largest, 3 * 0x1p-7);
  EXPECT_LT(rules[0].of_largest, 4.1 * 0x1p-7);
}

TEST(Rules, SumsOfMoreTermsMayDifferByMore) {
  auto dot = [](int k) {
    return RulesOfText(absl::StrCat("ENTRY e {\n  a = f32[4,", k, "] parameter(0)\n  b = f32[", k,
                                    ",4] parameter(1)\n  ROOT d = f32[4,4] dot(a, b), "
                                    "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n"))[0];
  };
  EXPECT_EQ(dot(16).type, ElementType::kF32);
  EXPECT_NEAR(dot(16).of_largest, (64 + 8 * 4) * 0x1p-23, 1e-9);
  EXPECT_NEAR(dot(4096).of_largest, (64 + 8 * 64) * 0x1p-23, 1e-9);
}

TEST(Rules, IntegersThatFollowFromInexactNumbersMayDifferInOne) {
  const auto rules = RulesOfText(
      "ENTRY e {\n  a = f32[64] parameter(0)\n  t = f32[64] tanh(a)\n  ROOT p = pred[64] "
      "compare(t, a), direction=LT\n}\n");
  EXPECT_EQ(rules[0].may_differ, 1);
  EXPECT_EQ(RulesOfText("ENTRY e {\n  a = f32[64] parameter(0)\n  ROOT p = pred[64] compare(a, a), "
                        "direction=LT\n}\n")[0]
                .may_differ,
            0);
}

std::unique_ptr<hlo::Module> Parse(const std::string& text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = hlo_text::ParseModule(text, "kernel.hlo");
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return *std::move(module);
}

runtime::DeviceInfo DeviceOf(runtime::DeviceKind kind) {
  runtime::DeviceInfo info;
  info.kind = kind;
  return info;
}

const runtime::DeviceInfo kX86 = DeviceOf(runtime::DeviceKind::kX86);
const runtime::DeviceInfo kCuda = DeviceOf(runtime::DeviceKind::kCuda);

// Returns softmax(q k) v as one kernel. `end` holds the name of the product, and what follows.
std::string Attention(const std::string& end) {
  return R"(HloModule k
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  q = f32[1,2,8,4] parameter(0)
  k = f32[1,2,9,4] parameter(1)
  v = f32[1,2,9,5] parameter(2)
  scores = f32[1,2,8,9] dot(q, k), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={3}
  half = f32[] constant(0.5)
  halves = f32[1,2,8,9] broadcast(half), dimensions={}
  x = f32[1,2,8,9] multiply(scores, halves)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[1,2,8] reduce(x, low), dimensions={3}, to_apply=max
  mb = f32[1,2,8,9] broadcast(m), dimensions={0,1,2}
  d = f32[1,2,8,9] subtract(x, mb)
  w = f32[1,2,8,9] exponential(d)
  s = f32[1,2,8] reduce(w, zero), dimensions={3}, to_apply=sum
  sb = f32[1,2,8,9] broadcast(s), dimensions={0,1,2}
  p = f32[1,2,8,9] divide(w, sb)
)" + end;
}

constexpr char kProduct[] =
    " = f32[1,2,8,5] dot(p, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, "
    "lhs_contracting_dims={3}, rhs_contracting_dims={2}\n";

// Attention divides last, and weights may underflow in one way of computing it and not in the
// other.
TEST(Rules, AttentionMayGiveNaNForInfinities) {
  const auto attention = Parse(Attention(absl::StrCat("  ROOT r", kProduct, "}\n")));
  const Specials specials = SpecialsFor(*attention, kX86);
  EXPECT_TRUE(specials.not_finite);
  const OutputRule rule = RulesOf(*attention, InputKind::kSpecial, specials)[0];
  EXPECT_TRUE(rule.nan_for_infinity);
  EXPECT_FALSE(rule.nan_for_number);
  EXPECT_FALSE(RulesOf(*attention, InputKind::kPlain, specials)[0].nan_for_infinity);
  // In a program that computes with the result, anything may follow from that.
  const auto program = Parse(Attention(absl::StrCat(
      "  o", kProduct, "  zeros = f32[1,2,8,5] broadcast(zero), dimensions={}\n",
      "  big = f32[1,2,8,5] maximum(o, zeros)\n  ROOT r = f32[1,2,5] reduce(big, zero), ",
      "dimensions={2}, to_apply=sum\n}\n")));
  EXPECT_FALSE(SpecialsFor(*program, kX86).not_finite);
}

std::string Convolution(const std::string& type, const std::string& window,
                        const std::string& end) {
  return absl::StrCat("HloModule k\nENTRY e {\n  a = ", type,
                      "[1,12,12,4] parameter(0)\n  w = ", type, window,
                      ", dim_labels=b01f_01io->b01f", end, "\n}\n");
}

// Sums of whole numbers are inexact only where Winograd's algorithm may be used.
TEST(Rules, ConvolutionsOfWholeNumbersAreExactButForWinograds) {
  auto tolerance = [](const std::string& text) {
    return RulesOf(*Parse(text), InputKind::kWhole)[0].of_largest;
  };
  const std::string three =
      "[3,3,4,8] parameter(1)\n  ROOT c = f32[1,10,10,8] convolution(a, w), window={size=3x3}";
  EXPECT_GT(tolerance(Convolution("f32", three, "")), 0);
  EXPECT_EQ(tolerance(Convolution("f32", three, ", operand_precision={highest,highest}")), 0);
  EXPECT_EQ(tolerance(Convolution("f32",
                                  "[5,5,4,8] parameter(1)\n  ROOT c = f32[1,8,8,8] "
                                  "convolution(a, w), window={size=5x5}",
                                  "")),
            0);
}

// A convolution may give NaN instead of a number. What this number decides could then be different.
TEST(Rules, WhatConvolutionsDecideSeesNothingThatIsNotFinite) {
  const std::string three =
      "[3,3,4,8] parameter(1)\n  c = f32[1,10,10,8] convolution(a, w), window={size=3x3}";
  const std::string zeros =
      "\n  zero = f32[] constant(0)\n  z = f32[1,10,10,8] broadcast(zero), dimensions={}\n";
  const auto largest =
      Parse(Convolution("f32", three, zeros + "  ROOT r = f32[1,10,10,8] maximum(c, z)"));
  EXPECT_TRUE(SpecialsFor(*largest, kX86).not_finite);
  const auto chosen =
      Parse(Convolution("f32", three,
                        zeros + "  p = pred[1,10,10,8] compare(c, z), direction=GT\n"
                                "  ROOT r = f32[1,10,10,8] select(p, c, z)"));
  EXPECT_FALSE(SpecialsFor(*chosen, kX86).not_finite);
}

std::string Dot(const std::string& type, int64_t terms, const std::string& algorithm) {
  return absl::StrCat("HloModule k\nENTRY e {\n  a = ", type, "[64,", terms,
                      "] parameter(0)\n  b = ", type, "[", terms,
                      ",8] parameter(1)\n  ROOT d = f32[64,8] dot(a, b), ",
                      "lhs_contracting_dims={1}, rhs_contracting_dims={0}", algorithm, "\n}\n");
}

// Tensor cores fill products up with zeros, so a product that is -0 becomes +0.
TEST(Rules, ProductsOfOneTermHaveNoSignOfZero) {
  EXPECT_FALSE(SpecialsFor(*Parse(Dot("f16", 1, "")), kX86).signed_zeros);
}

// A dot's algorithm rounds factors where there are tensor cores, and nowhere else.
TEST(Rules, FactorsThatAnAlgorithmRoundsAreNotExtreme) {
  const Specials exact = SpecialsFor(*Parse(Dot("f32", 32, "")), kX86);
  EXPECT_TRUE(exact.denormals && exact.one_large);
  for (const char* name : {"dot_bf16_bf16_f32", "dot_tf32_tf32_f32"}) {
    const Specials rounded =
        SpecialsFor(*Parse(Dot("f32", 32, absl::StrCat(", algorithm=", name))), kX86);
    EXPECT_TRUE(!rounded.denormals && rounded.one_large && rounded.not_finite) << name;
  }
  const Specials f16 = SpecialsFor(*Parse(Dot("f32", 32, ", algorithm=dot_f16_f16_f32")), kX86);
  EXPECT_TRUE(!f16.denormals && !f16.one_large && !f16.extremes && f16.not_finite);
}

// Tensor cores keep 14 bits of the sums of products of 8-bit floats, and add 32 of them at a time.
TEST(Rules, TensorCoresSumEightBitFloatsRoughly) {
  auto tolerance = [](const std::string& text, const runtime::DeviceInfo& device) {
    const auto module = Parse(text);
    return RulesOf(*module, InputKind::kPlain, SpecialsFor(*module, device))[0].of_largest;
  };
  for (const int64_t terms : {64, 1024}) {
    const std::string f8 = Dot("f8e4m3fn", terms, "");
    const double exact = tolerance(f8, kX86);
    EXPECT_LT(exact, 0x1p-14);
    EXPECT_EQ(tolerance(f8, kCuda), exact + 0x1p-13 * (terms == 64 ? 4 : 32));
  }
  EXPECT_EQ(tolerance(Dot("f16", 64, ""), kCuda), tolerance(Dot("f16", 64, ""), kX86));
}

}  // namespace
}  // namespace halyard::autotuner
