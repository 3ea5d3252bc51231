// The tuning database as a compile sees it: the best schedule of a kernel on a device.
#ifndef HALYARD_CLIENT_TUNED_SCHEDULES_H_
#define HALYARD_CLIENT_TUNED_SCHEDULES_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/database.h"
#include "lowering/kernel_request.h"

namespace halyard {

class TunedSchedules {
 public:
  // `path`: "" is Database::DefaultPath(). A database that is not there has no records; one that
  // cannot be read is an error.
  static absl::StatusOr<TunedSchedules> Open(const std::string& path);
  // What a compile uses. A database that cannot be read, now or when something is looked up, has no
  // records, which is said on stderr once: a full disk or a damaged file stops no program. With
  // `locked`, when records are what is asked for, it is an error.
  static absl::StatusOr<TunedSchedules> OpenForCompile(const std::string& path, bool locked);
  // It could not be read, so that not all of what there is was found.
  bool failed() const { return failed_; }

  // The fastest good record's line; none if there is none of this kernel, device, template versions
  // and Halide. Records of other versions are ignored, which is said on stderr once if they are
  // faster; if the first of all, the default's, is one of them and its template was not measured
  // since, what is left may be slower than the default, and is ignored too.
  absl::StatusOr<std::optional<std::string>> Find(const lowering::KernelRequest& request);
  // Program-level choices that were kept for the program of this ProgramKey
  // (autotuner/kept_choices.h); "": none, or the rules.
  absl::StatusOr<std::string> FindChoices(const std::string& program_key,
                                          const runtime::DeviceInfo& device);
  // Which records there are: equal states give equal answers. For keys of what is made from them.
  const std::string& state() const { return state_; }
  const std::string& path() const { return path_; }

 private:
  TunedSchedules() = default;
  absl::StatusOr<std::optional<std::string>> Look(const lowering::KernelRequest& request) const;
  // The status, or OK once it has been said.
  absl::Status GiveUp(const absl::Status& status);

  std::string path_, state_;
  std::optional<autotuner::Database> database_;
  bool forgiving_ = false, failed_ = false;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_TUNED_SCHEDULES_H_
