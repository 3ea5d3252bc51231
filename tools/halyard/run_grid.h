// halyard run --replicas/--partitions: runs a grid of processes on the reference.
#ifndef HALYARD_TOOLS_HALYARD_RUN_GRID_H_
#define HALYARD_TOOLS_HALYARD_RUN_GRID_H_

#include <string>

#include "absl/status/status.h"
#include "tools/halyard/arrays.h"

namespace halyard::tools {

struct GridRunOptions {
  std::string file, outputs;
  InputOptions inputs;
  int replicas = 0, partitions = 0;  // 0: what the program says
};

// Gives every process the same arguments, and prints each process's results and outfeeds. `outputs`
// gets all results as out0, out1, …, process after process, replica-major.
absl::Status RunGridProgram(const GridRunOptions& options);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_RUN_GRID_H_
