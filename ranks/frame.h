// What ranks send each other.
#ifndef HALYARD_RANKS_FRAME_H_
#define HALYARD_RANKS_FRAME_H_

#include <cstdint>
#include <memory>
#include <string>

namespace halyard::ranks {

struct Frame {
  uint32_t kind = 0;  // the user's, below Mesh::kFirstOwnKind
  uint64_t run = 0;
  std::string head;               // small
  std::shared_ptr<uint8_t> body;  // perhaps in shared memory; null if it has no bytes
  uint64_t body_bytes = 0;
};

// Comes before each frame, on a socket and in shared memory.
struct FrameHeader {
  static constexpr uint32_t kMagic =
      0x324d5948;  // "HYM2"; differs on a machine of another byte order
  static constexpr uint32_t kMostHead = 1 << 20;
  static constexpr uint64_t kMostBody = uint64_t{1} << 42;

  uint32_t magic = kMagic, kind = 0;
  uint64_t run = 0, body_bytes = 0;
  // Counts what one rank sends another, over both ways, so that the other side takes all frames in
  // their order.
  uint64_t number = 0;
  uint32_t head_bytes = 0, zero = 0;

  bool IsGood() const {
    return magic == kMagic && head_bytes <= kMostHead && body_bytes <= kMostBody;
  }
};

}  // namespace halyard::ranks

#endif  // HALYARD_RANKS_FRAME_H_
