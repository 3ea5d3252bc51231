// Allocates and counts the memory of a device and pinned host memory.
#ifndef HALYARD_RUNTIME_CUDA_MEMORY_H_
#define HALYARD_RUNTIME_CUDA_MEMORY_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/cuda/api.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

constexpr uint64_t kWrapAlignment = 16;  // that the application's memory must have

// If the driver has pools, device memory comes from a pool that belongs to this Device. It is
// stream-ordered: freed memory is given out again within microseconds and without waiting for the
// device. Thread-safe; the context is current in every call except `use`.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Status Open(const Api* api, CUdevice device, const DeviceInfo* info, bool has_pools);
  void Close();

  Status Allocate(uint64_t bytes, Space space, Block* block);
  // Makes a block of the application's memory. Returns kInvalidArgument unless it is device memory
  // of this context and GPU.
  Status Wrap(CUdeviceptr address, uint64_t bytes, CUcontext context, Block* block) const;
  void Free(Block* block);
  // Lets the other devices that can reach this device's memory read and write it. Memory of pools
  // needs that where one process has several devices, whose NCCL copies directly.
  Status ShareWithPeers();
  MemoryUse use(Space space) const { return counters_[static_cast<int>(space)].use(); }

 private:
  Status AllocateDevice(uint64_t bytes, CUdeviceptr* address);
  Status AllocateHost(uint64_t bytes, Block* block);
  Status NoRoom(uint64_t bytes, const char* what) const;

  const Api* api_ = nullptr;
  CUdevice device_ = 0;
  const DeviceInfo* info_ = nullptr;
  CUmemoryPool pool_ = nullptr;
  CUstream stream_ = nullptr;  // orders the pool's work
  MemoryCounter counters_[2];  // by space
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_MEMORY_H_
