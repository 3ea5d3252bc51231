// Tests which attention becomes one kernel, and that its scores are then nowhere in memory.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

// The form in which JAX writes dot_product_attention with groups of heads, a causal mask and f32
// softmax. The scores are [1,2,160,2,160].
constexpr char kGrouped[] = R"(HloModule m
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  q = f32[1,160,4,8] parameter(0)
  k = f32[1,160,2,8] parameter(1)
  v = f32[1,160,2,8] parameter(2)
  qg = f32[1,160,2,2,8] reshape(q)
  dot = f32[1,2,160,2,160] dot(qg, k), lhs_batch_dims={0,2}, rhs_batch_dims={0,2}, lhs_contracting_dims={4}, rhs_contracting_dims={3}
  c = f32[] constant(0.125)
  cb = f32[1,2,160,2,160] broadcast(c), dimensions={}
  x = f32[1,2,160,2,160] multiply(dot, cb)
  i = s32[160,160] iota(), iota_dimension=0
  j = s32[160,160] iota(), iota_dimension=1
  m = pred[160,160] compare(i, j), direction=GE
  low = f32[] constant(-2e38)
  inf = f32[] constant(-inf)
  zero = f32[] constant(0)
  t = f32[2,1,2,160,160] transpose(x), dimensions={3,0,1,2,4}
  mb = pred[2,1,2,160,160] broadcast(m), dimensions={3,4}
  lb = f32[2,1,2,160,160] broadcast(low), dimensions={}
  masked = f32[2,1,2,160,160] select(mb, t, lb)
  most = f32[2,1,2,160] reduce(masked, inf), dimensions={4}, to_apply=max
  ib = f32[2,1,2,160] broadcast(inf), dimensions={}
  top = f32[2,1,2,160] maximum(ib, most)
  tb = f32[2,1,2,160,160] broadcast(top), dimensions={0,1,2,3}
  d = f32[2,1,2,160,160] subtract(masked, tb)
  w = f32[2,1,2,160,160] exponential(d)
  l = f32[2,1,2,160] reduce(w, zero), dimensions={4}, to_apply=sum
  lr = f32[2,1,2,160,160] broadcast(l), dimensions={0,1,2,3}
  p = f32[2,1,2,160,160] divide(w, lr)
  o = f32[1,2,2,160,8] dot(p, v), lhs_batch_dims={1,2}, rhs_batch_dims={0,2}, lhs_contracting_dims={4}, rhs_contracting_dims={1}
  to = f32[1,160,2,2,8] transpose(o), dimensions={0,3,1,2,4}
  ROOT r = f32[1,160,4,8] reshape(to)
})";
constexpr int64_t kScoreBytes = 4 * 160 * 160 * 4;

TEST(AttentionPlan, IsOneKernelWithoutScoresInMemory) {
  std::unique_ptr<hlo::Module> module = Parse(kGrouped);
  ASSERT_NE(module, nullptr);
  const ProgramSpec spec = PlanOf(*module, X86Options());
  EXPECT_EQ(spec.kernels.size(), 1u) << DescribePlan(spec);
  EXPECT_LT(spec.device_arena_bytes, 1024) << DescribePlan(spec);

  PlanOptions apart = X86Options();
  apart.attention = false;
  const ProgramSpec unfused = PlanOf(*module, apart);
  EXPECT_GT(unfused.kernels.size(), 2u);
  EXPECT_GE(unfused.device_arena_bytes, kScoreBytes);
}

TEST(AttentionPlan, ComputesTheSame) { ExpectPlanComputesTheSame(kGrouped, 3); }

TEST(AttentionPlan, OnGpusToo) {
  std::unique_ptr<hlo::Module> module = Parse(kGrouped);
  ASSERT_NE(module, nullptr);
  PlanOptions options = VulkanOptions();
  options.device.max_shared_bytes = 32 << 10;
  options.device.max_threads_per_group = 256;
  options.device.max_group[0] = 256;
  EXPECT_EQ(PlanOf(*module, options).kernels.size(), 1u);
  // There is no room for the running sums.
  options.device.max_shared_bytes = 1 << 10;
  EXPECT_GT(PlanOf(*module, options).kernels.size(), 2u);
}

// Narrow factors on CUDA, where tensor cores compute both products in one kernel.
TEST(AttentionPlan, OfNarrowFloatsByTensorCores) {
  const std::vector<std::pair<std::string, std::string>> narrow = {
      {"q = f32", "q = bf16"},
      {"k = f32", "k = bf16"},
      {"v = f32", "v = bf16"},
      {"qg = f32", "qg = bf16"},
      {"  o = f32[1,2,2,160,8] dot(p, v)",
       "  pb = bf16[2,1,2,160,160] convert(p)\n  o = f32[1,2,2,160,8] dot(pb, v)"}};
  PlanOptions options = VulkanOptions();
  options.device.kind = runtime::DeviceKind::kCuda;
  options.device.cuda_capability = 80;
  options.device.max_shared_bytes = 48 << 10;
  options.device.max_threads_per_group = 1024;
  for (uint32_t& size : options.device.max_group) size = 1024;
  const std::string text = absl::StrReplaceAll(kGrouped, narrow);
  std::unique_ptr<hlo::Module> module = Parse(text);
  ASSERT_NE(module, nullptr);
  const ProgramSpec spec = PlanOf(*module, options);
  EXPECT_EQ(spec.kernels.size(), 1u) << DescribePlan(spec);
  EXPECT_LT(spec.device_arena_bytes, 1024) << DescribePlan(spec);
  // Sums cannot be scaled when a later key raises the maximum.
  std::unique_ptr<hlo::Module> other = Parse(absl::StrReplaceAll(
      text, {{"  w = f32[2,1,2,160,160] exponential(d)",
              "  d2 = f32[2,1,2,160,160] multiply(d, cd)\n  w = f32[2,1,2,160,160] "
              "exponential(d2)"},
             {"  d = f32", "  cd = f32[2,1,2,160,160] broadcast(c), dimensions={}\n  d = f32"}}));
  ASSERT_NE(other, nullptr);
  EXPECT_GT(PlanOf(*other, options).kernels.size(), 2u);
  options.device.cuda_capability = 75;  // which has no product of bf16
  EXPECT_GT(PlanOf(*module, options).kernels.size(), 2u);
}

// Queries, keys and values that are parts of one array, as of the product of all three, are read
// where they lie.
TEST(AttentionPlan, ReadsPartsOfAnArray) {
  const auto parts = [](int first, int all) {
    auto part = [&](const char* name, int from, int size, const char* shape) {
      return std::pair(
          absl::StrCat(name, " = f32", shape, " parameter(",
                       from == 0    ? 0
                       : from == 32 ? 1
                                    : 2,
                       ")"),
          absl::StrCat(name, "p = f32[1,160,", size, "] slice(qkv), slice={[0:1], [0:160], [",
                       first + from, ":", first + from + size, "]}\n  ", name, " = f32", shape,
                       " reshape(", name, "p)"));
    };
    std::vector<std::pair<std::string, std::string>> edits = {part("  q", 0, 32, "[1,160,4,8]"),
                                                              part("  k", 32, 16, "[1,160,2,8]"),
                                                              part("  v", 48, 16, "[1,160,2,8]")};
    edits[0].second = absl::StrCat("  qkv = f32[1,160,", all, "] parameter(0)\n", edits[0].second);
    return absl::StrReplaceAll(absl::StrReplaceAll(kGrouped, edits), {{"reshape(  ", "reshape("}});
  };
  const std::string aligned = parts(0, 64);
  std::unique_ptr<hlo::Module> module = Parse(aligned);
  ASSERT_NE(module, nullptr);
  const ProgramSpec spec = PlanOf(*module, X86Options());
  EXPECT_EQ(spec.kernels.size(), 1u) << DescribePlan(spec);
  EXPECT_LT(spec.device_arena_bytes, 1024) << DescribePlan(spec);
  ExpectPlanComputesTheSame(aligned, 5);
  // Groups of 8 that do not begin at a multiple of 8, or at one of 16 bytes in each row, are
  // copied.
  for (const auto& [first, all] : {std::pair(4, 72), std::pair(0, 66)}) {
    const std::string text = parts(first, all);
    module = Parse(text);
    ASSERT_NE(module, nullptr);
    EXPECT_GT(PlanOf(*module, X86Options()).kernels.size(), 1u) << text;
    ExpectPlanComputesTheSame(text, 6);
  }
}

size_t KernelsWith(const std::vector<std::pair<std::string, std::string>>& edits) {
  std::unique_ptr<hlo::Module> module = Parse(absl::StrReplaceAll(kGrouped, edits));
  if (module == nullptr) return 0;
  return PlanOf(*module, X86Options()).kernels.size();
}

TEST(AttentionPlan, IsLeftAloneWhereItIsSomethingElse) {
  // The program is small, so the scores fit in a cache.
  EXPECT_GT(KernelsWith({{"160", "20"}}), 2u);
  // The weights are a result, too.
  EXPECT_GT(KernelsWith({{"  ROOT r = f32[1,160,4,8] reshape(to)",
                          "  r = f32[1,160,4,8] reshape(to)\n  ROOT t2 = (f32[1,160,4,8], "
                          "f32[2,1,2,160,160]) tuple(r, p)"}}),
            2u);
  // The sum is along the queries.
  EXPECT_GT(KernelsWith({{"reduce(w, zero), dimensions={4}", "reduce(w, zero), dimensions={3}"}}),
            2u);
  // There is no maximum.
  EXPECT_GT(
      KernelsWith({{"inf), dimensions={4}, to_apply=max", "inf), dimensions={4}, to_apply=sum"}}),
      2u);
  // The exponential is not that of the values whose maximum was taken.
  EXPECT_GT(KernelsWith({{"subtract(masked, tb)", "subtract(t, tb)"}}), 2u);
  EXPECT_EQ(KernelsWith({}), 1u);
}

}  // namespace
}  // namespace halyard::lowering
