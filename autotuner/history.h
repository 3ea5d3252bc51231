// What all records say that is of use for the next kernel: schedules of similar kernels to begin
// with, and a model that ranks candidates.
#ifndef HALYARD_AUTOTUNER_HISTORY_H_
#define HALYARD_AUTOTUNER_HISTORY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/cost_model.h"
#include "autotuner/database.h"
#include "autotuner/features.h"
#include "autotuner/kernel_task.h"
#include "autotuner/search.h"

namespace halyard::autotuner {

// Of one kind of device. Not thread-safe.
class History {
 public:
  explicit History(runtime::DeviceKind kind, const TrainingOptions& options = {});
  ~History();
  // Takes the good records of the kind and of current versions.
  absl::Status Load(const Database& database);
  void Add(const Record& record);

  // The fastest schedules of the kernels most like this one: of the same family with other extents,
  // or the same kernel of another device; nearest first.
  std::vector<schedules::Schedule> Nearest(const KernelTask& task, int64_t count) const;

  // Ranks schedules of the kernel: by a model of the records, trained anew once a tenth more have
  // come than it knows, which is told what SetModel's model thinks of each; below `kFewest` records
  // by that model alone; without one by RooflineEstimate. Valid while this lives.
  static constexpr int64_t kFewest = 64;
  absl::StatusOr<Ranker> RankerOf(const std::string& kernel_key);
  // A model of other records: what is known before the first is measured here.
  void SetModel(CostModel model);

 private:
  struct Kernel {
    KernelFacts facts;
    std::vector<std::pair<double, std::string>> good;  // seconds, schedule
  };
  static absl::Status AddPrior(const CostModel& prior, std::vector<Features>* schedules);
  Kernel* Find(const std::string& key);
  void Retrain();

  const runtime::DeviceKind kind_;
  const TrainingOptions options_;
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;  // by key; null: it cannot be read
  int64_t records_ = 0, trained_ = 0;
  std::shared_ptr<const CostModel> prior_, model_;  // null: there is none
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_HISTORY_H_
