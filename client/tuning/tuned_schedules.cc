#include "client/tuning/tuned_schedules.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/records/kept_choices.h"
#include "autotuner/records/version.h"
#include "client/reports/warning.h"

namespace halyard {

using autotuner::Database;
using autotuner::Record;

absl::StatusOr<TunedSchedules> TunedSchedules::Open(const std::string& path) {
  TunedSchedules tuned;
  tuned.path_ = path.empty() ? Database::DefaultPath() : path;
  absl::StatusOr<Database> database = Database::Open(tuned.path_, Database::Mode::kReadOnly);
  if (absl::IsNotFound(database.status())) return tuned;
  if (!database.ok()) return database.status();
  absl::StatusOr<std::string> state = database->State();
  if (!state.ok()) return state.status();
  tuned.state_ = *std::move(state);
  tuned.database_ = *std::move(database);
  return tuned;
}

absl::StatusOr<TunedSchedules> TunedSchedules::OpenForCompile(const std::string& path,
                                                              bool locked) {
  absl::StatusOr<TunedSchedules> tuned = Open(path);
  if (tuned.ok()) {
    tuned->forgiving_ = !locked;
    return tuned;
  }
  TunedSchedules none;
  none.path_ = path.empty() ? Database::DefaultPath() : path;
  none.forgiving_ = !locked;
  if (absl::Status s = none.GiveUp(tuned.status()); !s.ok()) return s;
  return none;
}

absl::Status TunedSchedules::GiveUp(const absl::Status& status) {
  if (!forgiving_) return status;
  failed_ = true;
  database_.reset();
  WarnOnce(
      absl::StrCat(status.message(),
                   "; default schedules are used, as with --no-tuning, which says so quietly"));
  return absl::OkStatus();
}

namespace {

bool Counts(const Record& record) {
  return record.version == autotuner::VersionOfLine(record.schedule);
}

// A tuner measures the default schedule of a kernel first and compares all others with it. Returns
// whether the templates of the first records all have records that still count.
absl::StatusOr<bool> DefaultCounts(const Database& database, const autotuner::Filter& filter) {
  int64_t first = std::numeric_limits<int64_t>::max();
  // `firsts` holds the templates of the records of the first second; `measured`, those with records
  // that count.
  std::set<std::string> firsts, measured;
  absl::Status status = database.ForEach(filter, [&](const Record& record) {
    const std::string name = record.schedule.substr(0, record.schedule.find(' '));
    if (Counts(record)) measured.insert(name);
    if (record.created < first) firsts.clear();
    first = std::min(first, record.created);
    if (record.created == first) firsts.insert(name);
    return true;
  });
  if (!status.ok()) return status;
  return std::includes(measured.begin(), measured.end(), firsts.begin(), firsts.end());
}

}  // namespace

absl::StatusOr<std::optional<std::string>> TunedSchedules::Find(
    const lowering::KernelRequest& request) {
  if (!database_.has_value()) return std::nullopt;
  absl::StatusOr<std::optional<std::string>> line = Look(request);
  if (line.ok()) return line;
  if (absl::Status s = GiveUp(line.status()); !s.ok()) return s;
  return std::nullopt;
}

absl::StatusOr<std::optional<std::string>> TunedSchedules::Look(
    const lowering::KernelRequest& request) const {
  std::optional<std::string> line;
  const std::string key = request.KernelKey();
  // The version that no longer counts, of a record that is faster than `line`.
  std::string old;
  absl::Status status = database_->ForEachBest({.kernel = key, .device = request.device.name},
                                               [&](const Record& record) {
                                                 if (Counts(record)) {
                                                   line = record.schedule;
                                                   return false;
                                                 }
                                                 old = record.version;
                                                 return true;
                                               });
  if (!status.ok()) return status;
  if (old.empty()) return line;
  if (line.has_value()) {
    absl::StatusOr<bool> counts = DefaultCounts(
        *database_, {.kernel = key, .device = request.device.name, .good_only = true});
    if (!counts.ok()) return counts.status();
    if (!*counts) line.reset();
  }
  static std::atomic<bool> said = false;
  if (!said.exchange(true)) {
    fprintf(stderr,
            "halyard: note: records of version \"%s\" in %s no longer count, and are ignored; "
            "`halyard tune` measures anew\n",
            old.c_str(), path_.c_str());
  }
  return line;
}

absl::StatusOr<std::string> TunedSchedules::FindChoices(const std::string& program_key,
                                                        const runtime::DeviceInfo& device) {
  if (!database_.has_value()) return std::string();
  absl::StatusOr<std::optional<std::string>> kept =
      autotuner::KeptChoices(*database_, program_key, device.name);
  if (kept.ok()) return kept->value_or("");
  if (absl::Status s = GiveUp(kept.status()); !s.ok()) return s;
  return std::string();
}

}  // namespace halyard
