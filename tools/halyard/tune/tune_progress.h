// What `halyard tune` shows while it measures, and what it logs of each trial.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_PROGRESS_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "autotuner/report/run_log.h"
#include "autotuner/search/tune_program.h"

namespace halyard::tools {

std::string SecondsText(double seconds);            // "1.2 ms", or "-" if not known
std::string GainText(double before, double after);  // "1.25x", or "-" if not known
// Returns the name alone: "fusion.3" for "fusion.3 (add, exp)".
std::string ShortName(const std::string& name);

// On a terminal, this shows one line with a bar, which is rewritten and fits the terminal;
// elsewhere, a line every five seconds. One object serves all tuners of a command, one after the
// other.
class TuneProgress : public autotuner::TuneObserver {
 public:
  // `limit` is the number of seconds that the command may take, or 0 for no limit. `trials` is
  // --trials. `log` must outlive this.
  TuneProgress(double limit, int64_t trials, autotuner::RunLog* log);
  ~TuneProgress() override { Clear(); }

  void OnKernel(const autotuner::ProgramTuner& tuner, const autotuner::KernelTuner& kernel,
                bool confirming) override;
  void OnTrial(const autotuner::ProgramTuner& tuner, const autotuner::TrialReport& report) override;
  // Makes room on the terminal for other text.
  void Clear();

  double seconds() const;  // since this object was made

 private:
  void Show(const autotuner::ProgramTuner& tuner);
  std::string Line(const autotuner::ProgramTuner& tuner, double now) const;

  // Returns "[########------------] ": the share of the possible trials that are done. A kernel
  // that is done counts with all its trials.
  std::string Bar(const autotuner::ProgramTuner& tuner) const;
  std::string TimeLeft(const autotuner::ProgramTuner& tuner, double now) const;

  const double limit_;
  const int64_t trials_;
  autotuner::RunLog* const log_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const autotuner::KernelTuner* kernel_ = nullptr;
  bool confirming_ = false, shown_ = false;
  double next_ = 0;
};

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_PROGRESS_H_
