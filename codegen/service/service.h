// The inside of halyard-codegen. It reads requests from one descriptor, forks a child for each, and
// writes replies to another.
#ifndef HALYARD_CODEGEN_SERVICE_SERVICE_H_
#define HALYARD_CODEGEN_SERVICE_SERVICE_H_

#include "codegen/service/kernel_process.h"

namespace halyard::lowering {

// Runs until `in` ends. Returns the process's exit status. Call WarmUp first; `spare` is a process
// for the first request, if there is one already.
int ServeKernels(int in, int out, const ServiceOptions& options, const KernelProcess& spare = {});

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_SERVICE_H_
