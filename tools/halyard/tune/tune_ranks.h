// `mpirun -n N halyard tune`: see docs/tuning.md.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_

#include "absl/status/statusor.h"
#include "autotuner/remote/mpi_job.h"
#include "client/devices/target.h"

namespace halyard::tools {

// This process's place among those that mpirun or srun started with it; a job of one without them.
absl::StatusOr<autotuner::MpiJob> JoinRanks();

// The device that this rank measures on: of the GPUs of the same name as `target`, which is that of
// `device_index`, one for each rank of this machine, in turn.
int DeviceOfRank(const autotuner::MpiJob& job, const Target& target, int device_index);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_
