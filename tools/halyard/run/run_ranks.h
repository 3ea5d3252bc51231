// `mpirun -n N halyard run` of a grid: each rank runs some of the processes.
#ifndef HALYARD_TOOLS_HALYARD_RUN_RUN_RANKS_H_
#define HALYARD_TOOLS_HALYARD_RUN_RUN_RANKS_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/processes/grid_ranks.h"
#include "tools/halyard/run/run_grid.h"

namespace halyard::tools {

// Meets the other ranks. Returns null if mpirun or srun has started this process alone, or not at
// all. Rank 0 says on stderr when all have met. If a rank is lost before the run has begun here
// (for example, while this rank compiles), this process prints the error and ends.
absl::StatusOr<std::unique_ptr<GridRanks>> JoinGridRanks(double timeout_seconds);

// Makes rank 0's results those of all processes, with their outfeeds. Every rank calls it.
absl::Status GatherResults(GridRanks* ranks, GridResults* results);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_RUN_RUN_RANKS_H_
