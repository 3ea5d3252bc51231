// halyard run with --replicas, --partitions, --infeed or --outfeed: runs a grid of processes.
#ifndef HALYARD_TOOLS_HALYARD_RUN_RUN_GRID_H_
#define HALYARD_TOOLS_HALYARD_RUN_RUN_GRID_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "client/processes/grid_ranks.h"

namespace halyard::tools {

struct FeedFiles {
  // The file that every process reads. Arrays of item I are "inI", or "inI.0", "inI.1", …
  std::string infeed;
  std::string outfeed;  // receives process P's item I, array J, as "processP.outI.J"
};

struct GridResults {
  Executable::Grid grid;
  std::vector<std::vector<hlo::Literal>> results;                // by process, replica-major
  std::vector<std::vector<std::vector<hlo::Literal>>> outfeeds;  // by process: items' arrays
  // All results, process after process.
  std::vector<hlo::Literal> Flattened() const;
};

// Runs all processes, and writes the outfeeds. `arguments` holds one list for each process, or one
// for all; all read the same infeed. With `ranks`, runs the processes of this rank; rank 0 then
// gets the results of all processes, and only rank 0 writes.
absl::StatusOr<GridResults> RunGridOnce(Executable& executable,
                                        absl::Span<const std::vector<hlo::Literal>> arguments,
                                        const FeedFiles& feeds, GridRanks* ranks = nullptr);

// Prints each process's results and outfeeds.
void PrintGrid(const GridResults& results);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_RUN_RUN_GRID_H_
