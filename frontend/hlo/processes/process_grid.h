// The reference for programs of several processes: one evaluator for each, in lockstep only where
// they communicate.
#ifndef HALYARD_FRONTEND_HLO_PROCESSES_PROCESS_GRID_H_
#define HALYARD_FRONTEND_HLO_PROCESSES_PROCESS_GRID_H_

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/processes/communication.h"

namespace halyard::hlo {

// What the host gives to one process and gets from it. Items are arrays or tuples of arrays. An
// item of one array may stand for a tuple of one.
struct ProcessHost {
  std::deque<Literal> infeed;                        // taken from the front
  std::vector<Literal> outfeed;                      // added at the back
  std::map<int64_t, std::deque<Literal>> to_device;  // by channel: what host transfers receive
  std::map<int64_t, std::vector<Literal>> to_host;   // by channel: what host transfers send
};

struct GridOptions {
  // One for each process, replica-major. If null, there is no infeed, and what is written is
  // dropped.
  std::vector<ProcessHost>* hosts = nullptr;
  // If true, what a process sends to its host on a channel is what some process receives from its
  // host on that channel, as if they sent it to one another. StableHLO's interpreter does so.
  bool hosts_pass_on = false;
  Evaluator::CustomCallFn custom_call;
  int64_t max_loop_iterations = 0;  // see Evaluator
};

// Returns whether a computation of the module communicates, so that a single evaluator cannot run
// it.
bool NeedsGrid(const Module& module);

// Runs the module as module.num_replicas × module.num_partitions processes. `arguments` holds one
// list for each process, or one for all. Returns the result of each process, replica-major.
//
// Errors are those of the evaluator, with the process that had it; for a communication op that does
// not fit the grid, its label (see CheckCommunication); and kDeadlineExceeded for a deadlock, with
// what each process waits for. Processes take turns: one runs until it waits, so all runs are
// alike.
absl::StatusOr<std::vector<Literal>> RunGrid(const Module& module,
                                             absl::Span<const std::vector<Literal>> arguments,
                                             const GridOptions& options = {});

// Does the same for processes that need not run the same module. `modules` and `arguments` hold one
// for each process of `grid`, replica-major, whatever grid the modules themselves name. Collectives
// meet where their processes run the same module object. Channels join any two processes.
absl::StatusOr<std::vector<Literal>> RunGrid(const GridShape& grid,
                                             absl::Span<const Module* const> modules,
                                             absl::Span<const std::vector<Literal>> arguments,
                                             const GridOptions& options = {});

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_PROCESSES_PROCESS_GRID_H_
