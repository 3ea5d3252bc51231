// What tests of tuning share: tasks of small kernels, and trials that need no compiler.
#ifndef HALYARD_TESTS_AUTOTUNER_TUNING_HARNESS_H_
#define HALYARD_TESTS_AUTOTUNER_TUNING_HARNESS_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "autotuner/measure/kernel_task.h"
#include "autotuner/measure/trials.h"

namespace halyard::testing {

// Returns a task of a kernel with this text for a made-up x86 device. Its space has one template,
// "test", with two knobs of 8 choices each; the default is "test a=1 b=1".
autotuner::KernelTask FakeTask(const std::string& hlo = "");

// Answers with what a function of the schedule returns: seconds, or an outcome. Compiles and runs
// nothing.
class FakeTrials : public autotuner::Trials {
 public:
  using Answer = std::function<autotuner::Record(const schedules::Schedule&)>;
  explicit FakeTrials(Answer answer) : answer_(std::move(answer)) {}

  absl::StatusOr<autotuner::Trial> Begin(const autotuner::KernelTask& task,
                                         const std::string& best) override;
  absl::StatusOr<std::vector<autotuner::Trial>> Run(absl::Span<const std::string> schedules,
                                                    const autotuner::TrialOptions& options,
                                                    const autotuner::TrialDone& done) override;
  int64_t width() const override { return 2; }

  std::map<std::string, int> tried;  // how often each schedule was measured by Run
  int begun = 0;
  // All times are multiplied by this, as if the machine had another load.
  double load = 1;

 private:
  autotuner::Trial Measure(const std::string& line);

  Answer answer_;
  autotuner::KernelTask task_;
  std::string best_;
};

// Returns a good record with these seconds, or a failed one.
autotuner::Record GoodRecord(double seconds);
autotuner::Record FailedRecord(autotuner::Outcome outcome, const std::string& error);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_AUTOTUNER_TUNING_HARNESS_H_
