// The kernels of a program as a tuner sees them.
#ifndef HALYARD_AUTOTUNER_MEASURE_KERNEL_TASK_H_
#define HALYARD_AUTOTUNER_MEASURE_KERNEL_TASK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/records/version.h"
#include "codegen/service/kernel_compiler.h"
#include "lowering/kernels/kernel_request.h"
#include "runtime/program/program_spec.h"
#include "schedules/space_text.h"

namespace halyard::autotuner {

struct KernelTask {
  std::string name;                             // of the first of equal kernels of the program
  lowering::KernelRequest request;              // without a schedule
  std::string key;                              // request.KernelKey(), which records refer to
  std::string device;                           // request.device.name
  std::vector<schedules::TemplateSpace> space;  // the default's template comes first
  // Launches in one run of the program. In a loop's body, this is the loop's trip count, or
  // kUnknownTrips if that depends on data. Every branch of a conditional counts as taken.
  double uses = 0;
  std::string provenance;        // as in ProgramSpec::Kernel
  int64_t flops = 0, bytes = 0;  // of one launch
};
inline constexpr double kUnknownTrips = 16;

// Returns the program's kernels in the order of its list, listing equal kernels once. Leaves out
// those that a GPU program runs on the host, because they are for any x86 and are small. Asks
// `compiler` for their spaces.
absl::StatusOr<std::vector<KernelTask>> TasksOf(const ProgramSpec& program,
                                                lowering::KernelCompiler& compiler);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURE_KERNEL_TASK_H_
