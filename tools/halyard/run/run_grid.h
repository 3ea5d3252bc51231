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
  std::string
      infeed;  // what every process reads: item i's arrays are "inI", or "inI.0", "inI.1", …
  std::string outfeed;  // receives process P's item I, array J, as "processP.outI.J"
};

struct GridResults {
  Executable::Grid grid;
  std::vector<std::vector<hlo::Literal>> results;                // of each process, replica-major
  std::vector<std::vector<std::vector<hlo::Literal>>> outfeeds;  // of each process: items' arrays
  // All results, process after process.
  std::vector<hlo::Literal> Flattened() const;
};

// Runs all processes, with a list of arguments for each or one for all, and with the same infeed,
// and writes the outfeeds. With `ranks`, runs those of this rank; rank 0 then has the results of
// all, and alone writes.
absl::StatusOr<GridResults> RunGridOnce(Executable& executable,
                                        absl::Span<const std::vector<hlo::Literal>> arguments,
                                        const FeedFiles& feeds, GridRanks* ranks = nullptr);

// Prints each process's results and outfeeds.
void PrintGrid(const GridResults& results);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_RUN_RUN_GRID_H_
