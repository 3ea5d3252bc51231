// `mpirun -n N halyard tune …`: rank 0 proposes and keeps the records, and the other ranks compile
// and measure.
#ifndef HALYARD_AUTOTUNER_REMOTE_RANKS_H_
#define HALYARD_AUTOTUNER_REMOTE_RANKS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "autotuner/measure/measure.h"
#include "autotuner/measure/trials.h"
#include "codegen/service/kernel_compiler.h"
#include "ranks/mpi_job.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

// Returns, on rank 0, trials by all other ranks. Reports on stderr which ranks are lost or left
// out. Returns kUnavailable if no rank has connected.
absl::StatusOr<std::unique_ptr<Trials>> TrialsOfRanks(const ranks::MpiJob& job);

// Does the work of another rank. Returns an exit status when rank 0 is done. If rank 0 is lost,
// ends the process at once. Ranks on one machine take turns in measuring: on the CPU, one measures
// while no other measures or compiles; a GPU runs the candidates of one rank at a time. `device` is
// the one that `measure.target` and `measure.device_index` name.
int ServeRank(const ranks::MpiJob& job, lowering::KernelCompiler* compiler,
              const runtime::DeviceInfo& device, MeasureOptions measure,
              const std::string& oracle_folder);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_REMOTE_RANKS_H_
