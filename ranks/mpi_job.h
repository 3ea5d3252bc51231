// Connects the processes that `mpirun -n N halyard …` starts: there is a socket between rank 0
// and each of the others, or between any two (ConnectAll). Where sockets do not reach all ranks,
// MPI itself carries what goes between them (MpiLinks).
//
// With sockets, MPI only introduces the processes to each other, and is finalized before any of
// them works. MPI (3.1, section 8.3) does not say what holds after a process has died. Sockets do:
// the end of a process, whatever ended it, is the end of a stream, at once, on both sides. Waiting
// on a socket also takes no CPU, while waiting in Open MPI does, which would disturb measurements.
// And because nothing is left to finalize, rank 0 can leave after any loss.
#ifndef HALYARD_RANKS_MPI_JOB_H_
#define HALYARD_RANKS_MPI_JOB_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ranks/mpi_links.h"

namespace halyard::ranks {

// Returns how many processes were started together with this one, according to the environment that
// mpirun or srun sets. 1 means this one alone.
int LaunchedProcesses();

struct MpiJob {
  int rank = 0, size = 1;
  // The place of this rank among the ranks on this machine that measure, which are all except rank
  // 0, and their number.
  int local_index = 0, local_count = 1;
  // The same for all ranks on this machine.
  int local_rank = 0, local_size = 1;
  // On rank 0: the sockets by rank, with -1 for ranks that have not come and for rank 0. On other
  // ranks: the only socket, to rank 0.
  std::vector<int> sockets;
  // MPI's links to all other ranks, if these are asked for; then there are no sockets.
  std::unique_ptr<MpiLinks> links;
};

enum class RankLinks : uint8_t { kSockets, kAsTheEnvironmentSays };

// Every process of the job calls this once, early. Returns kFailedPrecondition if libhalyard_mpi.so
// is missing or is of another MPI than the one that started this process, and kUnavailable if rank
// 0 cannot be reached. A call that MPI leaves hanging ends the process after two minutes. With
// `all_cpus`, this process may afterwards use the CPUs to which mpirun has not bound it, too. The
// environment variable HALYARD_RANK_LINKS of rank 0, "sockets" or "mpi", says what the ranks use if
// the environment may say it; kInvalidArgument if it is something else.
absl::StatusOr<MpiJob> JoinMpiJob(bool all_cpus, RankLinks links = RankLinks::kSockets);

// Every process of the job without MPI's links calls this next if any two ranks must talk. Returns
// this rank's sockets by rank, with -1 for its own, and takes the sockets of `job`. Returns
// kUnavailable if a rank is missing.
absl::StatusOr<std::vector<int>> ConnectAll(MpiJob* job);

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_MPI_JOB_H_
