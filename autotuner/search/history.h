// Learns from all records for the next kernel: gives schedules of similar kernels to begin with,
// and a model that ranks candidates.
#ifndef HALYARD_AUTOTUNER_SEARCH_HISTORY_H_
#define HALYARD_AUTOTUNER_SEARCH_HISTORY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/measure/kernel_task.h"
#include "autotuner/model/cost_model.h"
#include "autotuner/model/features.h"
#include "autotuner/records/database.h"
#include "autotuner/search/search.h"

namespace halyard::autotuner {

// Like Ranker, but also receives the resources that each schedule uses.
using CompiledRanker = std::function<std::vector<double>(
    absl::Span<const schedules::Schedule>, absl::Span<const lowering::KernelResources>)>;

// The history of one kind of device. Not thread-safe.
class History {
 public:
  explicit History(runtime::DeviceKind kind, const TrainingOptions& options = {});
  ~History();
  // Loads the good records of the kind and of current versions.
  absl::Status Load(const Database& database);
  void Add(const Record& record);

  // Returns the fastest schedules of the kernels most like this one, the nearest first: those of
  // the same family with other extents, or the same kernel of another device.
  std::vector<schedules::Schedule> Nearest(const KernelTask& task, int64_t count) const;

  // Returns a ranker of the kernel's schedules, which is valid while this exists. It uses a model
  // of the records, which is trained again once there are a tenth more records (at least 8) than it
  // knows, and which has the prediction of SetModel's model as a feature. With fewer than `kFewest`
  // records, it uses SetModel's model alone or, if there is none, RooflineEstimate.
  static constexpr int64_t kFewest = 64;
  absl::StatusOr<Ranker> RankerOf(const std::string& kernel_key);
  // Returns a ranker of schedules that are already compiled, which is valid while this exists. It
  // uses a model that also has the features that compiling adds (AddCompiled), trained on the
  // records that have these figures. Null while there are fewer than `kFewest` of them, and on x86,
  // where every schedule that is compiled is measured.
  absl::StatusOr<CompiledRanker> CompiledRankerOf(const std::string& kernel_key);
  // Sets a model of other records, for use before there are enough of our own, and as a feature.
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
  // Trains a model if there are at least `kFewest` records. With `compiled`, counts and uses only
  // those with known resources. Otherwise returns null.
  std::shared_ptr<const CostModel> TrainOn(int64_t records, bool compiled) const;

  const runtime::DeviceKind kind_;
  const TrainingOptions options_;
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;  // by key; null if the key is invalid
  int64_t records_ = 0;
  int64_t compiled_ = 0;             // those of them with known resources
  int64_t added_ = 0, trained_ = 0;  // calls of Add, and how many of them the models know
  std::shared_ptr<const CostModel> prior_, model_, compiled_model_;  // null if there is none
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_HISTORY_H_
