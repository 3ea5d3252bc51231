// What orders the accesses of different blocks of one launch (PTX ISA 8.10, "Causality order"): a
// block that has fenced, and then changed a word by an atomic, comes before one that has changed
// this word after it, and then fenced. Barriers carry this over to all threads of a block.
#ifndef HALYARD_TESTS_FAKES_PTX_ORDER_H_
#define HALYARD_TESTS_FAKES_PTX_ORDER_H_

#include <cstdint>
#include <map>

#include "tests/fakes/ptx/memory.h"

namespace halyard::testing::ptx {

// The accesses of other blocks that come before something.
class Past {
 public:
  // All accesses of `block` in epochs before `epoch`, and those of `thread` in that epoch.
  void Add(uint32_t block, uint32_t epoch, uint32_t thread);
  void Add(const Past& other);
  bool Has(Tag tag) const;
  void Clear() { blocks_.clear(); }
  bool empty() const { return blocks_.empty(); }

 private:
  struct Until {
    uint32_t epoch = 0, thread = 0;
  };
  std::map<uint32_t, Until> blocks_;
};

// What a thread that changes the word next may learn, by the word's address. Its user has locked
// GlobalMemory::atomics.
using Released = std::map<uint64_t, Past>;

// One block's.
class BlockOrder {
 public:
  void Reset() { past_.Clear(), threads_.clear(); }
  // A fence of the device's scope by a thread of this block.
  void Fence(uint32_t block, uint32_t epoch, uint32_t thread);
  void Atomic(uint64_t address, uint32_t thread, Released* released);
  void Barrier();
  // Returns whether another block's access comes before what the thread does now.
  bool Knows(uint32_t thread, Tag tag) const;

 private:
  struct Thread {
    Past seen;    // by atomics since the last fence
    Past past;    // since the last barrier
    Past fenced;  // what the next atomics release
  };
  Past past_;                           // of all threads
  std::map<uint32_t, Thread> threads_;  // that have fenced or used atomics
};

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_ORDER_H_
