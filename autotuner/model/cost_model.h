// Ranks schedules before they are measured. Gradient-boosted trees (XGBoost) estimate which share
// of its kernel's best speed a schedule reaches, from what is known of the kernel, the device and
// the knobs. Schedules are only compared with others of the same kernel.
#ifndef HALYARD_AUTOTUNER_MODEL_COST_MODEL_H_
#define HALYARD_AUTOTUNER_MODEL_COST_MODEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace halyard::autotuner {

// Features by name. A missing feature is unknown, which the trees treat as a separate value.
using Features = std::map<std::string, float>;

// A measured schedule.
struct Sample {
  std::string kernel;  // samples are ranked among those of the same kernel
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
  // Returns kFailedPrecondition if no kernel has two samples, and kNotFound if there is no XGBoost
  // here.
  static absl::StatusOr<CostModel> Train(absl::Span<const Sample> samples,
                                         const TrainingOptions& options = {});
  // Returns kDataLoss if the bytes do not come from Save.
  static absl::StatusOr<CostModel> Load(absl::string_view bytes);
  CostModel(CostModel&&) noexcept;
  CostModel& operator=(CostModel&&) noexcept;
  ~CostModel();

  std::string Save() const;
  // Returns a value for each schedule; lower is faster. Only the order within one kernel is
  // meaningful.
  absl::StatusOr<std::vector<double>> Predict(absl::Span<const Features> schedules) const;

 private:
  struct State;
  explicit CostModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// How well a model ranks a kernel's schedules. `recall` is the part of the model's fastest `share`
// that is as fast as the true fastest `share`, or within kTie of the slowest of these, because
// measurements cannot distinguish them. `speed_of_first` is the time of the fastest schedule of
// all, divided by that of the fastest among the model's first `count` (1 if it is among them).
inline constexpr double kTie = 0.02;
struct RankingQuality {
  double recall = 0;
  double speed_of_first = 0;
};
RankingQuality QualityOf(absl::Span<const double> predicted, absl::Span<const double> seconds,
                         double share = 0.1, int64_t count = 20);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MODEL_COST_MODEL_H_
