// Compiles programs ahead of time into files that other programs use.
#ifndef HALYARD_CLIENT_AOT_AOT_H_
#define HALYARD_CLIENT_AOT_AOT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/api/client.h"
#include "client/devices/target.h"
#include "runtime/archive/c_names.h"
#include "runtime/archive/static_library.h"
#include "runtime/program/program_spec.h"

namespace halyard {

// What CompileAheadOfTime writes.
enum class Emit {
  kSplit,     // for x86, NAME.h and libNAME.a; for every other target, a Program file
  kPrograms,  // a Program file for each target, NAME.TARGET.hyprog (':' becomes '-')
  kBundle,    // NAME.hybundle, with all targets and the constants once
  kStatic,    // NAME.h and libNAME.a, with all targets and the backends that they need
  kShared,    // NAME.h and libNAME.so, the same as a shared object
};

struct AotOptions {
  std::string folder;  // created if it does not exist
  std::string name;    // a C identifier, see CheckModelName
  // Names of the program's results, for the header. Ignored unless there is one for each leaf.
  // Arguments are named after their locations, or else after their instructions.
  std::vector<std::string> result_names;
  Emit emit = Emit::kSplit;
  bool weights_file = false;  // for libraries, put the constants into NAME.weights
  RuntimeArchives runtime;    // for libraries
  ClientOptions client;       // cache settings
  CompileOptions compile;
};

// The module of a program file, and the names that the file gives to its results (jax.result_info),
// or "" for results without a name. HLO has no place for such names.
struct NamedProgram {
  std::unique_ptr<hlo::Module> module;
  std::vector<std::string> result_names;
};
// `entry` names the function that is the program; "": the only one, or @main.
absl::StatusOr<NamedProgram> ReadNamedProgramFile(const std::string& path,
                                                  const std::string& entry = "");

struct AotReport {
  int kernels = 0;           // distinct kernels
  int64_t kernel_bytes = 0;  // bytes of the kernels' objects
  int64_t constant_bytes = 0;
  int64_t arena_bytes = 0;  // temporaries of one run, on the device
  MemoryPlan memory;        // memory of one run, with one thread for each CPU of this machine
  // For CUDA, as ptxas reports them; -1 if not known. `max_registers` is that of the kernel that
  // needs most; `spilled_bytes` is the sum over all kernels.
  int max_registers = -1;
  int64_t spilled_bytes = -1;
  // The schedule of each kernel, and whether it comes from a tuning record.
  struct Schedule {
    std::string kernel, line;
    bool tuned = false;
  };
  std::vector<Schedule> schedules;
};

struct CompiledTarget {
  ProgramSpec program;
  AotReport report;
};

// Compiles the program for one target. ptxas assembles CUDA kernels if there is a ptxas that knows
// the device; otherwise they are PTX for the driver.
absl::StatusOr<CompiledTarget> CompileAheadOfTime(const hlo::Module& module, const Target& target,
                                                  const AotOptions& options);

// Writes the programs, which CompileAheadOfTime has made of the module for different targets, and
// returns the files' paths. Each file is replaced as a whole. With kSplit, at most one is for x86.
absl::StatusOr<std::vector<std::string>> WriteAheadOfTime(const hlo::Module& module,
                                                          absl::Span<const ProgramSpec> programs,
                                                          const AotOptions& options);

// Returns the names of the leaves of arguments and results, for headers. `result_names` as in
// AotOptions.
ValueNames NamesOfValues(const hlo::Module& module, const std::vector<std::string>& result_names);

// The programs of several entries, or for several sizes (client/aot/sized_entry.h), which
// CompileAheadOfTime has made: those of the first target, then those of the second and so on, in
// the order of the catalogue. names[i] are those of entry i. Only for kBundle, kStatic and kShared.
absl::StatusOr<std::vector<std::string>> WriteAheadOfTime(absl::Span<const ProgramSpec> parts,
                                                          const CatalogueSpec& catalogue,
                                                          absl::Span<const ValueNames> names,
                                                          const AotOptions& options);

}  // namespace halyard

#endif  // HALYARD_CLIENT_AOT_AOT_H_
