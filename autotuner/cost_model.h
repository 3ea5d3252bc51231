// Ranks schedules before they are measured: gradient-boosted trees (XGBoost) that estimate the
// share of its kernel's best speed that a schedule has, from what is known of kernel, device and
// knobs. Schedules are only compared with others of the same kernel.
#ifndef HALYARD_AUTOTUNER_COST_MODEL_H_
#define HALYARD_AUTOTUNER_COST_MODEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace halyard::autotuner {

// By name; what is not there is not known, which trees take as a value of its own.
using Features = std::map<std::string, float>;

// A measured schedule.
struct Sample {
  std::string kernel;  // samples of one kernel are ranked among each other
  Features features;
  double seconds = 0;
};

struct TrainingOptions {
  int64_t trees = 200;
  int64_t depth = 4;
  double learning_rate = 0.1;
  uint64_t seed = 1;
};

class CostModel {
 public:
  // kFailedPrecondition: fewer than two samples of any kernel. kNotFound: no XGBoost here.
  static absl::StatusOr<CostModel> Train(absl::Span<const Sample> samples,
                                         const TrainingOptions& options = {});
  // kDataLoss: not what Save gave.
  static absl::StatusOr<CostModel> Load(absl::string_view bytes);
  CostModel(CostModel&&) noexcept;
  CostModel& operator=(CostModel&&) noexcept;
  ~CostModel();

  std::string Save() const;
  // Lower is faster; only the order within one kernel means something.
  absl::StatusOr<std::vector<double>> Predict(absl::Span<const Features> schedules) const;

 private:
  struct State;
  explicit CostModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Of the model's fastest `share` of a kernel's schedules, the part that is as fast as the true
// fastest `share`, or within kTie of the slowest of those: measurements do not tell such apart; and
// how near the best of its first `count` comes to the best of all (1: it is among them).
inline constexpr double kTie = 0.02;
struct RankingQuality {
  double recall = 0;
  double speed_of_first = 0;
};
RankingQuality QualityOf(absl::Span<const double> predicted, absl::Span<const double> seconds,
                         double share = 0.1, int64_t count = 20);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_COST_MODEL_H_
