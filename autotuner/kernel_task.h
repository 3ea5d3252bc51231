// The kernels of a program, as a tuner sees them.
#ifndef HALYARD_AUTOTUNER_KERNEL_TASK_H_
#define HALYARD_AUTOTUNER_KERNEL_TASK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/version.h"
#include "lowering/codegen/kernel_compiler.h"
#include "lowering/kernel_request.h"
#include "runtime/program_spec.h"
#include "schedules/space_text.h"

namespace halyard::autotuner {

struct KernelTask {
  std::string name;                 // the first of the program's kernels that are this one
  lowering::KernelRequest request;  // without a schedule
  std::string key;                  // request.KernelKey(): what records are of
  std::string device;               // request.device.name
  std::vector<schedules::TemplateSpace> space;  // the default's template first
  // Launches in one run of the program: of a loop's body, its trip count, or kUnknownTrips where
  // that depends on data; every branch of a conditional counts as taken.
  double uses = 0;
  std::string provenance;        // as ProgramSpec::Kernel's
  int64_t flops = 0, bytes = 0;  // of one launch
};
inline constexpr double kUnknownTrips = 16;

// The program's kernels in the order of its list, equal ones once. Those that a GPU program runs on
// the host are left out: they are for any x86, and small. `compiler` is asked for their spaces.
absl::StatusOr<std::vector<KernelTask>> TasksOf(const ProgramSpec& program,
                                                lowering::KernelCompiler& compiler);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_KERNEL_TASK_H_
