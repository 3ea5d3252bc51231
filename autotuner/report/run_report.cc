#include "autotuner/report/run_report.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/strip.h"
#include "autotuner/records/database.h"

namespace halyard::autotuner {

namespace {

// Splits a full name, such as "fusion.3 (add, exp)", into the kernel's name and its ops.
void SplitName(const std::string& full, TuningReport::Kernel* kernel) {
  const size_t space = full.find(" (");
  kernel->name = full.substr(0, space);
  if (space == std::string::npos) return;
  absl::string_view ops = absl::string_view(full).substr(space + 2);
  absl::ConsumeSuffix(&ops, ")");
  kernel->ops = std::string(ops);
}

TuningReport::Trial TrialOf(double at, const std::string& schedule, Outcome outcome,
                            const std::string& error, double seconds) {
  return {at, schedule, outcome, error, outcome == Outcome::kGood ? seconds : 0};
}

void AddTrials(const KernelTuner& tuner, absl::Span<const LoggedTrial> log,
               TuningReport::Kernel* kernel) {
  const std::string fingerprint = KernelFingerprint(tuner.task().key);
  std::vector<TuningReport::Trial> now;
  std::set<std::string> logged;
  for (const LoggedTrial& trial : log) {
    if (trial.kernel != fingerprint || trial.confirming) continue;
    logged.insert(trial.schedule);
    now.push_back(TrialOf(trial.time, trial.schedule, trial.outcome, trial.error, trial.seconds));
  }
  std::vector<const Record*> before;
  for (const auto& [schedule, record] : tuner.records()) {
    if (logged.count(schedule) == 0) before.push_back(&record);
  }
  std::stable_sort(before.begin(), before.end(),
                   [](const Record* a, const Record* b) { return a->created < b->created; });
  for (const Record* record : before) {
    kernel->trials.push_back(
        TrialOf(-1, record->schedule, record->outcome, record->error, record->seconds));
  }
  kernel->trials.insert(kernel->trials.end(), now.begin(), now.end());
}

}  // namespace

std::vector<TuningReport::Kernel> ReportKernels(const ProgramTuner& tuner,
                                                absl::Span<const LoggedTrial> log) {
  std::vector<TuningReport::Kernel> kernels;
  for (const auto& tuned : tuner.kernels()) {
    const KernelTask& task = tuned->task();
    TuningReport::Kernel kernel;
    SplitName(task.name, &kernel);
    kernel.places = task.provenance;
    kernel.hlo = task.request.hlo;
    kernel.uses = task.uses;
    kernel.flops = static_cast<double>(task.flops);
    kernel.bytes = static_cast<double>(task.bytes);
    kernel.default_schedule = tuned->default_schedule();
    kernel.best_schedule = tuned->best_schedule();
    kernel.default_seconds = tuned->default_seconds();
    kernel.best_seconds = tuned->best_seconds();
    auto resources = [&tuned](const std::string& schedule) {
      const auto record = tuned->records().find(schedule);
      return record == tuned->records().end() ? lowering::KernelResources()
                                              : record->second.resources;
    };
    kernel.default_resources = resources(kernel.default_schedule);
    kernel.best_resources = resources(kernel.best_schedule);
    kernel.why_done =
        tuned->status().ok() ? tuned->why_done() : std::string(tuned->status().message());
    AddTrials(*tuned, log, &kernel);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace halyard::autotuner
