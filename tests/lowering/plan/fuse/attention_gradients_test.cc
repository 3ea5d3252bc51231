// Tests which attention of training steps becomes chains and statistics, so that no array of the
// scores' size is in memory, and which is left as it is.
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

// What JAX writes for jax.vjp of softmax attention of f32 scores and narrow factors, as in
// jax.nn.dot_product_attention. Q is 208 × 32, K 176 × 32, V 176 × 48; W is the type of scores.
constexpr char kStep[] = R"(HloModule m
max { a = W[] parameter(0) b = W[] parameter(1) ROOT s = W[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
sum_w { a = W[] parameter(0) b = W[] parameter(1) ROOT s = W[] add(a, b) }
ENTRY e {
  q = bf16[4,208,32] parameter(0)
  k = bf16[4,176,32] parameter(1)
  v = bf16[4,176,48] parameter(2)
  g = bf16[4,208,48] parameter(3)
  scale = W[] constant(0.2)
  one = W[] constant(1)
  zero = f32[] constant(0)
  zero_w = W[] constant(0)
  inf = W[] constant(-inf)
  scales = W[4,208,176] broadcast(scale), dimensions={}
  zeros = W[4,208,176] broadcast(zero_w), dimensions={}
  s = W[4,208,176] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  scaled = W[4,208,176] multiply(s, scales)
  i = s32[208,176] iota(), iota_dimension=0
  j = s32[208,176] iota(), iota_dimension=1
  visible = pred[208,176] compare(i, j), direction=GE
  mask = pred[4,208,176] broadcast(visible), dimensions={1,2}
  hidden = W[4,208,176] broadcast(inf), dimensions={}
  x = W[4,208,176] select(mask, scaled, hidden)
  most = W[4,208] reduce(x, inf), dimensions={2}, to_apply=max
  least = W[4,208] broadcast(inf), dimensions={}
  top = W[4,208] maximum(least, most)
  tops = W[4,208,176] broadcast(top), dimensions={0,1}
  d = W[4,208,176] subtract(x, tops)
  w = W[4,208,176] exponential(d)
  wide = f32[4,208,176] convert(w)
  total = f32[4,208] reduce(wide, zero), dimensions={2}, to_apply=sum
  l = W[4,208] convert(total)
  ls = W[4,208,176] broadcast(l), dimensions={0,1}
  p = W[4,208,176] divide(w, ls)
  pn = bf16[4,208,176] convert(p)
  o = bf16[4,208,48] dot(pn, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  dv = bf16[4,176,48] dot(pn, g), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}
  dpn = bf16[4,208,176] dot(g, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  dp = W[4,208,176] convert(dpn)
  ll = W[4,208] multiply(l, l)
  ones = W[4,208] broadcast(one), dimensions={}
  r = W[4,208] divide(ones, ll)
  rs = W[4,208,176] broadcast(r), dimensions={0,1}
  u0 = W[4,208,176] multiply(dp, rs)
  u1 = W[4,208,176] multiply(u0, w)
  u2 = W[4,208] reduce(u1, zero_w), dimensions={2}, to_apply=sum_w
  u = W[4,208] negate(u2)
  us = W[4,208,176] broadcast(u), dimensions={0,1}
  a = W[4,208,176] divide(dp, ls)
  b = W[4,208,176] add(a, us)
  c = W[4,208,176] multiply(b, w)
  c0 = W[4,208,176] select(mask, c, zeros)
  c1 = W[4,208,176] multiply(c0, scales)
  c2 = bf16[4,208,176] convert(c1)
  dq = bf16[4,208,32] dot(c2, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  dk = bf16[4,176,32] dot(c2, q), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ROOT t = (bf16[4,208,48], bf16[4,208,32], bf16[4,176,32], bf16[4,176,48]) tuple(o, dq, dk, dv)
})";
constexpr int64_t kNarrowScoreBytes = 4 * 208 * 176 * 2;

std::string Step(const std::string& scores, const std::string& factors) {
  return absl::StrReplaceAll(kStep, {{"W[", scores + "["}, {"bf16[", factors + "["}});
}

PlanOptions CudaOptions(int capability = 80) {
  PlanOptions options = VulkanOptions();
  options.device.kind = runtime::DeviceKind::kCuda;
  options.device.software = false;
  options.device.cuda_capability = capability;
  options.device.max_shared_bytes = 99 << 10;
  options.device.max_threads_per_group = 1024;
  for (uint32_t& size : options.device.max_group) size = 1024;
  return options;
}

ProgramSpec PlanOfText(const std::string& text, const PlanOptions& options) {
  std::unique_ptr<hlo::Module> module = Parse(text);
  return module == nullptr ? ProgramSpec() : PlanOf(*module, options);
}

// Kernels with products, of which chains and statistics have two or three.
int64_t KernelsWithProducts(const ProgramSpec& spec, int64_t least) {
  return std::count_if(spec.kernels.begin(), spec.kernels.end(), [&](const auto& kernel) {
    int64_t dots = 0;
    for (size_t at = kernel.request.find(" dot("); at != std::string::npos;
         at = kernel.request.find(" dot(", at + 1)) {
      ++dots;
    }
    return dots >= least;
  });
}

TEST(AttentionGradientPlan, HasNoScoresInMemory) {
  for (const auto& [scores, factors] :
       {std::pair("f32", "bf16"), {"f32", "f16"}, {"bf16", "bf16"}, {"f16", "f16"}}) {
    const ProgramSpec spec = PlanOfText(Step(scores, factors), CudaOptions());
    EXPECT_EQ(KernelsWithProducts(spec, 1), 5) << scores << DescribePlan(spec);
    EXPECT_EQ(KernelsWithProducts(spec, 2), 5) << scores << DescribePlan(spec);
    EXPECT_EQ(KernelsWithProducts(spec, 3), 2) << scores << DescribePlan(spec);
    EXPECT_LT(spec.device_arena_bytes, kNarrowScoreBytes / 4) << scores << DescribePlan(spec);
  }
}

TEST(AttentionGradientPlan, ComputesTheSame) {
  std::unique_ptr<hlo::Module> module = Parse(Step("f32", "bf16"));
  ASSERT_NE(module, nullptr);
  ExpectPlanComputesTheSame(*module, 3);
}

TEST(AttentionGradientPlan, MayBeLeftOut) {
  const std::string text = Step("f32", "bf16");
  PlanOptions apart = CudaOptions();
  apart.attention = false;
  PlanOptions without = CudaOptions();
  without.without.Add(Rewrite::kAttentionGradients);
  for (const PlanOptions& options : {apart, without}) {
    const ProgramSpec spec = PlanOfText(text, options);
    EXPECT_EQ(KernelsWithProducts(spec, 2), 0) << DescribePlan(spec);
    EXPECT_GE(spec.device_arena_bytes, kNarrowScoreBytes);
  }
}

// Where tensor cores do not take the products, everything stays as it is.
TEST(AttentionGradientPlan, IsForTensorCoresOnly) {
  PlanOptions old = CudaOptions(75);  // which has no product of bf16
  for (const auto& [text, options] : {std::pair(Step("f32", "bf16"), old),
                                      {Step("f32", "f32"), CudaOptions()},
                                      {Step("f32", "bf16"), VulkanOptions()},
                                      {Step("f32", "bf16"), X86Options()}}) {
    PlanOptions without = options;
    without.without.Add(Rewrite::kAttentionGradients);
    const ProgramSpec spec = PlanOfText(text, options), other = PlanOfText(text, without);
    EXPECT_EQ(KernelsWithProducts(spec, 2), 0) << DescribePlan(spec);
    EXPECT_EQ(DescribePlan(spec), DescribePlan(other));
  }
}

// In a whole training step, the result's gradient comes from the result: the sums of the rows,
// which the result needs, do not wait for it.
TEST(AttentionGradientPlan, OfALossOfTheResult) {
  const std::string text = absl::StrReplaceAll(
      Step("f32", "bf16"), {{"dot(pn, g)", "dot(pn, h)"},
                            {"dot(g, v)", "dot(h, v)"},
                            {"  dv = ", "  h = bf16[4,208,48] multiply(o, g)\n  dv = "}});
  const ProgramSpec spec = PlanOfText(text, CudaOptions());
  EXPECT_EQ(KernelsWithProducts(spec, 1), 6) << DescribePlan(spec);
  EXPECT_EQ(KernelsWithProducts(spec, 3), 2) << DescribePlan(spec);
  EXPECT_LT(spec.device_arena_bytes, kNarrowScoreBytes) << DescribePlan(spec);
}

// Two attentions whose results are multiplied: the gradient of each comes from the other's result.
TEST(AttentionGradientPlan, OfTwoThatNeedEachOther) {
  const std::string text = Step("f32", "bf16");
  const size_t entry = text.find("ENTRY e "), result = text.find("  o = ");
  const std::string bodies = text.substr(0, entry), step = text.substr(entry + 8),
                    before = text.substr(entry + 8, result - entry - 8),
                    line = text.substr(result + 2, text.find('\n', result) - result - 2);
  const std::string both =
      absl::StrCat(bodies, "forward ", before, "  ROOT ", line, "\n}\nstep ", step, R"(
ENTRY e {
  q = bf16[4,208,32] parameter(0)
  k = bf16[4,176,32] parameter(1)
  v = bf16[4,176,48] parameter(2)
  g = bf16[4,208,48] parameter(3)
  q2 = bf16[4,208,32] parameter(4)
  k2 = bf16[4,176,32] parameter(5)
  v2 = bf16[4,176,48] parameter(6)
  o = bf16[4,208,48] call(q, k, v, g), to_apply=forward
  o2 = bf16[4,208,48] call(q2, k2, v2, g), to_apply=forward
  h = bf16[4,208,48] multiply(o2, g)
  h2 = bf16[4,208,48] multiply(o, g)
  t = (bf16[4,208,48], bf16[4,208,32], bf16[4,176,32], bf16[4,176,48]) call(q, k, v, h), to_apply=step
  t2 = (bf16[4,208,48], bf16[4,208,32], bf16[4,176,32], bf16[4,176,48]) call(q2, k2, v2, h2), to_apply=step
  a = bf16[4,208,32] get-tuple-element(t), index=1
  b = bf16[4,176,32] get-tuple-element(t), index=2
  c = bf16[4,176,48] get-tuple-element(t), index=3
  a2 = bf16[4,208,32] get-tuple-element(t2), index=1
  b2 = bf16[4,176,32] get-tuple-element(t2), index=2
  c2 = bf16[4,176,48] get-tuple-element(t2), index=3
  ROOT all = (bf16[4,208,32], bf16[4,176,32], bf16[4,176,48], bf16[4,208,32], bf16[4,176,32], bf16[4,176,48]) tuple(a, b, c, a2, b2, c2)
})");
  const ProgramSpec spec = PlanOfText(both, CudaOptions());
  // The second attention's maxima and sums do not wait for the first one's result.
  EXPECT_EQ(KernelsWithProducts(spec, 1), 6) << DescribePlan(spec);
  EXPECT_EQ(KernelsWithProducts(spec, 3), 2) << DescribePlan(spec);
  EXPECT_LT(spec.device_arena_bytes, kNarrowScoreBytes) << DescribePlan(spec);
}

// Kernels of products that have two selects: the program's, of logits, and one around the factor.
int64_t KernelsWithTwoMasks(const ProgramSpec& spec) {
  return std::count_if(spec.kernels.begin(), spec.kernels.end(), [](const auto& kernel) {
    const size_t first = kernel.request.find(" select(");
    return first != std::string::npos &&
           kernel.request.find(" select(", first + 1) != std::string::npos;
  });
}

// A factor that is not zero where weights are keeps what hidden keys have.
TEST(AttentionGradientPlan, MasksMultiplesOfTheWeightsOnly) {
  const std::string text = Step("f32", "bf16");
  EXPECT_EQ(KernelsWithTwoMasks(PlanOfText(text, CudaOptions())), 4);
  const ProgramSpec spec =
      PlanOfText(absl::StrReplaceAll(text, {{"convert(p)\n", "convert(p2)\n"},
                                            {"  pn = ",
                                             "  p0 = f32[] constant(1)\n"
                                             "  p1 = f32[4,208,176] broadcast(p0), dimensions={}\n"
                                             "  p2 = f32[4,208,176] subtract(p1, p)\n  pn = "}}),
                 CudaOptions());
  EXPECT_EQ(KernelsWithProducts(spec, 2), 5) << DescribePlan(spec);
  EXPECT_EQ(KernelsWithTwoMasks(spec), 2) << DescribePlan(spec);
}

TEST(AttentionGradientPlan, LeavesWhatOnlyLooksLikeIt) {
  const std::string square = absl::StrReplaceAll(Step("f32", "bf16"), {{"176", "208"}});
  EXPECT_EQ(KernelsWithProducts(PlanOfText(square, CudaOptions()), 2), 5);
  const std::vector<std::pair<std::string, std::string>> changes[] = {
      // The maximum of another row is subtracted.
      {{"broadcast(top), dimensions={0,1}", "broadcast(top), dimensions={0,2}"}},
      // The maximum begins with one from elsewhere.
      {{"least = f32[4,208] broadcast(inf), dimensions={}", "least = f32[4,208] parameter(4)"}},
      // The weights are multiplied with themselves.
      {{"dv = bf16[4,208,48] dot(pn, g)", "dv = bf16[4,208,208] dot(pn, pn)"},
       {"bf16[4,208,48]) tuple", "bf16[4,208,208]) tuple"}}};
  for (const auto& change : changes) {
    const std::string text = absl::StrReplaceAll(square, change);
    ASSERT_NE(text, square);
    const ProgramSpec spec = PlanOfText(text, CudaOptions());
    EXPECT_EQ(KernelsWithProducts(spec, 2), 0) << change[0].second << DescribePlan(spec);
  }
}

// The gradient of values that four heads share is a sum over these, too.
TEST(AttentionGradientPlan, OfHeadsThatShareValues) {
  constexpr char kShared[] = R"(HloModule m
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  q = bf16[2,208,4,32] parameter(0)
  k = bf16[2,176,32] parameter(1)
  v = bf16[2,176,48] parameter(2)
  g = bf16[2,208,4,48] parameter(3)
  zero = f32[] constant(0)
  inf = f32[] constant(-inf)
  s = f32[2,208,4,176] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={3}, rhs_contracting_dims={2}
  top = f32[2,208,4] reduce(s, inf), dimensions={3}, to_apply=max
  tops = f32[2,208,4,176] broadcast(top), dimensions={0,1,2}
  d = f32[2,208,4,176] subtract(s, tops)
  w = f32[2,208,4,176] exponential(d)
  l = f32[2,208,4] reduce(w, zero), dimensions={3}, to_apply=sum
  ls = f32[2,208,4,176] broadcast(l), dimensions={0,1,2}
  p = f32[2,208,4,176] divide(w, ls)
  pn = bf16[2,208,4,176] convert(p)
  o = bf16[2,208,4,48] dot(pn, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={3}, rhs_contracting_dims={1}
  dv = bf16[2,176,48] dot(pn, g), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1,2}, rhs_contracting_dims={1,2}
  ROOT t = (bf16[2,208,4,48], bf16[2,176,48]) tuple(o, dv)
})";
  const ProgramSpec spec = PlanOfText(kShared, CudaOptions());
  EXPECT_EQ(KernelsWithProducts(spec, 1), 3) << DescribePlan(spec);
  EXPECT_EQ(KernelsWithProducts(spec, 2), 2) << DescribePlan(spec);
}

// A part of the scores that something else needs is in memory anyway.
TEST(AttentionGradientPlan, LeavesScoresThatAreResults) {
  const std::string text = absl::StrReplaceAll(
      Step("f32", "bf16"),
      {{"ROOT t = (", "ROOT t = (bf16[4,208,176], "}, {"tuple(o", "tuple(pn, o"}});
  const ProgramSpec spec = PlanOfText(text, CudaOptions());
  EXPECT_EQ(KernelsWithProducts(spec, 2), 0) << DescribePlan(spec);
}

// Gradients of some factors only, without the forward result.
TEST(AttentionGradientPlan, OfOneFactor) {
  const std::string only_q = absl::StrReplaceAll(
      Step("f32", "bf16"),
      {{"ROOT t = (bf16[4,208,48], bf16[4,208,32], bf16[4,176,32], bf16[4,176,48]) tuple(o, dq, "
        "dk, dv)",
        "ROOT t = (bf16[4,208,32]) tuple(dq)"}});
  const ProgramSpec spec = PlanOfText(only_q, CudaOptions());
  EXPECT_EQ(KernelsWithProducts(spec, 1), 2) << DescribePlan(spec);
  EXPECT_EQ(KernelsWithProducts(spec, 3), 1) << DescribePlan(spec);
}

}  // namespace
}  // namespace halyard::lowering
