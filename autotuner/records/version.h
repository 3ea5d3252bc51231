// The version of a schedule's line says whether a record of it still counts. The meaning of a line
// changes with its template and with Halide.
#ifndef HALYARD_AUTOTUNER_RECORDS_VERSION_H_
#define HALYARD_AUTOTUNER_RECORDS_VERSION_H_

#include <string>

#include "absl/strings/string_view.h"

namespace halyard::autotuner {

// Returns the current Record::version of schedules of this template: "contraction 3 halide 21.0.0".
std::string VersionOf(absl::string_view template_name);
// Returns the version of a whole line, or "" if it is not a schedule line.
std::string VersionOfLine(absl::string_view line);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_VERSION_H_
