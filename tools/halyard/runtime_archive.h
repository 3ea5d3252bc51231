// The runtime that `halyard compile` puts into libraries. It is embedded in the command.
#ifndef HALYARD_TOOLS_HALYARD_RUNTIME_ARCHIVE_H_
#define HALYARD_TOOLS_HALYARD_RUNTIME_ARCHIVE_H_

#include "absl/strings/string_view.h"

namespace halyard::tools {

// Returns the bytes of libhalyard_runtime.a as it was when the command was built.
absl::string_view RuntimeArchive();

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_RUNTIME_ARCHIVE_H_
