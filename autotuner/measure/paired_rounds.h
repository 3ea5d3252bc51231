// Decides when one of two programs is known to be the faster. They run in turns, so that whatever
// else the machine does affects both. Each round gives one ratio of times. The interval for the
// median of the ratios lies between order statistics (a sign test, which assumes nothing about how
// times are distributed): Conover, "Practical Nonparametric Statistics", section 3.2.
#ifndef HALYARD_AUTOTUNER_MEASURE_PAIRED_ROUNDS_H_
#define HALYARD_AUTOTUNER_MEASURE_PAIRED_ROUNDS_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace halyard::autotuner {

struct PairedOptions {
  int64_t least_rounds = 0, most_rounds = 40;
  double confidence = 0.95;
  double equal_within = 0.01;  // ratios this near to 1 count as equal
  // A candidate that is this much slower in each of the first `race_rounds` rounds is given up,
  // because more rounds would not make it the best.
  double race_ratio = 1.25;
  int64_t race_rounds = 3;
};

enum class Verdict : uint8_t {
  kUndecided = 0,  // another round is needed
  kFaster = 1,     // the candidate is faster, with the required confidence
  kSlower = 2,
  kEqual = 3,  // the interval lies within equal_within of 1, or the rounds are used up
};

class PairedRounds {
 public:
  explicit PairedRounds(const PairedOptions& options = {}) : options_(options) {}
  // Adds the times of one round. Both are above 0 and in the same unit.
  void Add(double candidate, double best);
  Verdict verdict() const;
  int64_t rounds() const { return static_cast<int64_t>(ratios_.size()); }
  // The medians over the rounds; 0 before the first.
  double candidate() const;
  double best() const;
  double ratio() const;  // median over the rounds of candidate / best
  // Like ratio(), but if the candidate is faster, returns the end of the interval that is nearest
  // to 1. A candidate that is picked from many for its speed is on average not as fast as it seems.
  double careful_ratio() const;
  // Half the distance between the quartiles of the candidate's times.
  double spread() const;

 private:
  // The interval for the median of the ratios, with the required confidence; {0, infinity} with too
  // few rounds.
  std::pair<double, double> Interval() const;

  PairedOptions options_;
  std::vector<double> candidate_, best_, ratios_;
};

// Returns the largest k such that the k-th smallest and the k-th largest of n values enclose their
// median with the required confidence, or 0 if n is too small for that.
int64_t OrderStatistic(int64_t n, double confidence);

double Median(std::vector<double> values);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_PAIRED_ROUNDS_H_
