#include "tools/measure_command.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "autotuner/bundle/bundle.h"
#include "autotuner/bundle/device_fit.h"
#include "autotuner/bundle/measure_bundle.h"
#include "runtime/absl_status.h"
#include "runtime/backends/backends.h"
#include "tools/command_line.h"

namespace halyard::tools {

using autotuner::Bundle;
using autotuner::BundleProgress;
using autotuner::BundleSummary;
using autotuner::MeasureBundleOptions;

namespace {

struct MeasureCommand {
  std::string name;  // "halyard" or "halyard-rt"
  std::string bundle, records;
  double seconds_per_trial = 20;
};

volatile sig_atomic_t stop_asked = 0;
void OnInterrupt(int) { stop_asked = 1; }

int Fail(const MeasureCommand& command, const absl::Status& status) {
  // Errors in lines of the records begin with `file:line:col: error: `.
  const std::string message(status.message());
  const bool located = absl::StrContains(message, ": error: ");
  fprintf(stderr, "%s%s\n", located ? "" : (command.name + ": error: ").c_str(), message.c_str());
  return 1;
}

// Shows progress on stderr: on a terminal as one line that is rewritten, elsewhere as a new line
// every five seconds.
class ProgressLine {
 public:
  void Show(const BundleProgress& p) {
    const auto now = std::chrono::steady_clock::now();
    const double since = std::chrono::duration<double>(now - shown_).count();
    if (since < (terminal_ ? 0.1 : 5)) return;
    shown_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const std::string gain = p.best_seconds > 0 && p.default_seconds > 0
                                 ? absl::StrFormat(", best %.2fx the default's speed",
                                                   p.default_seconds / p.best_seconds)
                                 : "";
    const std::string line = absl::StrFormat(
        "kernel %d of %d, %s: %d of %d candidates%s, %.1f/s", p.kernel + 1, p.kernels, p.name,
        p.done, p.candidates, gain, seconds > 0 ? static_cast<double>(p.measured) / seconds : 0.0);
    fprintf(stderr, terminal_ ? "\r\x1b[K%s" : "%s\n", line.c_str());
    fflush(stderr);
    dirty_ = terminal_;
  }
  ~ProgressLine() {
    if (dirty_) fputs("\r\x1b[K", stderr);
  }

 private:
  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = start_;
  bool dirty_ = false;
};

void PrintSummary(const BundleSummary& summary, const MeasureCommand& command) {
  printf("%lld candidates measured, %lld of them failed; %lld were in %s before\n",
         static_cast<long long>(summary.measured), static_cast<long long>(summary.failed),
         static_cast<long long>(summary.known), command.records.c_str());
  if (summary.best_seconds > 0) {
    printf("kernels of one run: %.4g ms by default, %.4g ms by the best (%.2fx)\n",
           summary.default_seconds * 1e3, summary.best_seconds * 1e3,
           summary.default_seconds / summary.best_seconds);
  }
  if (summary.stopped) {
    printf("stopped; the same command goes on\n");
  } else {
    printf("to use them: halyard db import %s\n", command.records.c_str());
  }
}

int Measure(const MeasureCommand& command, int device_index, int threads) {
  absl::StatusOr<Bundle> bundle = Bundle::Open(command.bundle);
  if (!bundle.ok()) return Fail(command, bundle.status());
  MeasureBundleOptions options;
  options.worker.target = runtime::KindName(bundle->index().device().kind);
  options.worker.device_index = device_index;
  options.worker.threads = threads;
  options.worker.seconds_per_trial = command.seconds_per_trial;
  const runtime::Status described =
      runtime::BackendOf(bundle->index().device().kind)
          ->describe(static_cast<uint32_t>(device_index), &options.device);
  if (!described.ok()) {
    return Fail(command, absl::UnavailableError(absl::StrCat(command.bundle, " is for ",
                                                             bundle->index().target, ": ",
                                                             described.message())));
  }
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  options.machine = absl::StrCat(host, ", ", options.device.name);
  if (autotuner::RunsOn(bundle->index().device(), options.device).ok()) {
    for (const std::string& difference :
         autotuner::DifferencesOf(bundle->index().device(), options.device)) {
      fprintf(stderr, "%s: note: of this machine's device, %s\n", command.name.c_str(),
              difference.c_str());
    }
  }
  struct sigaction interrupt = {};
  interrupt.sa_handler = OnInterrupt;
  interrupt.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // a second one ends the run
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGTERM, &interrupt, nullptr);
  options.stopped = [] { return stop_asked != 0; };
  absl::StatusOr<BundleSummary> summary;
  {
    ProgressLine line;
    options.progress = [&line](const BundleProgress& progress) { line.Show(progress); };
    summary = autotuner::MeasureBundle(*bundle, command.records, options);
  }
  if (!summary.ok()) return Fail(command, summary.status());
  PrintSummary(*summary, command);
  return summary->stopped ? 130 : 0;
}

}  // namespace

void AddMeasureCommand(CLI::App& app, const int& device, const int& threads,
                       std::function<int()>* action) {
  auto command = std::make_shared<MeasureCommand>();
  command->name = app.get_name();
  CLI::App* measure =
      app.add_subcommand("measure", "Measure the candidates of a bundle on this machine");
  measure->add_option("BUNDLE", command->bundle, "What `halyard tune --plan` has written")
      ->required();
  measure
      ->add_option("-o", command->records,
                   "File of records, lines of JSON; if it is there, what it holds is not measured "
                   "again")
      ->required();
  measure
      ->add_option("--trial-seconds", command->seconds_per_trial,
                   "A candidate that takes longer is stopped")
      ->check(AboveZero())
      ->capture_default_str();
  measure->callback([command, &device, &threads, action] {
    *action = [command, &device, &threads] { return Measure(*command, device, threads); };
  });
}

}  // namespace halyard::tools
