#include "autotuner/search/measured_times.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/kernel_task.h"

namespace halyard::autotuner {

std::optional<double> MeasuredTimes::Known(const lowering::KernelRequest& request) {
  std::optional<double> seconds;
  // If the database cannot be read, a later write reports the error.
  (void)database_.ForEach(
      {.kernel = request.KernelKey(), .device = request.device.name, .good_only = true},
      [&](const Record& record) {
        if (record.version == VersionOfLine(record.schedule)) {
          seconds = std::min(seconds.value_or(record.seconds), record.seconds);
        }
        return true;
      });
  return seconds;
}

absl::StatusOr<std::vector<absl::StatusOr<double>>> MeasuredTimes::Measure(
    absl::Span<const lowering::KernelRequest> requests) {
  std::vector<absl::StatusOr<double>> results;
  for (const lowering::KernelRequest& request : requests) {
    KernelTask task;
    task.name = "of another plan";
    task.request = request;
    task.key = request.KernelKey();
    task.device = request.device.name;
    absl::StatusOr<Trial> trial = trials_.Begin(task, "");
    if (!trial.ok()) return trial.status();
    if (absl::Status s = database_.Put({&trial->record, 1}); !s.ok()) return s;
    const bool good = trial->record.outcome == Outcome::kGood;
    results.push_back(good ? absl::StatusOr<double>(trial->record.seconds)
                           : absl::FailedPreconditionError(absl::StrCat(
                                 OutcomeName(trial->record.outcome), ": ", trial->record.error)));
  }
  return results;
}

}  // namespace halyard::autotuner
