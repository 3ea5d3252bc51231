// Finds and keeps program-level choices. A search uses the measured times of kernels
// (autotuner/search/plan_search.h). Its winner then runs as a whole program beside the present
// choices, and is kept only if it is faster.
#ifndef HALYARD_CLIENT_TUNING_CHOOSE_PLAN_H_
#define HALYARD_CLIENT_TUNING_CHOOSE_PLAN_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "autotuner/measure/paired_rounds.h"
#include "autotuner/measure/trials.h"
#include "autotuner/records/database.h"
#include "autotuner/rules/output_rule.h"
#include "autotuner/search/plan_search.h"
#include "client/api/client.h"
#include "frontend/hlo/ir/module.h"

namespace halyard {

struct PlanComparison {
  autotuner::Verdict verdict = autotuner::Verdict::kUndecided;
  double seconds = 0, base_seconds = 0;  // of one run: medians over the rounds
  int64_t rounds = 0;
};

// Compares the flattened results of two plans, which may have any types. Returns kInternal, naming
// result and element, where they differ by more than the rules allow.
absl::Status ComparePlanResults(absl::Span<const hlo::Literal> got,
                                absl::Span<const hlo::Literal> want,
                                absl::Span<const autotuner::OutputRule> rules);

// Runs the program planned by `choices` and by `base` in turns, on made-up arguments, until it is
// settled which is faster, or until the options' rounds or `most_seconds` are used up. Both are
// texts of choices.h; "" and comments stand for the rules. Returns kInternal if results differ by
// more than rounding, for plain values, whole numbers, or special values
// (autotuner/rules/made_up_inputs.h).
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
  std::string before;         // the choices before; "" for the rules
  std::string kept;           // the choices now
  PlanComparison comparison;  // search.choices against `before`; no rounds if no gain was expected
};

// `module` is static. Kernels' times come from `database` and from `trials`, which measure on the
// client's device and put what they find there.
absl::StatusOr<PlanTuneResult> TunePlan(Client& client, const hlo::Module& module,
                                        const CompileOptions& compile,
                                        autotuner::Database* database, autotuner::Trials* trials,
                                        const PlanTuneOptions& options = {});

// Returns a few lines: what was chosen, the expected gain, and the measured gain.
std::string PlanTuneText(const PlanTuneResult& result);

}  // namespace halyard

#endif  // HALYARD_CLIENT_TUNING_CHOOSE_PLAN_H_
