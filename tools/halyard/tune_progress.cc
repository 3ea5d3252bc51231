#include "tools/halyard/tune_progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace halyard::tools {

using autotuner::KernelTuner;
using autotuner::ProgramTuner;
using autotuner::Record;
using autotuner::TrialReport;

std::string SecondsText(double seconds) {
  if (seconds <= 0) return "-";
  return seconds < 1e-3 ? absl::StrFormat("%.3g µs", seconds * 1e6)
         : seconds < 1  ? absl::StrFormat("%.3g ms", seconds * 1e3)
                        : absl::StrFormat("%.3g s", seconds);
}

std::string GainText(double before, double after) {
  return before > 0 && after > 0 ? absl::StrFormat("%.2fx", before / after) : "-";
}

std::string ShortName(const std::string& name) { return name.substr(0, name.find(' ')); }

TuneProgress::TuneProgress(double limit, autotuner::RunLog* log)
    : limit_(limit), log_(log), terminal_(isatty(STDERR_FILENO) != 0) {}

double TuneProgress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void TuneProgress::OnKernel(const ProgramTuner& tuner, const KernelTuner& kernel, bool confirming) {
  kernel_ = &kernel;
  confirming_ = confirming;
  Show(tuner);
}

void TuneProgress::OnTrial(const ProgramTuner& tuner, const TrialReport& report) {
  const Record& record = *report.record;
  autotuner::LoggedTrial trial;
  trial.time = seconds();
  trial.kernel = autotuner::KernelFingerprint(record.kernel);
  trial.name = report.task->name;
  trial.uses = report.task->uses;
  trial.schedule = record.schedule;
  trial.outcome = record.outcome;
  trial.error = record.error;
  trial.seconds = record.seconds;
  trial.default_seconds = report.default_seconds;
  trial.best_seconds = report.best_seconds;
  trial.confirming = confirming_;
  trial.resources = record.resources;
  log_->Add(std::move(trial));
  Show(tuner);
}

void TuneProgress::Clear() {
  if (shown_ && terminal_) fputs("\r\033[K", stderr);
  shown_ = false;
  kernel_ = nullptr;  // its tuner may be gone when the next line is shown
}

void TuneProgress::Show(const ProgramTuner& tuner) {
  const double now = seconds();
  if (now < next_) return;
  next_ = now + (terminal_ ? 0.1 : 5);
  shown_ = true;
  fprintf(stderr, terminal_ ? "\r%s\033[K" : "%s\n", Line(tuner, now).c_str());
  fflush(stderr);
}

std::string TuneProgress::Line(const ProgramTuner& tuner, double now) const {
  const double seconds = std::max(tuner.seconds(), 1e-3);
  std::string line = absl::StrFormat(
      "%d of %d kernels done, %d trials, %.1f/s; program %s -> %s (%s)", tuner.done(),
      tuner.kernels().size(), tuner.measured(), static_cast<double>(tuner.measured()) / seconds,
      SecondsText(tuner.default_seconds()), SecondsText(tuner.best_seconds()),
      GainText(tuner.default_seconds(), tuner.best_seconds()));
  if (limit_ > 0) {
    const int left = static_cast<int>(std::max(0.0, limit_ - now));
    absl::StrAppendFormat(&line, "; %d:%02d left", left / 60, left % 60);
  }
  if (kernel_ != nullptr) {
    absl::StrAppend(&line, "; ", confirming_ ? "confirming " : "", ShortName(kernel_->task().name),
                    " ", GainText(kernel_->default_seconds(), kernel_->best_seconds()));
  }
  return line;
}

}  // namespace halyard::tools
