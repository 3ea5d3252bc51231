// How candidates are timed and what their records say. A tuner and a bundle that is measured
// elsewhere share these rules, so that their records can be compared.
#ifndef HALYARD_AUTOTUNER_MEASURE_TRIAL_RULES_H_
#define HALYARD_AUTOTUNER_MEASURE_TRIAL_RULES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "autotuner/measure/trial_runner.h"
#include "autotuner/records/record.h"

namespace halyard::autotuner {

// Returns options for few, short rounds. Most candidates are far from the best, and are given up
// after three rounds.
TrialOptions ShortTrials();
// Returns `trial` changed to at least `rounds` rounds beside the default, whatever the first ones
// say.
TrialOptions ConfirmingTrials(TrialOptions trial, int64_t rounds);

// Returns the outcome of a candidate whose compile failed with this error. halyard-codegen compiles
// in a process of its own with limits of time and memory, and reports how that process ended.
Outcome OutcomeOfCompile(const absl::Status& failure);
// Fills in the record's outcome and figures. A good record has the resources, too.
void Fill(const TrialResult& result, const lowering::KernelResources& resources, Record* record);
// Puts a record on the scale of its kernel's records, on which the schedule that it was timed
// beside takes `best` seconds. `against` holds that schedule's seconds in the same rounds. The
// record gets `best` times the ratio of its seconds to `against`; unless the candidate is known to
// be faster, this ratio counts as at least a little more than 1. Nothing changes if `best` or
// `against` is 0, or if the record is not good.
void PutOnScale(double best, double against, Verdict verdict, Record* record);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_TRIAL_RULES_H_
