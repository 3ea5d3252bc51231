// A device's memory and pinned host memory, counted.
#ifndef HALYARD_RUNTIME_CUDA_MEMORY_H_
#define HALYARD_RUNTIME_CUDA_MEMORY_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/cuda/api.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

// Device memory comes from a pool of this Device's own (stream-ordered: what was freed is given out
// again in microseconds and without waiting for the device), where the driver has pools.
// Thread-safe; the context is current in every call but `use`.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Status Open(const Api* api, CUdevice device, const DeviceInfo* info, bool has_pools);
  void Close();

  Status Allocate(uint64_t bytes, Space space, Block* block);
  void Free(Block* block);
  MemoryUse use(Space space) const { return counters_[static_cast<int>(space)].use(); }

 private:
  Status AllocateDevice(uint64_t bytes, CUdeviceptr* address);
  Status AllocateHost(uint64_t bytes, Block* block);
  Status NoRoom(uint64_t bytes, const char* what) const;

  const Api* api_ = nullptr;
  const DeviceInfo* info_ = nullptr;
  CUmemoryPool pool_ = nullptr;
  CUstream stream_ = nullptr;  // orders the pool's work
  MemoryCounter counters_[2];  // by space
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_MEMORY_H_
