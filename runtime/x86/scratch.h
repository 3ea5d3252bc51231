// The memory that a kernel may allocate while it runs (hyrt_malloc). Each thread that runs kernel
// code has one region, which is used like a stack.
#ifndef HALYARD_RUNTIME_X86_SCRATCH_H_
#define HALYARD_RUNTIME_X86_SCRATCH_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/status.h"

namespace halyard::runtime::x86 {

// Halide frees in any order. A freed piece is returned once all pieces above it are free. If the
// region is full, pieces come from the heap, and the region grows to the highest peak as soon as it
// is empty. So in a steady state, nothing comes from the heap.
class ScratchRegion {
 public:
  ScratchRegion() = default;
  ~ScratchRegion();
  ScratchRegion(const ScratchRegion&) = delete;
  ScratchRegion& operator=(const ScratchRegion&) = delete;

  // Makes room for `bytes` of payload in up to 64 pieces. Call this only while nothing is
  // allocated.
  Status Reserve(uint64_t bytes);
  void* Allocate(uint64_t bytes);  // 128-aligned; null if there is no memory
  void Free(void* piece);
  // Call this after a kernel. Grows the region if it was too small.
  void GrowToPeak();

  uint64_t heap_allocations() const { return heap_allocations_; }
  uint64_t size() const { return size_; }
  // Returns the number of bytes that Reserve takes from the system for `bytes` of payload.
  static uint64_t SizeFor(uint64_t bytes);

 private:
  struct Header;
  void Unmap();

  uint8_t* base_ = nullptr;
  bool from_heap_ = false;  // of the host's allocator, if it has one; else mapped
  uint64_t size_ = 0;
  uint64_t used_ = 0;        // bytes of the region in use, from its start
  Header* top_ = nullptr;    // header of the last piece in the region
  uint64_t heap_bytes_ = 0;  // bytes now in pieces from the heap
  uint64_t peak_ = 0;        // the most that was ever in use, of both kinds
  uint64_t heap_allocations_ = 0;
};

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_SCRATCH_H_
