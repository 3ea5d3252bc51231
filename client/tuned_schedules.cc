#include "client/tuned_schedules.h"

#include <atomic>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/kept_choices.h"
#include "autotuner/version.h"

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

absl::StatusOr<std::optional<std::string>> TunedSchedules::Find(
    const lowering::KernelRequest& request) const {
  std::optional<std::string> line;
  if (!database_.has_value()) return line;
  std::string old;  // a version that no longer counts
  absl::Status status = database_->ForEachBest(
      {.kernel = request.KernelKey(), .device = request.device.name}, [&](const Record& record) {
        if (record.version == autotuner::VersionOfLine(record.schedule)) {
          line = record.schedule;
          return false;
        }
        old = record.version;
        return true;
      });
  if (!status.ok()) return status;
  static std::atomic<bool> said = false;
  if (!line.has_value() && !old.empty() && !said.exchange(true)) {
    fprintf(stderr,
            "halyard: note: records of version \"%s\" in %s no longer count, and are ignored; "
            "`halyard tune` measures anew\n",
            old.c_str(), path_.c_str());
  }
  return line;
}

absl::StatusOr<std::string> TunedSchedules::FindChoices(const std::string& program_key,
                                                        const runtime::DeviceInfo& device) const {
  if (!database_.has_value()) return std::string();
  absl::StatusOr<std::optional<std::string>> kept =
      autotuner::KeptChoices(*database_, program_key, device.name);
  if (!kept.ok()) return kept.status();
  return kept->value_or("");
}

}  // namespace halyard
