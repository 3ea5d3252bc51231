// Where candidates are compiled and measured: on this machine (local_trials.h), or by other
// processes or machines.
#ifndef HALYARD_AUTOTUNER_MEASURE_TRIALS_H_
#define HALYARD_AUTOTUNER_MEASURE_TRIALS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "autotuner/measure/kernel_task.h"
#include "autotuner/measure/trial_runner.h"
#include "autotuner/records/record.h"

namespace halyard::autotuner {

// The result of one candidate. `record.seconds` are those of its own rounds.
struct Trial {
  Record record;
  // The schedule beside which it was timed, and that schedule's time, such that record.seconds /
  // against_seconds is TrialResult::ratio. "" if it was timed alone.
  std::string against;
  double against_seconds = 0;
  Verdict verdict = Verdict::kUndecided;
};

using TrialDone = std::function<bool(size_t, const Trial&)>;

// Works on one task at a time. Errors of a candidate (compile error, timeout, crash, wrong result,
// out of memory) are in its record. An error status means that nothing can be measured any more.
class Trials {
 public:
  virtual ~Trials() = default;

  // Sets the task whose candidates come next and the schedule beside which they are timed, and
  // measures that schedule alone. "" stands for the default, whose line is then in the record.
  // Errors of the schedule are in its record, and no candidates can be run then. Called before each
  // Run. Measures nothing if the task and the best are those of the last call, or if a Run since
  // then has found this best.
  virtual absl::StatusOr<Trial> Begin(const KernelTask& task, const std::string& best) = 0;
  // Compiles the lines and measures them one after the other. A line that is faster becomes the
  // best for those after it. `done` is called with the place of each in `schedules` as it is
  // finished, in any order. Once it returns false, no more are begun, and the trials so far are
  // returned.
  virtual absl::StatusOr<std::vector<Trial>> Run(absl::Span<const std::string> schedules,
                                                 const TrialOptions& options,
                                                 const TrialDone& done = nullptr) = 0;
  // Returns how many candidates to compile for each that is measured. If this is above 1, Compile
  // is called first with that many, and then Run with those of them that are worth measuring.
  virtual double compiled_for_each() const { return 1; }
  // Compiles the lines and keeps the results for a later Run. Returns the resources that each
  // needs, or why it does not compile. Only called if compiled_for_each() is above 1.
  virtual std::vector<absl::StatusOr<lowering::KernelResources>> Compile(
      absl::Span<const std::string> schedules) {
    return std::vector<absl::StatusOr<lowering::KernelResources>>(
        schedules.size(), absl::UnimplementedError("Run compiles"));
  }
  // Returns how many candidates can be worked on at once. Run works best with a multiple of this
  // number.
  virtual int64_t width() const = 0;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_TRIALS_H_
