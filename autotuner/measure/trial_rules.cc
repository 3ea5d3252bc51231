#include "autotuner/measure/trial_rules.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace halyard::autotuner {

namespace {

// A schedule that is only as fast as the best is ranked after it, because a compile uses the record
// with the fewest seconds.
constexpr double kNoFaster = 1 + 1e-9;

}  // namespace

TrialOptions ShortTrials() {
  TrialOptions options;
  options.paired.most_rounds = 20;
  options.round_seconds = 0.001;
  options.most_seconds = 1;
  return options;
}

TrialOptions ConfirmingTrials(TrialOptions trial, int64_t rounds) {
  trial.paired.least_rounds = rounds;
  trial.paired.most_rounds = 2 * rounds;
  trial.paired.race_rounds = rounds;
  trial.round_seconds = 0.002;
  trial.most_seconds = 10;
  trial.new_process = true;
  return trial;
}

Outcome OutcomeOfCompile(const absl::Status& failure) {
  const absl::string_view message = failure.message();
  if (absl::IsOutOfRange(failure)) return Outcome::kUnfit;
  if (absl::IsDeadlineExceeded(failure)) return Outcome::kTimeout;
  if (absl::StrContains(message, "std::bad_alloc")) return Outcome::kOutOfMemory;
  if (absl::IsUnavailable(failure) || absl::StrContains(message, "code generator died of signal"))
    return Outcome::kCrash;
  return Outcome::kCompileError;
}

void Fill(const TrialResult& result, const lowering::KernelResources& resources, Record* record) {
  record->outcome = result.outcome;
  record->error = result.error;
  record->seconds = result.seconds;
  record->spread = result.spread;
  record->rounds = result.rounds;
  record->difference = result.difference;
  if (result.outcome == Outcome::kGood) record->resources = resources;
}

void PutOnScale(double best, double against, Verdict verdict, Record* record) {
  if (record->outcome != Outcome::kGood || best <= 0 || against <= 0) return;
  const double ratio = record->seconds / against;
  record->spread *= best / against;
  record->seconds = best * (verdict == Verdict::kFaster ? ratio : std::max(ratio, kNoFaster));
}

}  // namespace halyard::autotuner
