#include "tools/halyard/tune/tune_table.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "tools/halyard/report.h"
#include "tools/halyard/tune/tune_progress.h"
#include "tools/output_file.h"

namespace halyard::tools {
namespace {

using autotuner::KernelTuner;
using autotuner::Outcome;
using autotuner::ProgramTuner;

std::map<std::string, int> FailuresOf(const KernelTuner& kernel) {
  std::map<std::string, int> counts;
  for (const auto& [schedule, record] : kernel.records()) {
    if (record.outcome != Outcome::kGood)
      ++counts[std::string(autotuner::OutcomeName(record.outcome))];
  }
  return counts;
}

// Says "2 timeout, 1 crash", or "-" if none failed.
std::string FailuresText(const KernelTuner& kernel) {
  std::vector<std::string> parts;
  for (const auto& [outcome, count] : FailuresOf(kernel))
    parts.push_back(absl::StrCat(count, " ", outcome));
  return parts.empty() ? "-" : absl::StrJoin(parts, ", ");
}

}  // namespace

void PrintTuneTable(const ProgramTuner& tuner, const TuneTotals& totals) {
  std::vector<std::vector<std::string>> table = {
      {"kernel", "uses", "default", "best", "gain", "trials", "failed", "schedule"}};
  for (const auto& kernel : tuner.kernels()) {
    table.push_back({ShortName(kernel->task().name), absl::StrCat(kernel->task().uses),
                     SecondsText(kernel->default_seconds()), SecondsText(kernel->best_seconds()),
                     GainText(kernel->default_seconds(), kernel->best_seconds()),
                     absl::StrCat(kernel->trials()), FailuresText(*kernel),
                     kernel->best_schedule().empty() ? "-" : kernel->best_schedule()});
  }
  fputs(Columns(table).c_str(), stdout);
  printf("kernels of one run: %s by default, %s now (%s); %lld trials in %.0f s, %.1f/s: %s\n",
         SecondsText(tuner.default_seconds()).c_str(), SecondsText(tuner.best_seconds()).c_str(),
         GainText(tuner.default_seconds(), tuner.best_seconds()).c_str(),
         static_cast<long long>(totals.trials), totals.seconds,
         static_cast<double>(totals.trials) / std::max(totals.seconds, 1e-3),
         tuner.why_done().c_str());
}

absl::Status WriteTuneJson(const std::string& path, const std::string& file,
                           const std::string& target, const ProgramTuner& tuner,
                           const TuneTotals& totals) {
  nlohmann::ordered_json json;
  json["file"] = file;
  json["target"] = target;
  json["default_seconds"] = tuner.default_seconds();
  json["best_seconds"] = tuner.best_seconds();
  json["trials"] = totals.trials;
  json["seconds"] = totals.seconds;
  json["why_done"] = tuner.why_done();
  json["kernels"] = nlohmann::ordered_json::array();
  for (const auto& kernel : tuner.kernels()) {
    nlohmann::ordered_json row;
    row["kernel"] = autotuner::KernelFingerprint(kernel->task().key);
    row["name"] = kernel->task().name;
    row["uses"] = kernel->task().uses;
    row["default_seconds"] = kernel->default_seconds();
    row["best_seconds"] = kernel->best_seconds();
    row["default_schedule"] = kernel->default_schedule();
    row["best_schedule"] = kernel->best_schedule();
    row["confirmed"] = kernel->confirmed();
    row["trials"] = kernel->trials();
    row["why_done"] = kernel->why_done();
    row["error"] = std::string(kernel->status().message());
    row["failed"] = nlohmann::ordered_json::object();
    for (const auto& [outcome, count] : FailuresOf(*kernel)) row["failed"][outcome] = count;
    json["kernels"].push_back(row);
  }
  return WriteFile(path, json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace halyard::tools
