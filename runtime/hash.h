// The checksum of everything that lies on disk. It is not cryptographic: it finds damage, not
// malice.
//
// There are four lanes, and each takes every fourth 8-byte little-endian word: lane = rotl(lane ^
// word * A, 29) * B. The last partial 32 bytes are padded with zeros. The lanes and then the size
// are folded in the same way and mixed at the end. A step of a lane is a bijection of the word, so
// damage within one word is always found, and other damage with probability 1 - 2^-64. The speed is
// about 10 GB/s.
#ifndef HALYARD_RUNTIME_HASH_H_
#define HALYARD_RUNTIME_HASH_H_

#include <stddef.h>
#include <stdint.h>

namespace halyard::runtime {

uint64_t Hash64(const void* data, size_t size);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_HASH_H_
