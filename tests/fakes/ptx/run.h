// Runs kernels of PTX text.
#ifndef HALYARD_TESTS_FAKES_PTX_RUN_H_
#define HALYARD_TESTS_FAKES_PTX_RUN_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/ptx/memory.h"
#include "tests/fakes/ptx/module.h"

namespace halyard::testing::ptx {

struct Launch {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t shared_bytes = 0;        // dynamic
  std::vector<uint8_t> parameters;  // as the entry declares them
};

struct RunOptions {
  int threads = 2;  // of the host
  bool check_races = true;
  // Looks for reads of shared memory that nothing wrote. Halide's kernels do such reads where a
  // select drops the value. Shared memory starts as NaNs, so that it shows where none does.
  bool check_uninitialised = false;
  uint64_t max_steps = uint64_t{1} << 34;  // instructions of warps; more are an endless loop
};

enum class Outcome { kDone, kBadLaunch, kBadAddress, kMisaligned, kFailed, kEndless };

// Runs all blocks. `memory` holds the address and bytes of live allocations; the module's own
// variables are added. If `footprint` is not null, it receives what was accessed, if races are
// checked. If the outcome is not kDone, `message` states the kernel, the thread, the line and what
// is wrong.
Outcome RunGrid(const Module& module, const Function& function, const Launch& launch,
                const std::vector<std::pair<uint64_t, uint64_t>>& memory, const RunOptions& options,
                std::string* message, Footprint* footprint = nullptr);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_RUN_H_
