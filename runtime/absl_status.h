// Converts the runtime's Status to absl's, for code that is built on the runtime. The runtime
// itself does not use absl.
#ifndef HALYARD_RUNTIME_ABSL_STATUS_H_
#define HALYARD_RUNTIME_ABSL_STATUS_H_

#include "absl/status/status.h"
#include "runtime/status.h"

namespace halyard {

inline absl::Status ToAbsl(const runtime::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(static_cast<absl::StatusCode>(status.code()), status.message());
}

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ABSL_STATUS_H_
