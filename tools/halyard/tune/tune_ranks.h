// `mpirun -n N halyard tune`: see docs/tuning.md.
#ifndef HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_
#define HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_

#include "absl/status/statusor.h"
#include "client/devices/target.h"
#include "ranks/mpi_job.h"

namespace halyard::tools {

// Returns the place of this process among those that mpirun or srun started with it; without them,
// in a job of one process.
absl::StatusOr<ranks::MpiJob> JoinRanks();

// Returns the device of the rank with this place on its machine. The GPUs with the same name as
// `target`, which describes `device_index`, are shared out among the machine's ranks in turn.
int DeviceOfRank(int local_rank, const Target& target, int device_index);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_TUNE_TUNE_RANKS_H_
