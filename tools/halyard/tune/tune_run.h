// One run of `halyard tune` for a device of this machine.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_RUN_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_RUN_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/remote/ranks.h"
#include "autotuner/report/run_log.h"
#include "autotuner/search/tune_program.h"
#include "client/api/client.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/tune/tune_progress.h"
#include "tools/halyard/tune/tune_table.h"

namespace halyard::tools {

struct TuneOptions {
  std::string file, target = "auto", kernel, json, log;
  ProgramOptions program_options;  // only the argument shapes are used
  int64_t trials = 200;
  double minutes = 0;
  uint64_t seed = 1;
  bool cold = false;
  bool program = true;  // choose between plans of the program, too
  bool plan = false;
  std::string bundle;  // --plan
  std::string report;  // "" for ReportPath's default
  bool no_report = false;
};

// Makes Ctrl-C end the run after the trial that is being measured; a second one ends it at once.
// Nothing is lost in either case, because each record goes into the database as soon as it is made.
void EndOnInterrupt();
bool Interrupted();

// Returns the program's kernels, or the one that --kernel names.
absl::StatusOr<std::vector<autotuner::KernelTask>> FindTasks(const TuneOptions& options,
                                                             const GlobalOptions& global,
                                                             const Target& target,
                                                             lowering::KernelCompiler& compiler);

autotuner::MeasureOptions WorkersFor(const Target& target, const GlobalOptions& global,
                                     const ranks::MpiJob& job);

// Returns the folder that keeps outputs for which the evaluator took long.
std::string OracleFolder();

std::string DatabaseOf(const GlobalOptions& global);

// Adds the cost model that Halyard ships for the device, if there is one. Without a model,
// candidates are ranked by the records and the roofline.
void AddShippedModel(runtime::DeviceKind kind, autotuner::History* history);

// Tunes first the kernels, then the plan, then those kernels that only the new plan has.
class TuneRun {
 public:
  TuneRun(const TuneOptions& options, const GlobalOptions& global, const Target& target,
          lowering::KernelCompiler& compiler)
      : options_(options),
        global_(global),
        target_(target),
        compiler_(compiler),
        history_(target.device.kind) {}

  absl::Status Open(const ranks::MpiJob& job);
  // Returns the exit status.
  int Run(std::vector<autotuner::KernelTask> tasks);

 private:
  // Checks before the run, and not hours later, that its results can be written.
  absl::Status CheckFiles() const;
  absl::Status TuneKernels(std::vector<autotuner::KernelTask> tasks, std::set<std::string> settled,
                           double seconds, TuneProgress* progress);
  // Returns what is wrong with the plan; the kernels are tuned in any case. Sets `*kernels` to
  // those of the new plan.
  absl::Status ChoosePlan(TuneProgress* progress, absl::Status* kernels);
  absl::Status Report();
  int ExitStatus(const absl::Status& plan) const;

  const TuneOptions& options_;
  const GlobalOptions& global_;
  const Target& target_;
  lowering::KernelCompiler& compiler_;
  std::unique_ptr<autotuner::Database> database_;
  autotuner::History history_;
  autotuner::RunLog log_;
  std::unique_ptr<autotuner::Trials> trials_;
  std::unique_ptr<autotuner::ProgramTuner> tuner_;  // for the plan in effect
  TuneTotals totals_;
};

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_RUN_H_
