// The inside of a halyard-codegen that several commands share (shared_service.h).
#ifndef HALYARD_CODEGEN_SERVICE_SHARE_H_
#define HALYARD_CODEGEN_SERVICE_SHARE_H_

#include <string>

#include "codegen/service/service.h"

namespace halyard::lowering {

// Forks a process for each who connects to `listening`, and there serves kernels until the other
// side closes the connection (ServeKernels). Returns the process's exit status when nobody has been
// connected for `idle_seconds`, or when the socket's path is no longer this socket's, and nobody is
// connected.
int ShareKernels(int listening, const std::string& socket_path, double idle_seconds,
                 const ServiceOptions& options);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_SHARE_H_
