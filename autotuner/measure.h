// Runs candidates in a worker process (autotuner/worker.h), so that one that crashes, never ends or
// takes all memory costs itself alone: the worker is started anew, with the same data and the best
// so far.
#ifndef HALYARD_AUTOTUNER_MEASURE_H_
#define HALYARD_AUTOTUNER_MEASURE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "autotuner/machine_lock.h"
#include "autotuner/trial_runner.h"

namespace halyard::autotuner {

struct MeasureOptions {
  std::string worker_path;  // "": $HALYARD_RT, else halyard-rt beside this executable
  std::string target = "x86";
  int device_index = 0;
  int threads = 0;                           // x86; 0: all CPUs
  double seconds_per_trial = 20;             // then it is stopped: a timeout
  int64_t memory_bytes = int64_t{12} << 30;  // address space of the worker (x86)
  int64_t trials_per_worker = 500;           // drivers may leak: a fresh one after so many
  MachineLock* lock = nullptr;               // held during each trial; null: none
};

class Measurer {
 public:
  explicit Measurer(MeasureOptions options);
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  // The kernel whose candidates come next. kUnavailable, kNotFound: no worker can be started, or
  // it has no device.
  absl::Status SetData(const TrialData& data);
  // Errors of the candidate are in the result; a status is one of the worker itself.
  absl::StatusOr<TrialResult> Try(absl::string_view object, const TrialOptions& options);
  // Workers that had to be started so far.
  int64_t workers_started() const;

 private:
  class Worker;
  absl::Status Restart();
  absl::StatusOr<TrialResult> Ended(double waited);

  const MeasureOptions options_;
  std::unique_ptr<Worker> worker_;
  std::string data_, best_;  // messages that a new worker is told again; "": none
  int64_t trials_ = 0, started_ = 0;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_H_
