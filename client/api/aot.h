// Compiles programs ahead of time into files that other programs use.
#ifndef HALYARD_CLIENT_API_AOT_H_
#define HALYARD_CLIENT_API_AOT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/api/client.h"
#include "client/devices/target.h"

namespace halyard {

struct AotOptions {
  std::string folder;  // created if it does not exist
  std::string name;    // a C identifier, see CheckModelName
  // Names of the program's results, for the header. Ignored unless there is one for each leaf.
  // Arguments are named after their locations, or else after their instructions.
  std::vector<std::string> result_names;
  bool bundle = false;        // for x86, too, write a Program file
  bool weights_file = false;  // for libraries, put the constants into NAME.weights
  // The contents of the build's libhalyard_runtime.a, for libraries.
  absl::string_view runtime_archive;
  ClientOptions client;  // cache settings
  CompileOptions compile;
};

// The module of a program file, and the names that the file gives to its results (jax.result_info),
// or "" for results without a name. HLO has no place for such names.
struct NamedProgram {
  std::unique_ptr<hlo::Module> module;
  std::vector<std::string> result_names;
};
absl::StatusOr<NamedProgram> ReadNamedProgramFile(const std::string& path);

struct AotReport {
  std::vector<std::string> files;  // paths of the files written
  int kernels = 0;                 // distinct kernels
  int64_t kernel_bytes = 0;        // bytes of the kernels' objects
  int64_t constant_bytes = 0;
  int64_t arena_bytes = 0;  // temporaries of one run, on the device
  MemoryPlan memory;        // memory of one run, with one thread for each CPU of this machine
  // For CUDA, as ptxas reports them; -1 if not known. `max_registers` is that of the kernel that
  // needs most; `spilled_bytes` is the sum over all kernels.
  int max_registers = -1;
  int64_t spilled_bytes = -1;
};

// For x86, writes NAME.h and libNAME.a, and NAME.weights if that is asked for, unless `bundle` is
// set. Otherwise writes the Program file NAME.TARGET.hyprog (':' in the target becomes '-'), which
// the runtime loads. ptxas assembles the CUDA kernels in it if there is a ptxas that knows the
// device; otherwise they are PTX for the driver. Each file is replaced as a whole.
absl::StatusOr<AotReport> CompileAheadOfTime(const hlo::Module& module, const Target& target,
                                             const AotOptions& options);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_AOT_H_
