// Shared by the functions that open GPU devices.
#ifndef HALYARD_RUNTIME_GPU_OPEN_H_
#define HALYARD_RUNTIME_GPU_OPEN_H_

#include <inttypes.h>
#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::gpu {

// Makes and opens a device. `Made` is a Device with `Status Open(uint32_t, const Options&)`.
template <typename Made, typename Options>
Status OpenDevice(uint32_t index, const Options& options, Device** device) {
  Made* made = NewObject<Made>();
  if (made == nullptr) return OutOfHostMemory("a device");
  Status status = made->Open(index, options);
  if (!status.ok()) {
    DeleteObject(made);
    return status;
  }
  *device = made;
  return Status();
}

// Describes a device. `Made` has `Status Describe(uint32_t, const Options&)`, after which info() is
// complete.
template <typename Made, typename Options>
Status DescribeDevice(uint32_t index, const Options& options, DeviceInfo* info) {
  Made* made = NewObject<Made>();
  if (made == nullptr) return OutOfHostMemory("a device");
  Status status = made->Describe(index, options);
  if (status.ok()) *info = made->info();
  DeleteObject(made);
  return status;
}

// Checks the range of an Upload or a Download.
inline Status CheckRange(const Block& block, uint64_t offset, uint64_t bytes) {
  if (offset <= block.bytes && bytes <= block.bytes - offset) return Status();
  return MakeStatus(Code::kInvalidArgument,
                    "copy of %" PRIu64 " bytes at %" PRIu64 " of a block of %" PRIu64, bytes,
                    offset, block.bytes);
}

}  // namespace halyard::runtime::gpu

#endif  // HALYARD_RUNTIME_GPU_OPEN_H_
