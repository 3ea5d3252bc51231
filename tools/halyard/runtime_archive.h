// The runtime that `halyard compile` puts into libraries. It is embedded in the command.
#ifndef HALYARD_TOOLS_HALYARD_RUNTIME_ARCHIVE_H_
#define HALYARD_TOOLS_HALYARD_RUNTIME_ARCHIVE_H_

#include "runtime/archive/static_library.h"

namespace halyard::tools {

// Returns the runtime's libraries as they were when the command was built.
RuntimeArchives EmbeddedRuntime();

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_RUNTIME_ARCHIVE_H_
