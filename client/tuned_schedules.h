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

  // The fastest good record's line; none if there is none of this kernel, device, template versions
  // and Halide. Records of other versions are ignored, which is said on stderr once if they are
  // faster; if the first of all, the default's, is one of them and its template was not measured
  // since, what is left may be slower than the default, and is ignored too.
  absl::StatusOr<std::optional<std::string>> Find(const lowering::KernelRequest& request) const;
  // Program-level choices that were kept for the program of this ProgramKey
  // (autotuner/kept_choices.h); "": none, or the rules.
  absl::StatusOr<std::string> FindChoices(const std::string& program_key,
                                          const runtime::DeviceInfo& device) const;
  // Which records there are: equal states give equal answers. For keys of what is made from them.
  const std::string& state() const { return state_; }
  const std::string& path() const { return path_; }

 private:
  TunedSchedules() = default;
  std::string path_, state_;
  std::optional<autotuner::Database> database_;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_TUNED_SCHEDULES_H_
