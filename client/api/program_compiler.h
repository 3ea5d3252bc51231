// Compiles programs without running them: for `halyard compile`, `show`, `tune` and tests.
#ifndef HALYARD_CLIENT_API_PROGRAM_COMPILER_H_
#define HALYARD_CLIENT_API_PROGRAM_COMPILER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "lowering/kernels/kernel_request.h"
#include "lowering/plan/compile_plan.h"
#include "runtime/program/program_spec.h"

namespace halyard {

// Returns the target that the options name, changed by those other options on which kernels depend.
absl::StatusOr<Target> TargetFor(const ClientOptions& options);

// Returns how a program is planned for the target: with `compile.choices`, but without choices that
// were kept.
absl::StatusOr<lowering::PlanOptions> PlanOptionsFor(const Target& target,
                                                     const CompileOptions& compile);

// kInvalidArgument where CompileOptions::quick contradicts another option.
absl::Status CheckQuick(const ClientOptions& client, const CompileOptions& compile);

// Plans a module, and fills in the object of every kernel: from the cache if it is there, else from
// the codegen service.
struct ProgramCompiler {
  ClientOptions client;  // cache settings
  CompileOptions compile;
  CompileStats stats;
  // If true, the program is to run in this process, so a custom call of an unknown function is an
  // error before anything is sent to codegen. If false, whoever runs the program must provide the
  // functions.
  bool runs_here = false;
  // Replies for the kernels (schedules used; dumps if compile.dump_dir or want_dump), by kernel.
  bool want_dump = false;
  std::vector<lowering::KernelReply> replies;
  std::vector<bool> from_record;  // by kernel, whether its schedule comes from a record
  // True if the tuning database, or part of it, could not be read. Another compile may find more.
  bool tuning_failed = false;
  absl::StatusOr<ProgramSpec> Compile(const hlo::Module& module, const Target& target);
  // Returns the kernels as requests without objects. Nothing is sent to codegen.
  absl::StatusOr<ProgramSpec> Plan(const hlo::Module& module, const Target& target);

 private:
  struct Planned;
  struct Wanted;
  absl::StatusOr<std::vector<Wanted>> WantedKernels(const ProgramSpec& program,
                                                    const std::string& target);
  absl::Status CompileMissing(const ProgramSpec& program, std::vector<Wanted>* wanted,
                              const std::vector<size_t>& missing);
  absl::StatusOr<Planned> PlanAndDump(const hlo::Module& module, const Target& target);
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_PROGRAM_COMPILER_H_
