// A queue of messages in shared memory, with one process that writes and one that reads.
#ifndef HALYARD_RANKS_SHARED_RING_H_
#define HALYARD_RANKS_SHARED_RING_H_

#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"

namespace halyard::ranks {

// Both processes make a SharedRing of the same memory, which must be zeros before. A message is
// visible to the reader as a whole or not at all, also if the writer dies. One thread at a time may
// write, and one may read.
class SharedRing {
 public:
  static constexpr uint64_t kBytes = 128 << 10;
  static constexpr uint64_t kMostMessage = 16 << 10;

  SharedRing() = default;
  // The memory is a multiple of 64 bytes from the beginning of a page.
  explicit SharedRing(uint8_t* memory) : memory_(memory) {}

  // Adds a message that consists of these parts. Returns false if there is no room, or if the
  // message is longer than kMostMessage. It becomes visible to `empty` in one order with all other
  // sequentially consistent operations.
  bool Put(std::initializer_list<absl::string_view> parts);

  // Returns whether there is no message. Any thread may call it.
  bool empty() const;
  // Returns the oldest message, which stays valid until Pop. `*broken` becomes true if what the
  // other process has written cannot be a message. There must be one.
  absl::string_view Front(bool* broken) const;
  void Pop();

 private:
  struct Ends;
  Ends& ends() const;
  uint8_t* messages() const;

  uint8_t* memory_ = nullptr;
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_SHARED_RING_H_
