#include "tools/halyard/tune/tune_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
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

namespace {

constexpr int kBarWidth = 20;

// Returns how many characters (not bytes) the terminal shows in a line, or 0 if that is not known.
size_t TerminalWidth() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Returns the first `width` characters of the UTF-8 text.
std::string FirstCharacters(const std::string& text, size_t width) {
  size_t characters = 0, end = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (begins && ++characters > width) break;
  }
  return text.substr(0, end);
}

double TrialsPerSecond(const ProgramTuner& tuner) {
  return static_cast<double>(tuner.measured()) / std::max(tuner.seconds(), 1e-3);
}

}  // namespace

TuneProgress::TuneProgress(double limit, int64_t trials, autotuner::RunLog* log)
    : limit_(limit), trials_(trials), log_(log), terminal_(isatty(STDERR_FILENO) != 0) {}

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
  kernel_ = nullptr;  // its tuner may no longer exist when the next line is shown
}

void TuneProgress::Show(const ProgramTuner& tuner) {
  const double now = seconds();
  if (now < next_) return;
  next_ = now + (terminal_ ? 0.1 : 5);
  shown_ = true;
  std::string line = Line(tuner, now);
  if (terminal_) {
    line = Bar(tuner) + line;
    // After the last column, the cursor may already be on the next line.
    if (const size_t width = TerminalWidth(); width > 1) line = FirstCharacters(line, width - 1);
  }
  fprintf(stderr, terminal_ ? "\r%s\033[K" : "%s\n", line.c_str());
  fflush(stderr);
}

std::string TuneProgress::Line(const ProgramTuner& tuner, double now) const {
  std::string line = absl::StrFormat(
      "%d of %d kernels done, %d trials, %.1f/s; program %s -> %s (%s)%s", tuner.done(),
      tuner.kernels().size(), tuner.measured(), TrialsPerSecond(tuner),
      SecondsText(tuner.default_seconds()), SecondsText(tuner.best_seconds()),
      GainText(tuner.default_seconds(), tuner.best_seconds()), TimeLeft(tuner, now));
  if (kernel_ != nullptr) {
    absl::StrAppend(&line, "; ", confirming_ ? "confirming " : "", ShortName(kernel_->task().name),
                    " ", GainText(kernel_->default_seconds(), kernel_->best_seconds()));
  }
  return line;
}

std::string TuneProgress::Bar(const ProgramTuner& tuner) const {
  double done = 0;
  for (const auto& kernel : tuner.kernels()) {
    const auto trials = static_cast<double>(std::min(kernel->trials(), trials_));
    done += kernel->done() ? 1 : trials / static_cast<double>(trials_);
  }
  const double kernels = std::max(1.0, static_cast<double>(tuner.kernels().size()));
  const int filled = static_cast<int>(kBarWidth * done / kernels);
  return absl::StrCat("[", std::string(filled, '#'), std::string(kBarWidth - filled, '-'), "] ");
}

std::string TuneProgress::TimeLeft(const ProgramTuner& tuner, double now) const {
  if (limit_ > 0) {
    const auto left = static_cast<int64_t>(std::max(0.0, limit_ - now));
    return absl::StrFormat("; %d:%02d left", left / 60, left % 60);
  }
  if (confirming_ || tuner.measured() == 0) return "";
  // A kernel may be done sooner if little is gained.
  int64_t trials = 0;
  for (const auto& kernel : tuner.kernels()) {
    if (!kernel->done()) trials += std::max<int64_t>(0, trials_ - kernel->trials());
  }
  const double seconds = static_cast<double>(trials) / TrialsPerSecond(tuner);
  return seconds < 60 ? absl::StrFormat("; at most %.0f s left", std::ceil(seconds))
                      : absl::StrFormat("; at most %.0f min left", std::ceil(seconds / 60));
}

}  // namespace halyard::tools
