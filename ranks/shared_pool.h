// Blocks of a SharedSegment, which other processes read.
#ifndef HALYARD_RANKS_SHARED_POOL_H_
#define HALYARD_RANKS_SHARED_POOL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "ranks/shared_segment.h"

namespace halyard::ranks {

// Only the process that has created the segment allocates. Every block counts its uses in shared
// memory: its owner is one, and each process that it was sent to is another. It is free again when
// all of them have dropped it. A process that dies without dropping keeps a block in use, but then
// its job has failed anyway. Thread-safe.
class SharedPool {
 public:
  static constexpr uint64_t kAlignment = 64;  // of blocks, in bytes

  // Uses the segment from `begin` on. Memory that was taken stays taken. New memory is taken only
  // while it is less than `free_memory()` divided by `divisor`, so that all ranks of a machine
  // together, which may take some at the same time, leave enough for others.
  SharedPool(std::shared_ptr<SharedSegment> segment, uint64_t begin,
             std::function<uint64_t()> free_memory, uint64_t divisor);

  // Returns a block of `bytes` bytes, with one use, or null if memory is scarce.
  uint8_t* Allocate(uint64_t bytes);
  // Returns whether the block is one of this pool.
  bool Owns(const uint8_t* block) const;
  uint64_t OffsetOf(const uint8_t* block) const;  // in the segment
  // Returns how much memory the pool has taken, in bytes.
  uint64_t taken();

  // Any process that maps the segment may call these functions.
  static void AddUse(uint8_t* block);
  static void DropUse(uint8_t* block);
  // Returns the block at an offset that another process has sent, or null if there cannot be one.
  static uint8_t* BlockAt(const SharedSegment& segment, uint64_t offset, uint64_t bytes);

 private:
  // The callers of these functions hold the mutex.
  void Collect();
  void Free(uint64_t offset, uint64_t bytes);
  bool Grow(uint64_t bytes);

  const std::shared_ptr<SharedSegment> segment_;
  const uint64_t begin_;
  const std::function<uint64_t()> free_memory_;
  const uint64_t divisor_;
  std::mutex mutex_;
  uint64_t end_;                         // of the memory that was taken
  std::map<uint64_t, uint64_t> free_;    // offset -> bytes of gaps, which do not touch each other
  std::map<uint64_t, uint64_t> in_use_;  // those that were not free when Collect last looked
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_SHARED_POOL_H_
