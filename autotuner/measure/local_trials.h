// Compiles and measures candidates on this machine. All CPUs compile a batch at once. Then the
// candidates are measured one after the other while nothing else runs, because times that are taken
// during a compile are noise.
#ifndef HALYARD_AUTOTUNER_MEASURE_LOCAL_TRIALS_H_
#define HALYARD_AUTOTUNER_MEASURE_LOCAL_TRIALS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "autotuner/measure/measure.h"
#include "autotuner/measure/oracle.h"
#include "autotuner/measure/trials.h"

namespace halyard::autotuner {

// Returns the names of the host and of its CPU or GPU, for Record::machine.
std::string MachineName(const runtime::DeviceInfo& device);

class LocalTrials : public Trials {
 public:
  // `compiler` must outlive this object. `oracle_folder`, `most_oracle_work`: see MakeTrialData.
  LocalTrials(lowering::KernelCompiler* compiler, const MeasureOptions& options,
              std::string oracle_folder, double most_oracle_work = kMostOracleWork);

  absl::StatusOr<Trial> Begin(const KernelTask& task, const std::string& best) override;
  absl::StatusOr<std::vector<Trial>> Run(absl::Span<const std::string> schedules,
                                         const TrialOptions& options,
                                         const TrialDone& done) override;
  // Returns more than 1 for GPUs on machines with at least eight CPUs. With fewer CPUs, most of the
  // time goes into compiling, so everything that is compiled should be measured.
  double compiled_for_each() const override;
  std::vector<absl::StatusOr<lowering::KernelResources>> Compile(
      absl::Span<const std::string> schedules) override;
  int64_t width() const override { return width_; }

 private:
  using Reply = absl::StatusOr<lowering::KernelReply>;
  // Compiles those of the task's schedules that are not in kept_, and puts them there.
  void CompileMissing(absl::Span<const std::string> schedules);
  absl::StatusOr<std::vector<Trial>> MeasureAll(absl::Span<const std::string> schedules,
                                                const TrialOptions& options, const TrialDone& done);
  absl::Status SetReference(const std::string& best);
  std::string KeyOf(const std::string& schedule) const;
  Record NewRecord(const std::string& schedule) const;
  Trial NotCompiled(const std::string& schedule, const absl::Status& why) const;
  absl::StatusOr<Trial> Measure(const lowering::KernelReply& reply, const std::string& asked,
                                const TrialOptions& options);

  lowering::KernelCompiler* const compiler_;
  const std::string oracle_folder_;
  const double most_oracle_work_;
  const int64_t width_;
  Measurer measurer_;
  // Schedules that are compiled and not measured yet, by KeyOf.
  std::map<std::string, Reply> kept_;
  KernelTask task_;
  TrialData data_;
  Trial best_;  // candidates are timed beside it; its schedule is "" if there is none yet
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_LOCAL_TRIALS_H_
