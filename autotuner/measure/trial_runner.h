// Runs candidates of one kernel on one device. It finds out whether the result is right, and how
// long the candidate takes beside the best so far. It works in a process of its own
// (autotuner/measure/worker.h), because a candidate may crash or never end.
#ifndef HALYARD_AUTOTUNER_MEASURE_TRIAL_RUNNER_H_
#define HALYARD_AUTOTUNER_MEASURE_TRIAL_RUNNER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/measure/case_images.h"
#include "autotuner/measure/expected_outputs.h"
#include "autotuner/measure/paired_rounds.h"
#include "autotuner/measure/trial_data.h"
#include "autotuner/records/record.h"
#include "runtime/backend.h"

namespace halyard::autotuner {

struct TrialOptions {
  PairedOptions paired;
  double round_seconds = 0.002;  // in a round, a kernel is repeated for about this long
  double most_seconds = 2;       // for all rounds of a trial; if the verdict is then open,
                                 // it is kEqual
  // x86: before each run, write other memory that is larger than the last-level cache.
  bool cold_caches = false;
  // Asks the Measurer to start a new worker for this trial. A process that has run nothing else
  // then loads and checks the candidate and the best beside which it is timed.
  bool new_process = false;
};

struct TrialResult {
  Outcome outcome = Outcome::kGood;
  std::string error;
  Verdict verdict = Verdict::kUndecided;  // beside the best; kFaster if there is no best yet
  double seconds = 0, spread = 0;         // of one run: median over the rounds
  double best_seconds = 0;                // of the best, in the same rounds; 0 if there is no best
  double ratio = 0;  // to the best's time: PairedRounds::careful_ratio; 0 if there is no best
  int64_t rounds = 0;
  double difference = 0;  // the largest one, from CompareOutput

  // The seconds of the best, consistent with `ratio`; 0 if there is no best.
  double against_seconds() const { return ratio > 0 ? seconds / ratio : 0; }
};

class TrialRunner {
 public:
  // `device` must outlive it.
  explicit TrialRunner(runtime::Device* device);
  ~TrialRunner();

  // Takes the data and allocates buffers for it. Drops the data and the best of the kernel before
  // it.
  absl::Status SetData(TrialData values);
  // Runs the candidate (KernelObject bytes) on all cases and compares the outputs, times it beside
  // the best, and runs and compares once more. If it is faster, it becomes the best. If the data
  // has samples and there is no reference yet, it becomes the reference, too.
  TrialResult Try(absl::string_view object, const TrialOptions& options);
  // If the data has samples of outputs, compares all elements of all later candidates with those
  // that this one gives, by RuleBetween. The candidate is checked first, twice, so that its own
  // elements are right where they are sampled, and are those that it has written.
  TrialResult SetReference(absl::string_view object);
  // Makes the candidate the best without timing it. Its result is still checked.
  TrialResult SetBest(absl::string_view object);

 private:
  struct Loaded;
  absl::StatusOr<std::unique_ptr<Loaded>> Load(absl::string_view object);
  absl::Status Upload(size_t one);
  absl::Status UploadAll(absl::string_view bytes, const runtime::Block& block);
  absl::StatusOr<absl::string_view> DownloadAll(const runtime::Block& block);
  absl::StatusOr<std::string> WhatIsWrong(size_t one, double* difference,
                                          std::vector<std::string>* outputs);
  absl::StatusOr<double> TimeOnce(Loaded& kernel);  // seconds
  absl::StatusOr<double> TimeRound(Loaded& kernel, int64_t runs, const TrialOptions& options);
  absl::Status Check(Loaded& kernel, size_t cases, TrialResult* result,
                     ExpectedOutputs::Outputs* outputs = nullptr);
  absl::Status CheckFirst(Loaded& kernel, TrialResult* result);
  void ForgetReference();
  absl::Status CheckAgain(Loaded& kernel, TrialResult* result);
  absl::Status TimeRounds(Loaded& candidate, const TrialOptions& options, TrialResult* result);
  absl::Status EvictCaches();
  absl::Status Run(Loaded& kernel);

  const TrialData& data() const { return expected_.data(); }

  runtime::Device* const device_;
  ExpectedOutputs expected_;
  std::vector<runtime::Block> inputs_, outputs_;
  CaseImages images_;  // of inputs_ and outputs_
  std::unique_ptr<Loaded> best_;
  std::vector<char> evict_;
  std::string download_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_TRIAL_RUNNER_H_
