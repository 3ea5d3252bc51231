// Tunes all kernels of a program within one budget.
//
// The next batch goes to the kernel for which it is expected to save the program most for each
// second that it takes: uses × KernelTuner::ExpectedGain ÷ seconds of a batch. The program is done
// when all its kernels are done, when the time or the trials are used up, or when no kernel's
// expected gain is `min_gain` of the program's time. Then each kernel's best is confirmed beside
// its default.
#ifndef HALYARD_AUTOTUNER_SEARCH_TUNE_PROGRAM_H_
#define HALYARD_AUTOTUNER_SEARCH_TUNE_PROGRAM_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "autotuner/search/tune_kernel.h"

namespace halyard::autotuner {

struct ProgramTuneOptions {
  KernelTuneOptions kernel;
  double seconds = 0;  // for the whole run; 0 for no limit. Confirming takes some more seconds.
  double min_gain = 5e-4;
  // Keys of kernels that were tuned just before for another plan of the program. Their best records
  // in the database count, and no more of their schedules are tried.
  std::set<std::string> settled;
  // Asked between trials. If it returns true, the run ends and keeps all results.
  std::function<bool()> stopped;
};

class ProgramTuner;

// Receives the progress of a run, between trials.
class TuneObserver {
 public:
  virtual ~TuneObserver() = default;
  virtual void OnTrial(const ProgramTuner& tuner, const TrialReport& report) = 0;
  // Called before a batch of this kernel, and before its best is confirmed.
  virtual void OnKernel(const ProgramTuner& tuner, const KernelTuner& kernel, bool confirming) {}
};

class ProgramTuner {
 public:
  ProgramTuner(std::vector<KernelTask> tasks, Database* database, History* history,
               const ProgramTuneOptions& options);

  absl::Status Run(Trials& trials, TuneObserver* observer = nullptr);

  const std::vector<std::unique_ptr<KernelTuner>>& kernels() const { return kernels_; }
  int64_t done() const;      // kernels that need no more trials
  int64_t measured() const;  // trials of this run
  double seconds() const;    // since Run began
  // The seconds of one run of the program, by the times of those of its kernels that are measured.
  double default_seconds() const;
  double best_seconds() const;
  const std::string& why_done() const { return why_done_; }

 private:
  KernelTuner* Next();
  bool TimeIsUp() const;

  const ProgramTuneOptions options_;
  std::vector<std::unique_ptr<KernelTuner>> kernels_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string why_done_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_TUNE_PROGRAM_H_
