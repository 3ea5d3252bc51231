// Runs candidates in a worker process (autotuner/measure/worker.h). A candidate that crashes, never
// ends or takes all memory therefore costs only itself: a new worker starts, with the same data and
// the best so far.
#ifndef HALYARD_AUTOTUNER_MEASURE_MEASURE_H_
#define HALYARD_AUTOTUNER_MEASURE_MEASURE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "autotuner/measure/machine_lock.h"
#include "autotuner/measure/trial_runner.h"

namespace halyard::autotuner {

struct MeasureOptions {
  std::string worker_path;  // "": $HALYARD_RT, else halyard-rt beside this executable
  std::string target = "x86";
  int device_index = 0;
  int threads = 0;  // x86; 0 stands for all CPUs
  // After that, or three times as long as the first candidate of the kernel took, the candidate is
  // stopped (kTimeout). The first may take six times as long.
  double seconds_per_trial = 20;
  int64_t memory_bytes = int64_t{12} << 30;  // that candidates may map (x86)
  int64_t trials_per_worker = 500;           // drivers may leak memory, so a new worker starts
                                             // after so many
  MachineLock* lock = nullptr;               // held during each trial; null if there is none
};

class Measurer {
 public:
  explicit Measurer(MeasureOptions options);
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  // Sets the kernel whose candidates come next. Returns kUnavailable or kNotFound if no worker can
  // be started or the worker has no device.
  absl::Status SetData(const TrialData& data);
  // If the data has samples of outputs, makes the candidate the one whose other elements count as
  // right (TrialRunner::SetReference), in this worker and those after it. Without this, the first
  // candidate that is right becomes the reference. Errors are as those of Try.
  absl::StatusOr<TrialResult> SetReference(absl::string_view object);
  // Errors of the candidate are in the result. An error status means that the worker itself failed.
  absl::StatusOr<TrialResult> Try(absl::string_view object, const TrialOptions& options);
  // The number of workers that had to be started so far.
  int64_t workers_started() const;

 private:
  class Worker;
  absl::Status Restart();
  absl::Status CannotRun(absl::string_view what, const absl::StatusOr<TrialResult>& result);
  absl::StatusOr<TrialResult> Ask(const std::string& message);
  double Limit() const;
  absl::StatusOr<TrialResult> Ended(double waited);

  const MeasureOptions options_;
  std::unique_ptr<Worker> worker_;
  // Messages to send to a new worker; "" if there are none.
  std::string data_, reference_, best_;
  bool sampled_ = false;      // the data has samples
  double first_seconds_ = 0;  // of the first good candidate; 0 if there is none yet
  int64_t trials_ = 0, started_ = 0;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_MEASURE_H_
