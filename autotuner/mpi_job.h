// The processes that `mpirun -n N halyard tune …` starts, connected: a socket between rank 0 and
// each of the others.
//
// MPI only introduces the processes to each other, and is finalized before the first candidate. MPI
// (3.1, section 8.3) says nothing of what holds after a process died; sockets do: the end of a
// process, whatever ended it, is the end of a stream, at once, on both sides. Waiting on a socket
// also takes no CPU, unlike waiting in Open MPI, which would disturb what is measured. And with
// nothing left to finalize, rank 0 can leave after any loss.
#ifndef HALYARD_AUTOTUNER_MPI_JOB_H_
#define HALYARD_AUTOTUNER_MPI_JOB_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace halyard::autotuner {

// Processes that were started together with this one, as the environment that mpirun or srun gives
// says; 1: this one alone.
int LaunchedProcesses();

struct MpiJob {
  int rank = 0, size = 1;
  // Among the ranks on this machine that measure, which are all but rank 0.
  int local_index = 0, local_count = 1;
  // Rank 0: by rank, -1 where a rank has not come (and for 0). Others: the one to rank 0.
  std::vector<int> sockets;
};

// Every process of the job calls it once, early. kFailedPrecondition: libhalyard_mpi.so is not
// there, or is of another MPI than the one that started this; kUnavailable: rank 0 cannot be
// reached. One that MPI leaves hanging ends the process after two minutes.
absl::StatusOr<MpiJob> JoinMpiJob();

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MPI_JOB_H_
