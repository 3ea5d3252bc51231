// Runs candidates of one kernel on one device: is the result right, and how long does it take
// beside the best so far? In a process of its own (autotuner/worker.h), as a candidate may crash or
// never end.
#ifndef HALYARD_AUTOTUNER_TRIAL_RUNNER_H_
#define HALYARD_AUTOTUNER_TRIAL_RUNNER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/paired_rounds.h"
#include "autotuner/record.h"
#include "runtime/backend.h"

namespace halyard::autotuner {

// How elements of a result are stored and compared.
enum class ElementKind : uint8_t {
  kExact = 0,  // bits must be equal: integers, PRED
  kF16 = 1,
  kBF16 = 2,
  kF32 = 3,  // a complex number is two
  kF64 = 4,
};

struct OutputRule {
  ElementKind kind = ElementKind::kExact;
  // Largest |difference| from the oracle, in units of the largest |value| of the oracle's output:
  // sums may be formed in another order.
  double tolerance = 0;
  // kExact: how many elements may differ all the same: those that inexact numbers were compared or
  // rounded for.
  int64_t may_differ = 0;
};

// What a kernel is run with.
struct TrialData {
  std::vector<std::string> inputs;                   // bytes, in the order of the kernel's inputs
  std::vector<std::string> expected;                 // the oracle's outputs
  std::vector<OutputRule> rules;                     // of each output
  std::vector<std::pair<int32_t, int32_t>> aliases;  // {output, input}: one buffer
};

struct TrialOptions {
  PairedOptions paired;
  double round_seconds = 0.002;  // a round runs a kernel as often as takes about this long
  double most_seconds = 2;       // all rounds of a trial; the ranking is then as it is
  // Other memory, larger than the last cache, is written before each run.
  bool cold_caches = false;
};

struct TrialResult {
  Outcome outcome = Outcome::kGood;
  std::string error;
  Verdict verdict = Verdict::kUndecided;  // beside the best; kFaster if there is none yet
  double seconds = 0, spread = 0;         // of one run: median over the rounds
  double best_seconds = 0;                // of the best, in the same rounds; 0: none
  double ratio = 0;  // to the best's time: PairedRounds::careful_ratio; 0: there is no best
  int64_t rounds = 0;
  double difference = 0;  // largest, in the units of OutputRule::tolerance

  // Of the best, as `ratio` has it; 0: there is no best.
  double against_seconds() const { return ratio > 0 ? seconds / ratio : 0; }
};

// Compares bytes of an output with the oracle's. Returns what is wrong, "" if nothing; NaN agrees
// with NaN only, an infinity with itself only.
std::string CompareOutput(absl::string_view got, absl::string_view want, const OutputRule& rule,
                          double* difference);

class TrialRunner {
 public:
  // `device` outlives it.
  explicit TrialRunner(runtime::Device* device);
  ~TrialRunner();

  // Uploads the data; another kernel's is dropped, and there is no best any more.
  absl::Status SetData(TrialData data);
  // Runs the candidate (KernelObject bytes), compares, and times it beside the best. If it is
  // faster, it is the best from now on.
  TrialResult Try(absl::string_view object, const TrialOptions& options);
  // Makes it the best without timing it; its result is checked all the same.
  TrialResult SetBest(absl::string_view object);

 private:
  struct Loaded;
  absl::StatusOr<std::unique_ptr<Loaded>> Load(absl::string_view object);
  absl::Status Upload();
  absl::StatusOr<double> TimeOnce(Loaded& kernel);  // seconds
  absl::StatusOr<double> TimeRound(Loaded& kernel, int64_t runs, const TrialOptions& options);
  absl::Status Check(Loaded& kernel, TrialResult* result);
  absl::Status TimeRounds(Loaded& candidate, const TrialOptions& options, TrialResult* result);
  absl::Status EvictCaches();
  absl::Status Run(Loaded& kernel);

  runtime::Device* const device_;
  TrialData data_;
  std::vector<runtime::Block> inputs_, outputs_;
  std::unique_ptr<Loaded> best_;
  std::vector<char> evict_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_TRIAL_RUNNER_H_
