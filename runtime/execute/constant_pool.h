// Copies of constants on a device, which the Executables of one bundle share.
#ifndef HALYARD_RUNTIME_EXECUTE_CONSTANT_POOL_H_
#define HALYARD_RUNTIME_EXECUTE_CONSTANT_POOL_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/kernel_object.h"
#include "runtime/status.h"

namespace halyard::runtime {

// Not thread-safe: one thread makes the Executables.
class ConstantPool {
 public:
  ConstantPool() = default;
  ~ConstantPool();  // FreeAll has been called, or nothing was added
  ConstantPool(const ConstantPool&) = delete;
  ConstantPool& operator=(const ConstantPool&) = delete;

  // Returns the copy of the constant at `data` in this space, or null.
  const Block* Find(ByteSpan data, Space space) const;
  // Keeps the block, which the pool then owns, unless it fails.
  Status Add(ByteSpan data, const Block& block);
  // No Executable that uses the blocks is left.
  void FreeAll(Device* device);

 private:
  struct Copy {
    Copy* next;
    ByteSpan data;
    Block block;
  };
  Copy* copies_ = nullptr;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_EXECUTE_CONSTANT_POOL_H_
