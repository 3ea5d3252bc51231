// The tuning database as a compile sees it: the best schedule of a kernel on a device.
#ifndef HALYARD_CLIENT_TUNING_TUNED_SCHEDULES_H_
#define HALYARD_CLIENT_TUNING_TUNED_SCHEDULES_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/records/database.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard {

class TunedSchedules {
 public:
  // `path` "" stands for Database::DefaultPath(). A missing database has no records; a database
  // that cannot be read is an error.
  static absl::StatusOr<TunedSchedules> Open(const std::string& path);
  // Opens the database for a compile. A database that cannot be read, now or during a lookup,
  // counts as one without records, and a message on stderr says so once, because a full disk or a
  // damaged file must stop no program. With `locked`, when records are required, it is an error.
  static absl::StatusOr<TunedSchedules> OpenForCompile(const std::string& path, bool locked);
  // True if the database could not be read, so that some records may not have been found.
  bool failed() const { return failed_; }

  // Returns the line of the fastest good record, or nothing if there is no record of this kernel,
  // device, template versions and Halide. Records of other versions are ignored; if they are
  // faster, a message on stderr says so once. If the oldest record, which is that of the default,
  // has another version and its template was not measured since, the remaining records may be
  // slower than the default, and are ignored, too.
  absl::StatusOr<std::optional<std::string>> Find(const lowering::KernelRequest& request);
  // Returns the program-level choices that were kept for the program of this ProgramKey
  // (autotuner/records/kept_choices.h), or "" for the rules.
  absl::StatusOr<std::string> FindChoices(const std::string& program_key,
                                          const runtime::DeviceInfo& device);
  // Identifies the records in the database: equal states give equal answers. Keys of what is made
  // from the records contain it.
  const std::string& state() const { return state_; }
  const std::string& path() const { return path_; }

 private:
  TunedSchedules() = default;
  absl::StatusOr<std::optional<std::string>> Look(const lowering::KernelRequest& request) const;
  // Returns the status, or OK once it has been reported.
  absl::Status GiveUp(const absl::Status& status);

  std::string path_, state_;
  std::optional<autotuner::Database> database_;
  bool forgiving_ = false, failed_ = false;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_TUNING_TUNED_SCHEDULES_H_
