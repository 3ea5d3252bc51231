// Runs the processes of a program together, each in its own thread.
#ifndef HALYARD_CLIENT_PROCESSES_GRID_RUN_H_
#define HALYARD_CLIENT_PROCESSES_GRID_RUN_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/api/client.h"
#include "client/processes/grid_ranks.h"
#include "client/processes/host_queue.h"
#include "runtime/collectives/grid.h"
#include "runtime/execute/executor.h"
#include "runtime/program/program.h"

namespace halyard {

// Runs the process with the given number. Returns when the results of the process are there.
using RunProcess = std::function<absl::Status(runtime::Grid* grid, uint32_t process)>;

// Makes a grid for `program`, and calls `run` for each process in its own thread. With `ranks`,
// runs only the processes of this rank, while the other ranks run theirs. Returns the error of the
// process that failed first, or a description of a deadlock. `hosts` is empty or has one host for
// each process. All queues of the hosts are closed in the end. `places` says where each process
// runs.
absl::Status RunProcesses(const runtime::Program& program, absl::Span<ProcessHost* const> hosts,
                          GridRanks* ranks, absl::Span<const runtime::GridPlace> places,
                          const RunProcess& run);

// Runs several programs of one process each, as the processes of one grid: they may send each other
// messages. Returns as RunProcesses does.
absl::Status RunTogether(absl::Span<const runtime::GridPlace> places, const RunProcess& run);

// Makes a grid for `program`, and queues the members' runs on their streams, which must be
// different ones. Returns at once. An error of a process becomes that of the results of all
// processes that have not ended. The hosts must live until all results are ready, and their queues
// are closed by then.
absl::Status QueueProcesses(const runtime::Program& program, std::vector<ProcessHost*> hosts,
                            absl::Span<const runtime::GridMember> members);

}  // namespace halyard

#endif  // HALYARD_CLIENT_PROCESSES_GRID_RUN_H_
