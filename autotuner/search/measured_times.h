// Gives kernel times to a search over plans: those of the database's best records, or else the time
// of the default schedule, which is measured and kept in the database.
#ifndef HALYARD_AUTOTUNER_SEARCH_MEASURED_TIMES_H_
#define HALYARD_AUTOTUNER_SEARCH_MEASURED_TIMES_H_

#include <vector>

#include "autotuner/measure/trials.h"
#include "autotuner/records/database.h"
#include "autotuner/search/plan_search.h"

namespace halyard::autotuner {

class MeasuredTimes : public KernelTimes {
 public:
  // Both arguments must outlive it.
  MeasuredTimes(Database* database, Trials* trials) : database_(*database), trials_(*trials) {}

  std::optional<double> Known(const lowering::KernelRequest& request) override;
  absl::StatusOr<std::vector<absl::StatusOr<double>>> Measure(
      absl::Span<const lowering::KernelRequest> requests) override;

 private:
  Database& database_;
  Trials& trials_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SEARCH_MEASURED_TIMES_H_
