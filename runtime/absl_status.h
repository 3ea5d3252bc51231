// Converts the runtime's Status to absl's and back, for code that is built on the runtime. The
// runtime itself does not use absl.
#ifndef HALYARD_RUNTIME_ABSL_STATUS_H_
#define HALYARD_RUNTIME_ABSL_STATUS_H_

#include <string>

#include "absl/status/status.h"
#include "runtime/status.h"

namespace halyard {

inline absl::Status ToAbsl(const runtime::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(static_cast<absl::StatusCode>(status.code()), status.message());
}

inline runtime::Status ToRuntime(const absl::Status& status) {
  if (status.ok()) return runtime::Status();
  return runtime::MakeStatus(static_cast<runtime::Code>(status.code()), "%s",
                             std::string(status.message()).c_str());
}

}  // namespace halyard

#endif  // HALYARD_RUNTIME_ABSL_STATUS_H_
