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
  // What the program calls its results, for the header; arguments have the names that their
  // instructions have.
  std::vector<std::string> result_names;
  bool bundle = false;        // for x86, too, write a Program file
  bool weights_file = false;  // for libraries, put the constants into NAME.weights
  // The bytes of the build's libhalyard_runtime.a, for libraries.
  absl::string_view runtime_archive;
  ClientOptions client;  // cache settings
  CompileOptions compile;
};

// A program file's module, and what it calls its results (jax.result_info), "" where it says
// nothing. HLO has no place for that.
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
  // CUDA, as ptxas reports; -1: not known. Registers of the kernel that needs most, and spills of
  // all.
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
