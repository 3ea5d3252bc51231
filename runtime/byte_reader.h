// Bounds-checked reading of unaligned little-endian values. Every parser of bytes that come from
// outside uses it.
#ifndef HALYARD_RUNTIME_BYTE_READER_H_
#define HALYARD_RUNTIME_BYTE_READER_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace halyard::runtime {

// Returns whether [offset, offset + bytes) lies within `size`.
inline bool InRange(uint64_t offset, uint64_t bytes, uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

template <typename T>
T LoadUnaligned(const uint8_t* from) {
  T value;
  memcpy(&value, from, sizeof(T));
  return value;
}

// Reads forward. After a read past the end, `ok` stays false and all reads return 0.
struct ByteReader {
  const uint8_t* data = nullptr;
  uint64_t size = 0;
  uint64_t at = 0;
  bool ok = true;

  template <typename T>
  T Read() {
    if (!ok || !InRange(at, sizeof(T), size)) {
      ok = false;
      return T{};
    }
    T value = LoadUnaligned<T>(data + at);
    at += sizeof(T);
    return value;
  }
  // Skips `bytes` bytes and returns a pointer to them, or null if they are not there.
  const uint8_t* Skip(uint64_t bytes) {
    if (!ok || !InRange(at, bytes, size)) {
      ok = false;
      return nullptr;
    }
    const uint8_t* from = data + at;
    at += bytes;
    return from;
  }
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_BYTE_READER_H_
