// The runtime's Status as absl's, for what is built on the runtime, which itself knows no absl.
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
