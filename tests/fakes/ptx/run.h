// Runs kernels from PTX text.
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
  uint32_t shared_bytes = 0;        // dynamic shared memory
  std::vector<uint8_t> parameters;  // laid out as the entry declares them
};

struct RunOptions {
  int threads = 2;  // host threads
  bool check_races = true;
  // Reports reads of shared memory that nothing has written. Halide's kernels make such reads where
  // a select drops the value. Shared memory starts as NaNs, so that a value that is not dropped
  // shows.
  bool check_uninitialised = false;
  // In which order blocks start: 0: ascending, 1: descending; other numbers: mixed, by the number.
  uint32_t block_order = 0;
  uint64_t max_steps = uint64_t{1} << 34;  // instructions of warps; more count as an endless loop
};

enum class Outcome { kDone, kBadLaunch, kBadAddress, kMisaligned, kFailed, kEndless };

// Runs all blocks. `memory` holds the addresses and sizes of live allocations, to which the
// module's own variables are added. If `footprint` is not null and races are checked, it receives
// what was accessed. If the outcome is not kDone, `message` states the kernel, the thread, the line
// and the error.
Outcome RunGrid(const Module& module, const Function& function, const Launch& launch,
                const std::vector<std::pair<uint64_t, uint64_t>>& memory, const RunOptions& options,
                std::string* message, Footprint* footprint = nullptr);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_RUN_H_
