#include "autotuner/model/features.h"

#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using schedules::Schedule;

// A product of bf16 on a device of 132 units.
KernelFacts ProductFacts(double m, double n, double k) {
  KernelFacts facts;
  facts.device.kind = runtime::DeviceKind::kCuda;
  facts.device.compute_units = 132;
  facts.device.subgroup_size = 32;
  facts.device.memory_bandwidth = 3350000000000;
  facts.device.f32_flops = 67000000000000;
  facts.elements = m * n;
  facts.terms = k;
  facts.width = 2;
  facts.last_extent = n;
  facts.rows = m;
  facts.flops = 2 * m * n * k;
  facts.bytes = 2 * (m * n + m * k + n * k);
  return facts;
}

Schedule Staged(int64_t mt, int64_t nt, int64_t wm, int64_t wn, int64_t parts) {
  return Schedule("contraction_staged")
      .Set("mt", mt)
      .Set("nt", nt)
      .Set("wm", wm)
      .Set("wn", wn)
      .Set("stages", 4)
      .Set("raster", 8)
      .Set("parts", parts);
}

Schedule Attention(int64_t tiles, int64_t warps, int64_t splits) {
  return Schedule("attention_mma")
      .Set("tiles_q", tiles)
      .Set("warps", warps)
      .Set("keys", 64)
      .Set("ahead", 1)
      .Set("splits", splits);
}

TEST(RooflineEstimate, RanksStagedProductsByTheTilesOfTheirGroups) {
  const KernelFacts large = ProductFacts(4096, 4096, 4096);
  const double good = RooflineEstimate(large, Staged(4, 8, 2, 2, 1));
  // Groups that read too much, that have few warps, and parts of sums that need none.
  EXPECT_LT(good, RooflineEstimate(large, Staged(1, 2, 1, 1, 1)));
  EXPECT_LT(good, RooflineEstimate(large, Staged(4, 8, 1, 1, 1)));
  EXPECT_LT(good, RooflineEstimate(large, Staged(1, 2, 8, 4, 1)));
  EXPECT_LT(good, RooflineEstimate(large, Staged(4, 8, 2, 2, 16)));
  // 128 sums of a thread do not fit into 96 registers.
  EXPECT_LT(RooflineEstimate(large, Staged(2, 8, 2, 2, 1)),
            RooflineEstimate(large, Staged(4, 8, 2, 2, 1).Set("registers", 96)));
  EXPECT_EQ(good, RooflineEstimate(large, Staged(4, 8, 2, 2, 1).Set("registers", 0)));
  // Here, four groups would leave 128 units idle.
  const KernelFacts deep = ProductFacts(256, 256, 65536);
  EXPECT_LT(RooflineEstimate(deep, Staged(4, 8, 2, 2, 32)),
            RooflineEstimate(deep, Staged(4, 8, 2, 2, 1)));
  // 144 groups of 128 × 128 are two waves, the second nearly empty; 72 of 256 × 128 are one.
  const KernelFacts waves = ProductFacts(1536, 1536, 4096);
  EXPECT_LT(RooflineEstimate(waves, Staged(4, 8, 4, 2, 1)),
            RooflineEstimate(waves, Staged(4, 8, 2, 2, 1)));
}

TEST(RooflineEstimate, RanksAttentionByTheQueriesOfItsGroups) {
  KernelFacts many = ProductFacts(16 * 2048, 128, 2048);
  many.flops *= 2;
  EXPECT_LT(RooflineEstimate(many, Attention(1, 4, 1)),
            RooflineEstimate(many, Attention(1, 4, 32)));
  EXPECT_LT(RooflineEstimate(many, Attention(2, 4, 1)), RooflineEstimate(many, Attention(1, 1, 1)));
  KernelFacts few = ProductFacts(64, 128, 65536);
  few.flops *= 2;
  EXPECT_LT(RooflineEstimate(few, Attention(1, 4, 32)), RooflineEstimate(few, Attention(1, 4, 1)));
}

}  // namespace
}  // namespace halyard::autotuner
