// Ahead of time: programs compiled into files that other programs use.
#ifndef HALYARD_CLIENT_AOT_H_
#define HALYARD_CLIENT_AOT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/client.h"
#include "client/target.h"

namespace halyard {

struct AotOptions {
  std::string folder;   // made if it is not there
  std::string name;     // a C identifier
  bool bundle = false;  // x86 too as a Program file
  // Bytes of the build's libhalyard_runtime.a, for libraries.
  absl::string_view runtime_archive;
  ClientOptions client;  // cache settings
  CompileOptions compile;
};

struct AotReport {
  std::vector<std::string> files;  // paths written
  int kernels = 0;                 // distinct ones
  int64_t kernel_bytes = 0;        // of their objects
  int64_t constant_bytes = 0;
  int64_t arena_bytes = 0;  // temps of one run, on the device
  MemoryPlan memory;        // of one run, with one thread per CPU here
  // CUDA, from ptxas; -1: not known. Of the hungriest kernel, and of all.
  int max_registers = -1;
  int64_t spilled_bytes = -1;
};

// x86: NAME.h and libNAME.a, unless `bundle`. Else the Program file NAME.TARGET.hyprog (':' in the
// target becomes '-'), which the runtime loads; CUDA kernels in it are assembled by ptxas where one
// is found that knows the device, and PTX for the driver otherwise. Files are replaced as a whole.
absl::StatusOr<AotReport> CompileAheadOfTime(const hlo::Module& module, const Target& target,
                                             const AotOptions& options);

}  // namespace halyard

#endif  // HALYARD_CLIENT_AOT_H_
