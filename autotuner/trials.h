// Where candidates are compiled and measured: on this machine (local_trials.h), by other processes
// or machines.
#ifndef HALYARD_AUTOTUNER_TRIALS_H_
#define HALYARD_AUTOTUNER_TRIALS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "autotuner/kernel_task.h"
#include "autotuner/record.h"
#include "autotuner/trial_runner.h"

namespace halyard::autotuner {

// What came of one candidate. `record.seconds` are those of its own rounds.
struct Trial {
  Record record;
  // The best that it was timed beside, and that one's time: such that the quotient of the two times
  // is TrialResult::ratio. "": it was alone.
  std::string against;
  double against_seconds = 0;
  Verdict verdict = Verdict::kUndecided;
};

using TrialDone = std::function<bool(size_t, const Trial&)>;

// One task at a time. Errors of a candidate (compile error, timeout, crash, wrong result, out of
// memory) are in its record; a status says that nothing can be measured any more.
class Trials {
 public:
  virtual ~Trials() = default;

  // The task whose candidates come next, and the schedule that they are timed beside, itself
  // measured alone; "": the default, whose line is then in the record. Errors of that schedule are
  // in its record; no candidates can be run then. Called before each Run: where task and best are
  // those of the last call, or the best has come out of a Run since, nothing is done.
  virtual absl::StatusOr<Trial> Begin(const KernelTask& task, const std::string& best) = 0;
  // Compiles the lines and measures them one after the other. One that is faster is the best for
  // those after it. `done` is called with the place of each in `schedules` as it is finished, in
  // any order; once it returns false no more are begun, and the trials that there are are returned.
  virtual absl::StatusOr<std::vector<Trial>> Run(absl::Span<const std::string> schedules,
                                                 const TrialOptions& options,
                                                 const TrialDone& done = nullptr) = 0;
  // How many candidates are compiled for each that is measured: above 1, Compile is called first
  // with that many, and Run with those of them that are worth measuring.
  virtual double compiled_for_each() const { return 1; }
  // What each takes of the device, or why it does not compile, if compiled_for_each() is above 1.
  // What was compiled is kept for a Run later on.
  virtual std::vector<absl::StatusOr<lowering::KernelResources>> Compile(
      absl::Span<const std::string> schedules) {
    return std::vector<absl::StatusOr<lowering::KernelResources>>(
        schedules.size(), absl::UnimplementedError("Run compiles"));
  }
  // How many candidates can be worked on at once: what is handed to Run is best a multiple of it.
  virtual int64_t width() const = 0;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_TRIALS_H_
