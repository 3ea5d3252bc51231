#include "autotuner/records/version.h"

#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel_request.h"
#include "schedules/schedule.h"
#include "schedules/space_text.h"

namespace halyard::autotuner {

std::string VersionOf(absl::string_view template_name) {
  return absl::StrCat(template_name, " ", schedules::TemplateVersion(template_name), " halide ",
                      lowering::HalideVersion());
}

std::string VersionOfLine(absl::string_view line) {
  const absl::StatusOr<schedules::Schedule> schedule = schedules::Schedule::Parse(line);
  return schedule.ok() ? VersionOf(schedule->template_name()) : "";
}

}  // namespace halyard::autotuner
