#include "autotuner/measure/paired_rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halyard::autotuner {

namespace {

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const size_t below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

double Median(std::vector<double> values) { return Quantile(std::move(values), 0.5); }

// Fewer than k of n values lie below the median with probability P(B < k), B ~ Binomial(n, 1/2).
int64_t OrderStatistic(int64_t n, double confidence) {
  const double tail = (1 - confidence) / 2;
  double term = std::ldexp(1.0, static_cast<int>(-n)), below = 0;
  int64_t k = 0;
  while (k <= n / 2) {
    below += term;  // P(B <= k)
    if (below > tail) break;
    ++k;
    term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
  }
  return k;
}

void PairedRounds::Add(double candidate, double best) {
  candidate_.push_back(candidate);
  best_.push_back(best);
  ratios_.push_back(candidate / best);
}

std::pair<double, double> PairedRounds::Interval() const {
  const int64_t n = rounds(), k = OrderStatistic(n, options_.confidence);
  if (k == 0) return {0, std::numeric_limits<double>::infinity()};
  std::vector<double> sorted = ratios_;
  std::sort(sorted.begin(), sorted.end());
  return {sorted[static_cast<size_t>(k - 1)], sorted[static_cast<size_t>(n - k)]};
}

double PairedRounds::careful_ratio() const {
  const double high = Interval().second;
  return high < 1 ? high : ratio();
}

Verdict PairedRounds::verdict() const {
  const int64_t n = rounds();
  if (n < options_.least_rounds) return Verdict::kUndecided;
  if (n >= options_.race_rounds) {
    const auto first = ratios_.begin(), last = first + options_.race_rounds;
    if (std::all_of(first, last, [this](double r) { return r > options_.race_ratio; }))
      return Verdict::kSlower;
  }
  const auto [low, high] = Interval();
  if (low > 1 - options_.equal_within && high < 1 + options_.equal_within) return Verdict::kEqual;
  if (high < 1) return Verdict::kFaster;
  if (low > 1) return Verdict::kSlower;
  return n >= options_.most_rounds ? Verdict::kEqual : Verdict::kUndecided;
}

double PairedRounds::candidate() const { return Median(candidate_); }
double PairedRounds::best() const { return Median(best_); }
double PairedRounds::ratio() const { return Median(ratios_); }
double PairedRounds::spread() const {
  return (Quantile(candidate_, 0.75) - Quantile(candidate_, 0.25)) / 2;
}

}  // namespace halyard::autotuner
