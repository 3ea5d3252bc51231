#include "autotuner/measure/paired_rounds.h"

#include <cmath>
#include <random>

#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

// Known values from Conover's table of order statistics for a 95 % interval of the median.
TEST(PairedRounds, OrderStatistics) {
  EXPECT_EQ(OrderStatistic(5, 0.95), 0);
  EXPECT_EQ(OrderStatistic(6, 0.95), 1);
  EXPECT_EQ(OrderStatistic(8, 0.95), 1);
  EXPECT_EQ(OrderStatistic(9, 0.95), 2);
  EXPECT_EQ(OrderStatistic(20, 0.95), 6);
  EXPECT_EQ(OrderStatistic(40, 0.95), 14);
}

// Times as on a busy machine: mostly near one value, sometimes far above it.
class Noise {
 public:
  explicit Noise(uint64_t seed) : random_(seed) {}
  double operator()(double time) {
    double noisy = time * (1 + 0.03 * normal_(random_));
    if (random_() % 8 == 0) noisy *= 1 + 2 * uniform_(random_);
    return noisy;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

struct Tally {
  int faster = 0, slower = 0, equal = 0;
  double rounds = 0;
};

Tally Decide(double candidate, double best, int trials) {
  Tally tally;
  for (int t = 0; t < trials; ++t) {
    Noise noise(static_cast<uint64_t>(t) + 1);
    PairedRounds rounds;
    while (rounds.verdict() == Verdict::kUndecided) rounds.Add(noise(candidate), noise(best));
    tally.faster += rounds.verdict() == Verdict::kFaster;
    tally.slower += rounds.verdict() == Verdict::kSlower;
    tally.equal += rounds.verdict() == Verdict::kEqual;
    tally.rounds += static_cast<double>(rounds.rounds()) / trials;
  }
  return tally;
}

TEST(PairedRounds, ClearlyFasterAndSlowerAreFoundInFewRounds) {
  const Tally faster = Decide(0.7, 1, 300);
  EXPECT_GE(faster.faster, 297);
  EXPECT_LE(faster.rounds, 12);
  const Tally slower = Decide(2, 1, 300);
  EXPECT_EQ(slower.slower, 300);
  EXPECT_LE(slower.rounds, 5) << "given up by the race";
}

// A verdict after every round is a test after every round. So more than 5 % of equal pairs are told
// apart, but not many, and equally often in both directions.
TEST(PairedRounds, EqualOnesAreSeldomToldApart) {
  const Tally equal = Decide(1, 1, 400);
  EXPECT_LE(equal.faster, 60);
  EXPECT_LE(equal.slower, 60);
  EXPECT_LE(equal.rounds, 41);
}

TEST(PairedRounds, MediansIgnoreOutliers) {
  PairedRounds rounds;
  for (double t : {1.0, 1.1, 0.9, 50.0, 1.0}) rounds.Add(t, 2.0);
  EXPECT_DOUBLE_EQ(rounds.candidate(), 1.0);
  EXPECT_DOUBLE_EQ(rounds.best(), 2.0);
  EXPECT_DOUBLE_EQ(rounds.ratio(), 0.5);
  EXPECT_LT(rounds.spread(), 0.2);
}

}  // namespace
}  // namespace halyard::autotuner
