#include "autotuner/model/cost_model.h"

#include <cmath>
#include <random>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

// Returns kernels of different sizes whose time depends in the same way on their size and on two
// knobs.
std::vector<Sample> Kernels(int first, int count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Sample> samples;
  for (int kernel = first; kernel < first + count; ++kernel) {
    const double size = std::exp2(8 + kernel % 7);
    for (int i = 0; i < 120; ++i) {
      const double tile = static_cast<double>(random() % 9),
                   unroll = static_cast<double>(random() % 4);
      Sample sample;
      sample.kernel = absl::StrCat("kernel ", kernel);
      sample.features = {{"log2 size", std::log2(size)}, {"tile", tile}, {"unroll", unroll}};
      const double best_tile = std::log2(size) - 6;
      const double noise = 1 + 0.02 * static_cast<double>(random() % 100) / 100;
      sample.seconds =
          size * 1e-9 * (1 + 0.4 * std::abs(tile - best_tile) + 0.2 * std::abs(unroll - 2)) * noise;
      samples.push_back(sample);
    }
  }
  return samples;
}

RankingQuality MeanQuality(const CostModel& model, const std::vector<Sample>& samples) {
  RankingQuality mean;
  int kernels = 0;
  for (size_t begin = 0; begin < samples.size(); begin += 120, ++kernels) {
    std::vector<Features> features;
    std::vector<double> seconds;
    for (size_t i = begin; i < begin + 120; ++i) {
      features.push_back(samples[i].features);
      seconds.push_back(samples[i].seconds);
    }
    const auto predicted = model.Predict(features);
    EXPECT_TRUE(predicted.ok()) << predicted.status();
    const RankingQuality quality = QualityOf(*predicted, seconds);
    mean.recall += quality.recall;
    mean.speed_of_first += quality.speed_of_first;
  }
  mean.recall /= kernels;
  mean.speed_of_first /= kernels;
  return mean;
}

TEST(CostModel, RanksKernelsThatItHasNotSeen) {
  const auto model = CostModel::Train(Kernels(0, 14, 1));
  ASSERT_TRUE(model.ok()) << model.status();
  const RankingQuality quality = MeanQuality(*model, Kernels(20, 5, 2));
  EXPECT_GT(quality.recall, 0.5);
  EXPECT_GT(quality.speed_of_first, 0.95);
}

TEST(CostModel, SavedAndLoadedPredictsTheSame) {
  const auto model = CostModel::Train(Kernels(0, 3, 1));
  ASSERT_TRUE(model.ok());
  const std::string bytes = model->Save();
  const auto again = CostModel::Load(bytes);
  ASSERT_TRUE(again.ok()) << again.status();
  std::vector<Features> features;
  for (const Sample& sample : Kernels(3, 1, 5)) features.push_back(sample.features);
  EXPECT_EQ(*model->Predict(features), *again->Predict(features));
  EXPECT_EQ(CostModel::Train(Kernels(0, 3, 1))->Save(), bytes)
      << "the same records, the same trees";
}

TEST(CostModel, DamagedBytesAreRefused) {
  EXPECT_EQ(CostModel::Load("").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(CostModel::Load("halyard-cost-model 1\na\tb\n{}").status().code(),
            absl::StatusCode::kDataLoss);
  std::string bytes = CostModel::Train(Kernels(0, 2, 1))->Save();
  bytes.insert(bytes.find('\n') + 1, "another\t");
  EXPECT_EQ(CostModel::Load(bytes).status().code(), absl::StatusCode::kDataLoss);
}

TEST(CostModel, TooFewSamplesAreAnError) {
  EXPECT_EQ(CostModel::Train({}).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(RankingQuality, OfKnownOrders) {
  std::vector<double> seconds, reversed;
  for (int i = 1; i <= 100; ++i) {
    seconds.push_back(i);
    reversed.push_back(-i);
  }
  RankingQuality quality = QualityOf(seconds, seconds);
  EXPECT_EQ(quality.recall, 1);
  EXPECT_EQ(quality.speed_of_first, 1);
  quality = QualityOf(reversed, seconds);
  EXPECT_EQ(quality.recall, 0);
  EXPECT_DOUBLE_EQ(quality.speed_of_first, 1.0 / 81);
}

}  // namespace
}  // namespace halyard::autotuner
