// Runs kernels of PTX text.
#ifndef HALYARD_TESTS_FAKES_PTX_RUN_H_
#define HALYARD_TESTS_FAKES_PTX_RUN_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/ptx_memory.h"
#include "tests/fakes/ptx_module.h"

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
  // Reads of shared memory that nothing wrote. Halide's kernels do that where a select drops the
  // value; shared memory starts as NaNs, so that it shows where none does.
  bool check_uninitialised = false;
  uint64_t max_steps = uint64_t{1} << 34;  // instructions of warps; more: an endless loop
};

enum class Outcome { kDone, kBadLaunch, kBadAddress, kMisaligned, kFailed, kEndless };

// Runs all blocks. `memory`: live allocations, address and bytes; the module's own variables are
// added. `footprint`, if not null, gets what was accessed, where races are checked. Else than
// kDone: `message` says kernel, thread, line and what is wrong.
Outcome RunGrid(const Module& module, const Function& function, const Launch& launch,
                const std::vector<std::pair<uint64_t, uint64_t>>& memory, const RunOptions& options,
                std::string* message, Footprint* footprint = nullptr);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_RUN_H_
