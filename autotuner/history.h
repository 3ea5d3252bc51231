// What all records say that is of use for the next kernel: schedules of similar kernels to begin
// with, and a model that ranks candidates.
#ifndef HALYARD_AUTOTUNER_HISTORY_H_
#define HALYARD_AUTOTUNER_HISTORY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/cost_model.h"
#include "autotuner/database.h"
#include "autotuner/features.h"
#include "autotuner/kernel_task.h"
#include "autotuner/search.h"

namespace halyard::autotuner {

// As Ranker, of schedules and what each takes of the device.
using CompiledRanker = std::function<std::vector<double>(
    absl::Span<const schedules::Schedule>, absl::Span<const lowering::KernelResources>)>;

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
  // Ranks schedules that are compiled already: by a model that is also told what compiling has
  // found out (AddCompiled), of the records that know it. Null while there are fewer than
  // `kFewest`, and on x86, where every schedule that is compiled is measured. Valid while this
  // lives.
  absl::StatusOr<CompiledRanker> CompiledRankerOf(const std::string& kernel_key);
  // A model of other records: what is known before the first is measured here.
  void SetModel(CostModel model);

 private:
  struct Good {
    double seconds = 0;
    std::string schedule;
    lowering::KernelResources resources;
    bool operator<(const Good& other) const {
      return std::tie(seconds, schedule) < std::tie(other.seconds, other.schedule);
    }
  };
  struct Kernel {
    KernelFacts facts;
    std::vector<Good> good;
  };
  static absl::Status AddPrior(const CostModel& prior, std::vector<Features>* schedules);
  Kernel* Find(const std::string& key);
  void Retrain();
  // Of at least `kFewest` records, of those that know their resources with `compiled`; else none.
  std::shared_ptr<const CostModel> TrainOn(int64_t records, bool compiled) const;

  const runtime::DeviceKind kind_;
  const TrainingOptions options_;
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;  // by key; null: it cannot be read
  int64_t records_ = 0, trained_ = 0;
  int64_t compiled_ = 0;  // of these, those that know their resources
  std::shared_ptr<const CostModel> prior_, model_, compiled_model_;  // null: there is none
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_HISTORY_H_
