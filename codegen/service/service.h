// The inside of halyard-codegen. It reads requests from one descriptor, forks a child for each, and
// writes replies to another.
#ifndef HALYARD_CODEGEN_SERVICE_SERVICE_H_
#define HALYARD_CODEGEN_SERVICE_SERVICE_H_

#include <cstdint>

namespace halyard::lowering {

struct ServiceOptions {
  int jobs = 1;
  double seconds_per_kernel = 120;
  int64_t memory_bytes_per_kernel = int64_t{8}
                                    << 30;  // address space of a child beyond the service's own
};

// Runs until `in` ends. First compiles one kernel itself, so that every child starts from the same
// warm Halide. This is faster, and equal requests give equal bytes. Returns the process's exit
// status.
int ServeKernels(int in, int out, const ServiceOptions& options);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_SERVICE_SERVICE_H_
