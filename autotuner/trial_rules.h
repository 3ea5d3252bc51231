// How candidates are timed and what their records say: the same for a tuner and for a bundle that
// is measured elsewhere, so that their records can be compared.
#ifndef HALYARD_AUTOTUNER_TRIAL_RULES_H_
#define HALYARD_AUTOTUNER_TRIAL_RULES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "autotuner/record.h"
#include "autotuner/trial_runner.h"

namespace halyard::autotuner {

// Most candidates are far from the best, and are given up after three rounds.
TrialOptions ShortTrials();
// At least `rounds` rounds beside the default, whatever the first ones say; else as `trial`.
TrialOptions ConfirmingTrials(TrialOptions trial, int64_t rounds);

// What a compile that failed says of its candidate: halyard-codegen compiles in a process of its
// own with limits of time and memory, and tells how that has ended.
Outcome OutcomeOfCompile(const absl::Status& failure);
// The record's outcome and figures; a good one has the resources, too.
void Fill(const TrialResult& result, const lowering::KernelResources& resources, Record* record);
// Onto the scale of a kernel's records, of which those of what it was timed beside are `best`
// seconds: the ratio counts, and a little more than 1 of it at least unless it is known to be
// faster. `against`: the other's seconds in the same rounds. Nothing is changed where any of them
// is 0, or the record not good.
void PutOnScale(double best, double against, Verdict verdict, Record* record);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_TRIAL_RULES_H_
