// Reshapes that move behind what reads them, and reductions of which the columns come first: values
// beside the evaluator, and which kernels there are.
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

using hlo::Literal;

// Integers, so that sums are exact in any order; extremes among them if `special`.
Literal Values(const hlo::Shape& shape, bool special) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double extremes[] = {NAN, inf, -inf, -0.0, 0.0};
  Literal x(shape.WithDefaultLayout());
  for (int64_t i = 0; i < x.shape().NumElements(); ++i) {
    if (!hlo::IsFloat(shape.element_type())) {
      x.SetInt(i, i * 7 % 5 - (hlo::IsSigned(shape.element_type()) ? 2 : 0));
    } else {
      x.SetFloat(
          i, special && i % 89 == 3 ? extremes[i / 89 % 5] : static_cast<double>(i * 7 % 5) - 2);
    }
  }
  return x;
}

// Returns the plan's kernels. Its results must be those of the evaluator.
std::vector<std::string> KernelsOf(const std::string& text, const std::string& without = "") {
  const auto module = Parse(text);
  if (module == nullptr) return {};
  PlanOptions options = X86Options();
  options.without = *ParseRewrites(without);
  const ProgramSpec spec = PlanOf(*module, options);
  for (const bool special : {false, true}) {
    std::vector<Literal> arguments;
    for (const hlo::Instruction* p : module->entry()->parameters())
      arguments.push_back(Values(p->shape, special));
    const auto want = hlo::Evaluator().Run(*module, arguments);
    const auto got = InterpretPlan(spec, arguments);
    EXPECT_TRUE(want.ok() && got.ok()) << want.status() << got.status() << text;
    if (!want.ok() || !got.ok()) continue;
    // (NaN has no sign.)
    const auto plain = [](const Literal& x) {
      return absl::StrReplaceAll(x.ToString(), {{"-nan", "nan"}});
    };
    EXPECT_TRUE(plain((*got)[0]) == plain(*want))
        << (special ? "special values, " : "") << text << "\n"
        << plain(*want).substr(0, 300) << "\n"
        << plain((*got)[0]).substr(0, 300);
  }
  std::vector<std::string> kernels;
  for (const auto& kernel : spec.kernels) kernels.push_back(kernel.request);
  return kernels;
}

bool AnyHas(const std::vector<std::string>& kernels, const std::string& part) {
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const std::string& kernel) { return absl::StrContains(kernel, part); });
}

std::string Body(const std::string& type, const std::string& op) {
  return absl::StrCat("HloModule m\nbody { a = ", type, "[] parameter(0) b = ", type,
                      "[] parameter(1) ROOT c = ", type, "[] ", op, "(a, b) }\n");
}

// Groups of 4 channels; the rest of it is as TYPE, OP and START say.
constexpr char kGroupNorm[] =
    "ENTRY e { x = T[2,128,24] parameter(0) w = T[24] parameter(1) start = T[] constant(START) "
    "y = T[2,128,6,4] reshape(x) m = T[2,6] reduce(y, start), dimensions={1,3}, to_apply=body "
    "mb = T[2,128,6,4] broadcast(m), dimensions={0,2} c = T[2,128,6,4] subtract(y, mb) "
    "q = T[2,128,6,4] multiply(c, c) v = T[2,6] reduce(q, start), dimensions={1,3}, to_apply=body "
    "vb = T[2,128,6,4] broadcast(v), dimensions={0,2} n = T[2,128,6,4] multiply(c, vb) "
    "z = T[2,128,24] reshape(n) wb = T[2,128,24] broadcast(w), dimensions={2} "
    "ROOT r = T[2,128,24] multiply(z, wb) }";

std::string GroupNorm(const std::string& type, const std::string& op, const std::string& start) {
  return Body(type, op) + absl::StrReplaceAll(kGroupNorm, {{"T[", type + "["}, {"START", start}});
}

TEST(MoveReshapes, AGroupNormHasOneForm) {
  for (const char* type : {"f32", "f64", "s32", "u8", "s64"}) {
    for (const char* op : {"add", "multiply", "maximum", "minimum"}) {
      for (const char* start : {"0", "1", "3"}) {
        const auto kernels = KernelsOf(GroupNorm(type, op, start));
        EXPECT_FALSE(AnyHas(kernels, ",6,4] ")) << type << " " << op << " " << start;
      }
    }
  }
  for (const char* without : {"reshapes", "split-reductions"})
    EXPECT_TRUE(AnyHas(KernelsOf(GroupNorm("f32", "add", "0"), without), ",6,4] "));
}

TEST(SplitReductions, RoundNarrowSumsOnce) {
  // 128 · 4 values and a half: each column's sum would be rounded by itself.
  for (const char* type : {"f16", "bf16"}) {
    EXPECT_TRUE(AnyHas(KernelsOf(GroupNorm(type, "add", "0.5")), ",6,4] ")) << type;
    KernelsOf(GroupNorm(type, "maximum", "0"));
  }
}

TEST(SplitReductions, OnlyWhereColumnsAreShortAndMany) {
  auto splits = [](const std::string& dims, const std::string& out, const std::string& reduced) {
    const auto kernels = KernelsOf(absl::StrCat(
        Body("s32", "add"), "ENTRY e { x = s32", dims,
        " parameter(0) z = s32[] constant(3) r = s32", out, " reduce(x, z), dimensions={", reduced,
        "}, to_apply=body ROOT n = s32", out, " negate(r) }"));
    return kernels.size() > 1;
  };
  EXPECT_TRUE(splits("[256,6,4]", "[6]", "0,2"));
  EXPECT_TRUE(splits("[3,64,6,4]", "[3,6]", "1,3"));
  EXPECT_TRUE(splits("[16,4,8,6,2,2]", "[4,6]", "0,2,4,5"));
  EXPECT_TRUE(splits("[256,6,4,1]", "[6,1]", "0,2"));
  EXPECT_FALSE(splits("[64,6,4]", "[6]", "0,2"));    // few elements
  EXPECT_FALSE(splits("[63,60,4]", "[60]", "0,2"));  // few rows
  EXPECT_FALSE(splits("[64,6,33]", "[6]", "0,2"));   // long columns
  EXPECT_FALSE(splits("[512,6,2]", "[6]", "0,2"));   // few columns
  EXPECT_FALSE(splits("[256,1,24]", "[1]", "0,2"));  // one group
  EXPECT_FALSE(splits("[256,6,4]", "[6,4]", "0"));
  EXPECT_FALSE(splits("[6,256,4]", "[6]", "1,2"));
}

// One kernel norms each head of the queries: no array holds their squares.
TEST(MoveReshapes, ANormOfHeadsIsOneKernel) {
  const std::string text = Body("f32", "add") +
                           "ENTRY e { p = f32[64,32] parameter(0) w = f32[8] parameter(1) "
                           "z = f32[] constant(0) q = f32[64,4,8] reshape(p) "
                           "s = f32[64,4,8] multiply(q, q) "
                           "r = f32[64,4] reduce(s, z), dimensions={2}, to_apply=body "
                           "b = f32[64,4,8] broadcast(r), dimensions={0,1} "
                           "y = f32[64,4,8] multiply(q, b) "
                           "wb = f32[64,4,8] broadcast(w), dimensions={2} "
                           "ROOT o = f32[64,4,8] multiply(y, wb) }";
  EXPECT_EQ(KernelsOf(text).size(), 1);
}

// What follows a product is done with it, although more than one op reads the result.
TEST(MoveReshapes, EpiloguesStayWithTheirProducts) {
  const std::string text = Body("f32", "add") +
                           "ENTRY e { x = f32[64,5] parameter(0) w = f32[5,24] parameter(1) "
                           "p = f32[4,16,24] parameter(2) u = f32[4,16,24] parameter(3) "
                           "z = f32[] constant(0) d = f32[64,24] dot(x, w), "
                           "lhs_contracting_dims={1}, rhs_contracting_dims={0} "
                           "y = f32[4,16,24] reshape(d) a = f32[4,16,24] add(y, p) "
                           "r = f32[4,16] reduce(a, z), dimensions={2}, to_apply=body "
                           "rb = f32[4,16,24] broadcast(r), dimensions={0,1} "
                           "c = f32[4,16,24] subtract(a, rb) t = f32[4,16,24] negate(u) "
                           "f = f32[4,16,24] reverse(t), dimensions={2} "
                           "ROOT o = f32[4,16,24] add(c, f) }";
  for (const std::string& kernel : KernelsOf(text))
    EXPECT_EQ(absl::StrContains(kernel, " dot("), absl::StrContains(kernel, " add(%v0")) << kernel;
}

// A chain of ops that read a value twice is walked once.
TEST(MoveReshapes, LongChains) {
  std::string text = Body("f32", "add") +
                     "ENTRY e { x = f32[8,8] parameter(0) t = f32[4,16] parameter(1) "
                     "a0 = f32[8,8] multiply(x, x) ";
  for (int i = 1; i < 60; ++i)
    absl::StrAppend(&text, "a", i, " = f32[8,8] multiply(a", i - 1, ", a", i - 1, ") ");
  text +=
      "y = f32[4,16] reshape(a59) r = f32[4,16] reverse(t), dimensions={0} "
      "ROOT o = f32[4,16] add(y, r) }";
  KernelsOf(text);
}

// An op on repeated elements is done before they are repeated.
TEST(MoveReshapes, RepeatedElementsAreMadeOnce) {
  const auto kernels = KernelsOf(
      Body("f32", "add") +
      "ENTRY e { x = f32[4,8] parameter(0) z = f32[] constant(0) n = f32[4,8] exponential(x) "
      "b = f32[4,2,8,3] broadcast(n), dimensions={0,2} y = f32[8,24] reshape(b) "
      "zb = f32[8,24] broadcast(z), dimensions={} ROOT r = f32[8,24] maximum(y, zb) }");
  EXPECT_TRUE(AnyHas(kernels, " = f32[4,8] maximum("));
}

// A value that has to be stored is stored in its narrow form.
TEST(MoveReshapes, ConditionsAreStored) {
  const auto kernels = KernelsOf(
      Body("f32", "add") +
      "ENTRY e { u = f32[96] parameter(0) x = f32[2,6,8] parameter(1) h = f32[] constant(0.5) "
      "s = f32[96] multiply(u, u) y = f32[2,6,8] reshape(s) hb = f32[2,6,8] broadcast(h), "
      "dimensions={} c = pred[2,6,8] compare(y, hb), direction=LT "
      "t = f32[2,6,8] reverse(x), dimensions={1} w = f32[2,6,8] convert(c) "
      "ROOT o = f32[2,6,8] multiply(w, t) }");
  EXPECT_TRUE(AnyHas(kernels, "-> pred[96]"));
}

// An op is not parted from what reads its result at other places, if nothing is gained.
TEST(MoveReshapes, OpsStayWithTransposes) {
  const auto kernels =
      KernelsOf(Body("f32", "add") +
                "ENTRY e { p = f32[64,96] parameter(0) w = f32[6] parameter(1) "
                "y = f32[8,8,16,6] reshape(p) wb = f32[8,8,16,6] broadcast(w), dimensions={3} "
                "s = f32[8,8,16,6] add(y, wb) ROOT t = f32[8,16,8,6] transpose(s), "
                "dimensions={0,2,1,3} }");
  EXPECT_EQ(kernels.size(), 1);
}

}  // namespace
}  // namespace halyard::lowering
