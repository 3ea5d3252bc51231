// Program-level choices, found and kept: a search by kernels' measured times
// (autotuner/plan_search.h), whose winner is then run, as a whole program, beside what is so now,
// and kept only if it is faster.
#ifndef HALYARD_CLIENT_TUNE_PLAN_H_
#define HALYARD_CLIENT_TUNE_PLAN_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "autotuner/database.h"
#include "autotuner/output_rule.h"
#include "autotuner/paired_rounds.h"
#include "autotuner/plan_search.h"
#include "autotuner/trials.h"
#include "client/client.h"
#include "frontend/hlo/module.h"

namespace halyard {

struct PlanComparison {
  autotuner::Verdict verdict = autotuner::Verdict::kUndecided;
  double seconds = 0, base_seconds = 0;  // of one run: medians over the rounds
  int64_t rounds = 0;
};

// Flattened results of two plans, of any types: kInternal, naming result and element, where they
// differ by more than the rules allow.
absl::Status ComparePlanResults(absl::Span<const hlo::Literal> got,
                                absl::Span<const hlo::Literal> want,
                                absl::Span<const autotuner::OutputRule> rules);

// Runs the program planned by `choices` and by `base` (texts of choices.h; "" and comments: the
// rules) in turns, on made-up arguments, until it is settled which is faster, or the options'
// rounds or `most_seconds` are used up. kInternal: results differ by more than rounding, of plain
// values, whole numbers, or special values (autotuner/made_up_inputs.h).
absl::StatusOr<PlanComparison> ComparePlans(Client& client, const hlo::Module& module,
                                            const CompileOptions& compile,
                                            const std::string& choices, const std::string& base,
                                            const autotuner::PairedOptions& paired = {},
                                            double most_seconds = 20);

struct PlanTuneOptions {
  autotuner::PlanSearchOptions search;
  autotuner::PairedOptions paired;
  double most_compare_seconds = 20;
};

struct PlanTuneResult {
  autotuner::PlanSearchResult search;
  std::string before;         // choices that were in force; "": the rules
  std::string kept;           // those that are now
  PlanComparison comparison;  // of search.choices and `before`; no rounds: nothing was promised
};

// `module` is static. Kernels' times come from `database`, and through `trials`, which measure on
// the client's device; what is found goes there.
absl::StatusOr<PlanTuneResult> TunePlan(Client& client, const hlo::Module& module,
                                        const CompileOptions& compile,
                                        autotuner::Database* database, autotuner::Trials* trials,
                                        const PlanTuneOptions& options = {});

// A few lines: what was chosen, what it was to gain, what it gains.
std::string PlanTuneText(const PlanTuneResult& result);

}  // namespace halyard

#endif  // HALYARD_CLIENT_TUNE_PLAN_H_
