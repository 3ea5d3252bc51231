// `mpirun -n N halyard tune`: see docs/tuning.md.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_

#include "absl/status/statusor.h"
#include "autotuner/remote/mpi_job.h"
#include "client/devices/target.h"

namespace halyard::tools {

// Returns the place of this process among those that mpirun or srun started with it; without them,
// in a job of one process.
absl::StatusOr<autotuner::MpiJob> JoinRanks();

// Returns the device on which this rank measures. The GPUs with the same name as `target`, which
// describes `device_index`, are shared out among the ranks of this machine in turn.
int DeviceOfRank(const autotuner::MpiJob& job, const Target& target, int device_index);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_
