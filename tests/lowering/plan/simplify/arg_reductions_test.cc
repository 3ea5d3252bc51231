// Reductions that find positions of extremes, with bodies of many forms, beside the evaluator,
// which does what the body says, element after element.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_interpreter.h"

namespace halyard::lowering {
namespace {

using hlo::ElementType;
using hlo::Literal;

// Bodies of pairs (a, i) and (b, j), whose results are v and k. In all of them, GT stands for what
// makes a value win.
constexpr char kJax[] =
    "gt = pred[] compare(a, b), direction=GT nan = pred[] compare(a, a), direction=NE "
    "w = pred[] or(gt, nan) eq = pred[] compare(a, b), direction=EQ "
    "lt = pred[] compare(i, j), direction=LT tie = pred[] and(eq, lt) o = pred[] or(w, tie) "
    "v = f32[] select(w, a, b) k = s32[] select(o, i, j)";
// The first one stays unless the second one wins.
constexpr char kSecondWins[] =
    "gt = pred[] compare(b, a), direction=GT an = pred[] compare(a, a), direction=NE "
    "bn = pred[] compare(b, b), direction=NE na = pred[] not(an) nb = pred[] and(bn, na) "
    "w = pred[] or(gt, nb) v = f32[] select(w, b, a) k = s32[] select(w, j, i)";
// NaN never wins: the result depends on where it is.
constexpr char kWithoutNan[] =
    "ge = pred[] compare(a, b), direction=GE v = f32[] select(ge, a, b) "
    "k = s32[] select(ge, i, j)";
// The last one of equal ones.
constexpr char kLast[] =
    "gt = pred[] compare(a, b), direction=GT nan = pred[] compare(a, a), direction=NE "
    "w = pred[] or(gt, nan) v = f32[] select(w, a, b) k = s32[] select(w, i, j)";
// The order of bits, in which -0 is less than +0.
constexpr char kTotalOrder[] =
    "w = pred[] compare(a, b), direction=GE, type=TOTALORDER v = f32[] select(w, a, b) "
    "k = s32[] select(w, i, j)";

struct Program {
  std::string body, start = "-inf", first = "0", results = "k";
  std::string dims = "[4,9]", out = "[4]";
  int reduced = 1;
};

std::string TextOf(const Program& p) {
  const bool both = p.results == "vk";
  const std::string shape = absl::StrCat("(f32", p.out, ", s32", p.out, ")");
  return absl::StrCat(
      "HloModule m\nbody { a = f32[] parameter(0) i = s32[] parameter(1) b = f32[] parameter(2) "
      "j = s32[] parameter(3) ",
      p.body, " ROOT t = (f32[], s32[]) tuple(v, k) }\nENTRY e { x = f32", p.dims,
      " parameter(0) p = s32", p.dims, " iota(), iota_dimension=", p.reduced,
      " s = f32[] constant(", p.start, ") z = s32[] constant(", p.first, ") r = ", shape,
      " reduce(x, p, s, z), dimensions={", p.reduced, "}, to_apply=body rk = s32", p.out,
      " get-tuple-element(r), index=1 ",
      both ? absl::StrCat("rv = f32", p.out, " get-tuple-element(r), index=0 ROOT t = ", shape,
                          " tuple(rv, rk) }")
           : absl::StrCat("ROOT n = s32", p.out, " negate(rk) }"));
}

// Rows with ties, with zeros of both signs, with infinities only, and with NaN in several places.
Literal Values(const hlo::Shape& shape) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = NAN;
  const std::vector<double> row[] = {{1, 3, -2, 3, 0, 3, 1, -7, -7},
                                     {-0.0, 0.0, -0.0, -1, 0.0, -inf, -1, -0.0, 0.0},
                                     {-inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf},
                                     {2, inf, nan, 5, -nan, inf, -inf, nan, 1}};
  Literal x(shape.WithDefaultLayout());
  for (int64_t i = 0; i < x.shape().NumElements(); ++i) {
    const double value = row[i / 9 % 4][i % 9];
    if (hlo::IsFloat(shape.element_type())) {
      x.SetFloat(i, value);
    } else {
      x.SetInt(i, std::isfinite(value) ? static_cast<int64_t>(value) : 0);
    }
  }
  return x;
}

// Returns whether the reduction was split. The results must be those of the evaluator.
bool IsSplit(const std::string& text, const std::string& without = "") {
  const auto module = Parse(text);
  if (module == nullptr) return false;
  PlanOptions options = X86Options();
  options.without = *ParseRewrites(without);
  const Literal x = Values(module->entry()->parameters()[0]->shape);
  const ProgramSpec spec = PlanOf(*module, options);
  const auto want = hlo::Evaluator().Run(*module, {x});
  const auto got = InterpretPlan(spec, {x});
  EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status();
  if (want.ok() && got.ok()) {
    const std::vector<Literal> flat =
        want->shape().IsTuple() ? want->elements() : std::vector<Literal>{*want};
    for (size_t i = 0; i < flat.size(); ++i)
      EXPECT_EQ((*got)[i].ToString(), flat[i].ToString()) << text;
  }
  for (const auto& kernel : spec.kernels)
    if (absl::StrContains(kernel.request, "p3: s32[])") ||
        absl::StrContains(kernel.request, "p3: s64[])")) {
      return false;
    }
  return true;
}

// Returns the body in which the least value wins.
std::string Least(const std::string& body) {
  return absl::StrReplaceAll(body, {{"direction=GT", "direction=LT"}});
}

TEST(ArgReductions, BecomeTwoReductions) {
  for (const char* body : {kJax, kSecondWins}) {
    EXPECT_TRUE(IsSplit(TextOf({.body = body})));
    EXPECT_TRUE(IsSplit(TextOf({.body = Least(body), .start = "inf"})));
    EXPECT_FALSE(IsSplit(TextOf({.body = body}), "arg-reductions"));
    EXPECT_TRUE(IsSplit(TextOf({.body = body, .dims = "[9,4]", .out = "[4]", .reduced = 0})));
    EXPECT_TRUE(IsSplit(TextOf({.body = body, .dims = "[2,9,4]", .out = "[2,4]", .reduced = 1})));
  }
}

TEST(ArgReductions, OfIntegersAndNarrowFloats) {
  for (const char* type : {"s32", "u8", "s64", "bf16", "f16"}) {
    const bool integer = *type == 's' || *type == 'u';
    for (const bool both : {false, true}) {
      const std::string text =
          absl::StrReplaceAll(TextOf({.body = kSecondWins,
                                      .start = std::string(type) == "s32"   ? "-2147483648"
                                               : std::string(type) == "s64" ? "-9223372036854775808"
                                               : integer                    ? "0"
                                                                            : "-inf",
                                      .results = both ? "vk" : "k"}),
                              {{"f32", type}});
      // Which zero is the extreme depends on the body.
      EXPECT_EQ(IsSplit(text), integer || !both) << text;
    }
  }
}

TEST(ArgReductions, OthersStay) {
  for (const char* body : {kWithoutNan, kLast, kTotalOrder})
    EXPECT_FALSE(IsSplit(TextOf({.body = body}))) << body;
  EXPECT_FALSE(IsSplit(TextOf({.body = kJax, .start = "0"})));
  EXPECT_FALSE(IsSplit(TextOf({.body = kJax, .start = "inf"})));
  EXPECT_FALSE(IsSplit(TextOf({.body = kJax, .first = "3"})));
  EXPECT_FALSE(IsSplit(TextOf({.body = kJax, .results = "vk"})));
  // A value meets a position, which says no more than an order only by chance.
  EXPECT_FALSE(IsSplit(absl::StrReplaceAll(
      TextOf({.body = "gt = pred[] compare(b, a), direction=GT big = pred[] compare(a, j), "
                      "direction=GT w = pred[] xor(gt, big) v = f32[] select(w, b, a) k = s32[] "
                      "select(w, j, i)",
              .start = "-2147483648"}),
      {{"f32", "s32"}})));
  // The first element, whose position is that of the initial value, is left out.
  EXPECT_FALSE(IsSplit(TextOf(
      {.body = "gt = pred[] compare(b, a), direction=GT an = pred[] compare(a, a), direction=NE bn "
               "= pred[] compare(b, b), direction=NE na = pred[] not(an) nb = pred[] and(bn, na) "
               "y = pred[] or(gt, nb) ne = pred[] compare(i, j), direction=NE w = pred[] and(y, "
               "ne) v = f32[] select(w, b, a) k = s32[] select(w, j, i)"})));
  // The body has wider positions than the operand.
  EXPECT_FALSE(IsSplit(absl::StrReplaceAll(TextOf({.body = kSecondWins}),
                                           {{"i = s32[]", "i = s64[]"},
                                            {"j = s32[]", "j = s64[]"},
                                            {"k = s32[]", "k = s64[]"},
                                            {"ROOT t = (f32[], s32[])", "ROOT t = (f32[], s64[])"},
                                            {"r = (f32[4], s32[4])", "r = (f32[4], s64[4])"},
                                            {"rk = s32", "rk = s64"},
                                            {"n = s32", "n = s64"}})));
  // Positions along another dimension.
  EXPECT_FALSE(IsSplit(
      absl::StrReplaceAll(TextOf({.body = kJax}), {{"iota_dimension=1", "iota_dimension=0"}})));
  // The body computes.
  EXPECT_FALSE(IsSplit(absl::StrReplaceAll(
      TextOf({.body = kJax}),
      {{"k = s32[] select(o, i, j)", "q = s32[] select(o, i, j) k = s32[] add(q, q)"}})));
}

}  // namespace
}  // namespace halyard::lowering
