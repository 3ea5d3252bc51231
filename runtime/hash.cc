#include "runtime/hash.h"

#include <string.h>

namespace halyard::runtime {
namespace {

constexpr uint64_t kA =
    0x9E3779B97F4A7C15;  // 2^64 / golden ratio; both odd, so multiplying is a bijection
constexpr uint64_t kB = 0xD6E8FEB86659FD93;

inline uint64_t Step(uint64_t lane, uint64_t word) {
  lane ^= word * kA;
  return ((lane << 29) | (lane >> 35)) * kB;
}

}  // namespace

uint64_t Hash64(const void* data, size_t size) {
  const uint8_t* at = static_cast<const uint8_t*>(data);
  uint64_t lanes[4] = {kA, kB, ~kA, ~kB};
  uint64_t words[4];
  size_t left = size;
  for (; left >= sizeof(words); left -= sizeof(words), at += sizeof(words)) {
    memcpy(words, at, sizeof(words));
    for (int i = 0; i < 4; ++i) lanes[i] = Step(lanes[i], words[i]);
  }
  if (left != 0) {
    memset(words, 0, sizeof(words));
    memcpy(words, at, left);
    for (int i = 0; i < 4; ++i) lanes[i] = Step(lanes[i], words[i]);
  }
  uint64_t hash = size;
  for (uint64_t lane : lanes) hash = Step(hash, lane);
  hash ^= hash >> 32;
  hash *= kB;
  return hash ^ (hash >> 29);
}

}  // namespace halyard::runtime
