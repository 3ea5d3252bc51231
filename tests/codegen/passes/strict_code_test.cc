// Tests that LLVM is told nothing about the floats of x86 kernels that IEEE 754 does not say.
// tests/data/check/specials_of_sums.py and specials_of_conversions.py test values. This test looks
// at the code, because a value only shows what LLVM made of its licence this time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tests/sample.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

// Returns the instructions with a fast-math flag in LLVM's text: "%3 = fadd nnan float %1, %2".
// Halide's conversions have them; strict_code.h says why that does no harm.
std::vector<std::string> Relaxed(const std::string& llvm) {
  static const std::regex kFlag(R"(\b(fast|nnan|ninf|nsz|arcp|afn|reassoc)\b)");
  std::vector<std::string> found;
  for (absl::string_view line : absl::StrSplit(llvm, '\n')) {
    if (absl::StrContains(line, "\"") || !absl::StrContains(line, " = ")) continue;
    if (absl::StrContains(line, " = fptrunc ") || absl::StrContains(line, " = fpext ")) continue;
    if (std::regex_search(line.begin(), line.end(), kFlag)) found.emplace_back(line);
  }
  return found;
}

size_t Count(const std::string& text, const char* pattern) {
  const std::regex wanted(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), wanted),
                       std::sregex_iterator());
}

struct Case {
  const char* name;
  const char* hlo;  // T stands for the element type
};

#define FOLD(op) op " { a = T[] parameter(0) b = T[] parameter(1) ROOT s = T[] " op "(a, b) }\n"

const Case kCases[] = {
    {"sum_of_rows",
     "HloModule m\n" FOLD("add") "ENTRY e { a = T[33,257] parameter(0) z = T[] constant(0) "
                                 "ROOT r = T[33] reduce(a, z), dimensions={1}, to_apply=add }"},
    {"sum_of_columns",
     "HloModule m\n" FOLD("add") "ENTRY e { a = T[257,33] parameter(0) z = T[] constant(0) "
                                 "ROOT r = T[33] reduce(a, z), dimensions={0}, to_apply=add }"},
    {"sum_of_all",
     "HloModule m\n" FOLD("add") "ENTRY e { a = T[100000] parameter(0) z = T[] constant(0) "
                                 "ROOT r = T[] reduce(a, z), dimensions={0}, to_apply=add }"},
    {"product", "HloModule m\n" FOLD(
                    "multiply") "ENTRY e { a = T[33,257] parameter(0) z = T[] constant(1) "
                                "ROOT r = T[33] reduce(a, z), dimensions={1}, to_apply=multiply }"},
    {"softmax",
     "HloModule m\n" FOLD("add") FOLD(
         "maximum") "ENTRY e { a = T[33,257] parameter(0) z = T[] constant(0) low = T[] "
                    "constant(-inf) "
                    "m = T[33] reduce(a, low), dimensions={1}, to_apply=maximum "
                    "mb = T[33,257] broadcast(m), dimensions={0} d = T[33,257] subtract(a, mb) "
                    "x = T[33,257] exponential(d) s = T[33] reduce(x, z), dimensions={1}, "
                    "to_apply=add "
                    "sb = T[33,257] broadcast(s), dimensions={0} ROOT r = T[33,257] divide(x, sb) "
                    "}"},
    {"dot",
     "HloModule m\nENTRY e { a = T[65,129] parameter(0) b = T[129,70] parameter(1) ROOT r = "
     "T[65,70] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"},
    {"dot_of_masks",
     "HloModule m\nENTRY e { a = T[65,129] parameter(0) b = pred[129,70] parameter(1) "
     "c = T[129,70] convert(b) d = T[65,70] dot(a, c), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0} ROOT r = pred[65,70] compare(d, d), direction=NE }"},
    {"matrix_times_vector",
     "HloModule m\nENTRY e { a = T[65,129] parameter(0) b = T[129] parameter(1) ROOT r = "
     "T[65] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"},
    {"three_terms",
     "HloModule m\nENTRY e { a = T[3] parameter(0) b = T[3] parameter(1) ROOT r = T[] dot(a, b), "
     "lhs_contracting_dims={0}, rhs_contracting_dims={0} }"},
    {"convolution",
     "HloModule m\nENTRY e { a = T[2,20,20,8] parameter(0) b = T[3,3,8,16] parameter(1) ROOT r = "
     "T[2,20,20,16] convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f "
     "}"},
    {"window_sum",
     "HloModule m\n" FOLD(
         "add") "ENTRY e { a = T[33,64] parameter(0) z = T[] constant(0) "
                "ROOT r = T[33,60] reduce-window(a, z), window={size=1x5}, to_apply=add }"},
    {"cumulative_sum",
     "HloModule m\n" FOLD("add") "ENTRY e { a = T[3,1000] parameter(0) z = T[] constant(0) "
                                 "ROOT r = T[3,1000] reduce-window(a, z), window={size=1x1000 "
                                 "pad=0_0x999_0}, to_apply=add }"},
    {"select",
     "HloModule m\nENTRY e { p = pred[1000] parameter(0) a = T[1000] parameter(1) "
     "b = T[1000] parameter(2) ROOT r = T[1000] select(p, a, b) }"},
    {"square_root", "HloModule m\nENTRY e { a = T[1000] parameter(0) ROOT r = T[1000] sqrt(a) }"},
    {"floor", "HloModule m\nENTRY e { a = T[1000] parameter(0) ROOT r = T[1000] floor(a) }"},
    {"clamp",
     "HloModule m\nENTRY e { l = T[] parameter(0) a = T[1000] parameter(1) u = T[] "
     "parameter(2) lb = T[1000] broadcast(l), dimensions={} ub = T[1000] broadcast(u), "
     "dimensions={} ROOT r = T[1000] clamp(lb, a, ub) }"},
};

class StrictCode : public ::testing::TestWithParam<std::tuple<Case, const char*, const char*>> {};

TEST_P(StrictCode, HasNoFastMathFlags) {
  const auto& [c, type, target] = GetParam();
  const bool complex = absl::StartsWith(type, "c");
  const std::string name = c.name;
  if (complex && (name == "softmax" || name == "floor" || name == "clamp")) return;
  std::string hlo = absl::StrReplaceAll(c.hlo, {{"T[", absl::StrCat(type, "[")}});
  if (complex)
    hlo = absl::StrReplaceAll(
        hlo, {{"constant(0)", "constant((0, 0))"}, {"constant(1)", "constant((1, 0))"}});
  const auto reply = CompileHlo(hlo, InfoNamed(target), "", {}, true);
  ASSERT_TRUE(reply.ok()) << reply.status();
  ASSERT_THAT(reply->dump.llvm, ::testing::HasSubstr("define"));
  EXPECT_THAT(Relaxed(reply->dump.llvm), ::testing::IsEmpty());
}

// Without $HALYARD_ALL_CASES (tests/sample.h), every case has every type, and targets take turns,
// so that each has every case and every type.
std::vector<std::tuple<Case, const char*, const char*>> StrictCases() {
  const std::vector<const char*> types = {"f32", "f64", "bf16", "c64"},
                                 targets = {"x86:v2", "x86:v3", "x86:v4"};
  std::vector<std::tuple<Case, const char*, const char*>> cases;
  for (size_t c = 0; c < std::size(kCases); ++c) {
    for (size_t type = 0; type < types.size(); ++type) {
      for (size_t target = 0; target < targets.size(); ++target) {
        if (AllCases() || (c + type) % targets.size() == target)
          cases.emplace_back(kCases[c], types[type], targets[target]);
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(OnX86, StrictCode, ::testing::ValuesIn(StrictCases()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(
                               absl::StrCat(std::get<0>(info.param).name, "_",
                                            std::get<1>(info.param), "_", std::get<2>(info.param)),
                               {{":", "_"}});
                         });

// Tests a zero that only shows once the kernel is lowered. LLVM keeps the rules of a strict
// addition, so the selects that Vulkan gets are not needed.
TEST(ZeroOperands, AnAdditionStaysOne) {
  const auto reply = CompileHlo(
      "HloModule m\nENTRY e { x = f32[40] parameter(0) n = f32[] constant(0) u = f32[] constant(1) "
      "zero = f32[40] broadcast(n), dimensions={} one = f32[40] broadcast(u), dimensions={} "
      "p = pred[40] compare(x, x), direction=GT z = f32[40] select(p, one, zero) "
      "ROOT r = f32[40] add(x, z) }",
      InfoNamed("x86:v3"), "", {}, true);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_GT(Count(reply->dump.llvm, "= fadd "), 0u);
}

// LLVM joins the calls of `llvm.fma` that Halide makes for each lane into vector instructions. A
// call that stayed alone would be slow, but no value would show it.
TEST(FusedMultiplyAdd, IsOfVectors) {
  for (const char* target : {"x86:v3", "x86:v4"}) {
    for (const char* type : {"f32", "f64"}) {  // complex products are not vectorized
      for (const Case& c : kCases) {
        const std::string name = c.name;
        if (name != "dot" && name != "convolution") continue;
        const std::string hlo = absl::StrReplaceAll(c.hlo, {{"T[", absl::StrCat(type, "[")}});
        const auto reply = CompileHlo(hlo, InfoNamed(target), "", {}, true);
        ASSERT_TRUE(reply.ok()) << reply.status();
        const std::string& code = reply->dump.assembly;
        EXPECT_GT(Count(code, R"(vfn?m(add|sub)\d+p[sd]\s)"), 0u) << target << " " << type << name;
        EXPECT_EQ(Count(code, R"(vfn?m(add|sub)\d+s[sd]\s)"), 0u) << target << " " << type << name;
        EXPECT_EQ(Count(code, R"(call\w*\s+fmaf?\b)"), 0u) << target << " " << type << name;
      }
    }
  }
}

// Without the instruction, `llvm.fma` would be a call into libm, which kernels do not have.
TEST(FusedMultiplyAdd, IsNotAskedOfCpusWithoutIt) {
  for (const Case& c : kCases) {
    if (std::string(c.name) != "dot") continue;
    const auto reply =
        CompileHlo(absl::StrReplaceAll(c.hlo, {{"T[", "f32["}}), InfoNamed("x86:v2"), "", {}, true);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(Count(reply->dump.assembly, R"(fma)"), 0u);
  }
}

}  // namespace
}  // namespace halyard::testing
