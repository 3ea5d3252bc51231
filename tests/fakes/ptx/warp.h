// The state of a warp and its block while they run.
#ifndef HALYARD_TESTS_FAKES_PTX_WARP_H_
#define HALYARD_TESTS_FAKES_PTX_WARP_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/fakes/ptx/matrix/wgmma.h"
#include "tests/fakes/ptx/memory.h"
#include "tests/fakes/ptx/module.h"
#include "tests/fakes/ptx/order.h"

namespace halyard::testing::ptx {

constexpr uint32_t kAllLanes = ~uint32_t{0};
constexpr int kLanes = 32;

struct Block {
  const Function* function = nullptr;
  const uint8_t* parameters = nullptr;
  uint32_t index[3] = {0, 0, 0};
  uint32_t size[3] = {1, 1, 1};
  uint32_t grid[3] = {1, 1, 1};
  uint32_t dynamic_shared = 0;
  uint32_t linear = 0;  // the block's number in the grid
  SharedMemory shared;
  GlobalMemory* global = nullptr;
  BlockOrder order;
  std::vector<std::vector<Arrival>> arrivals;  // at wgmmas, of each warpgroup, in order
  Released* released = nullptr;                // the launch's, guarded by GlobalMemory::atomics
};

// An asynchronous copy for which its thread has not yet waited.
struct AsyncCopy {
  uint32_t at = 0, bytes = 0;  // in shared memory, from kSharedBase
  uint32_t group = 0;
};

// Lanes at the same instruction.
struct LaneGroup {
  int32_t pc = 0;
  uint32_t mask = 0;
};

struct Warp {
  Block* block = nullptr;
  uint32_t first_thread = 0;
  std::vector<uint8_t> registers;
  std::vector<uint8_t> local;      // local_bytes of each lane
  std::vector<LaneGroup> groups;   // runnable; by descending pc
  std::vector<LaneGroup> blocked;  // at a barrier
  uint32_t live = 0;
  int32_t pc = 0;  // of the running instruction
  uint32_t warp_epoch = 0;
  const GlobalMemory::Range* range = nullptr;  // the last one accessed
  std::vector<AsyncCopy> copies[kLanes];
  uint32_t copy_group[kLanes] = {};  // groups that the lane has committed
  WarpProducts products;             // of wgmma

  template <typename T>
  T* Lanes(uint32_t offset) {
    return reinterpret_cast<T*>(registers.data() + offset);
  }
  uint32_t& Predicate(uint32_t offset) {
    return *reinterpret_cast<uint32_t*>(registers.data() + offset);
  }
};

template <typename T>
inline void Store(Warp& warp, uint32_t offset, uint32_t mask, const T (&values)[kLanes]) {
  T* to = warp.Lanes<T>(offset);
  if (mask == kAllLanes) {
    std::memcpy(to, values, sizeof(values));
    return;
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) != 0) to[lane] = values[lane];
  }
}

// An illegal action of a kernel. It never leaves RunGrid.
struct Fault {
  enum class Kind { kAddress, kMisaligned, kOther, kEndless };
  Kind kind = Kind::kOther;
  int lane = 0;
  std::string text;
};

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_WARP_H_
