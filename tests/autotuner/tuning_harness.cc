#include "tests/autotuner/tuning_harness.h"

#include <cstring>
#include <utility>

namespace halyard::testing {

using autotuner::KernelTask;
using autotuner::Outcome;
using autotuner::Record;
using autotuner::Trial;
using autotuner::Verdict;

KernelTask FakeTask(const std::string& hlo) {
  KernelTask task;
  task.name = "fake";
  task.request.hlo = !hlo.empty() ? hlo : R"(HloModule k

ENTRY e {
  p = f32[64,64] parameter(0)
  ROOT r = f32[64,64] exponential(p)
}
)";
  strcpy(task.request.device.name, "fake x86");
  task.request.device.compute_units = 2;
  task.key = task.request.KernelKey();
  task.device = task.request.device.name;
  task.uses = 1;
  const std::vector<int64_t> choices = {1, 2, 4, 8, 16, 32, 64, 128};
  schedules::TemplateSpace space;
  space.name = "test";
  space.knobs = {{"a", choices}, {"b", choices}};
  space.defaults = schedules::Schedule("test").Set("a", 1).Set("b", 1);
  task.space = {space};
  return task;
}

Record GoodRecord(double seconds) {
  Record record;
  record.seconds = seconds;
  record.rounds = 6;
  return record;
}

Record FailedRecord(Outcome outcome, const std::string& error) {
  Record record;
  record.outcome = outcome;
  record.error = error;
  return record;
}

Trial FakeTrials::Measure(const std::string& line) {
  const absl::StatusOr<schedules::Schedule> schedule = schedules::Schedule::Parse(line);
  Trial trial;
  trial.record = answer_(*schedule);
  trial.record.kernel = task_.key;
  trial.record.device = task_.device;
  trial.record.schedule = line;
  trial.record.version = autotuner::VersionOfLine(line);
  trial.verdict = Verdict::kSlower;
  if (trial.record.outcome != Outcome::kGood) return trial;
  trial.record.seconds *= load;
  if (best_.empty()) {
    trial.verdict = Verdict::kFaster;
  } else {
    trial.against = best_;
    trial.against_seconds = answer_(*schedules::Schedule::Parse(best_)).seconds * load;
    const double ratio = trial.record.seconds / trial.against_seconds;
    if (ratio < 1.01) trial.verdict = ratio > 0.99 ? Verdict::kEqual : Verdict::kFaster;
  }
  if (trial.verdict == Verdict::kFaster) best_ = line;
  return trial;
}

absl::StatusOr<Trial> FakeTrials::Begin(const KernelTask& task, const std::string& best) {
  task_ = task;
  best_.clear();
  ++begun;
  return Measure(best.empty() ? task.space.front().defaults.ToString() : best);
}

absl::StatusOr<std::vector<Trial>> FakeTrials::Run(absl::Span<const std::string> schedules,
                                                   const autotuner::TrialOptions& options,
                                                   const autotuner::TrialDone& done) {
  std::vector<Trial> trials;
  for (size_t i = 0; i < schedules.size(); ++i) {
    ++tried[schedules[i]];
    trials.push_back(Measure(schedules[i]));
    if (options.paired.least_rounds > 0) trials.back().record.rounds = options.paired.least_rounds;
    if (done && !done(i, trials.back())) break;
  }
  return trials;
}

}  // namespace halyard::testing
