// Copies of arrays between processes.
#ifndef HALYARD_RUNTIME_COPY_H_
#define HALYARD_RUNTIME_COPY_H_

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace halyard::runtime {

// All processes of a grid copy at the same time, and together such arrays fill the cache that cores
// share.
inline constexpr uint64_t kLargeCopy = 4 << 20;

// As memcpy, of arrays that do not overlap. The bytes of large ones go past the caches: a line is
// not read before it is written, which is a third of a copy's traffic. (glibc 2.36 begins to do so
// with much larger arrays.) Other threads see the bytes after any release that follows.
inline void CopyArray(void* to, const void* from, uint64_t bytes) {
  if (bytes == 0) return;
#ifdef __SSE2__
  if (bytes >= kLargeCopy) {
    auto* target = static_cast<uint8_t*>(to);
    const auto* source = static_cast<const uint8_t*>(from);
    const uint64_t head = -reinterpret_cast<uintptr_t>(target) % 64;
    memcpy(target, source, head);
    uint64_t at = head;
    for (; at + 64 <= bytes; at += 64) {
      const auto* in = reinterpret_cast<const __m128i*>(source + at);
      auto* out = reinterpret_cast<__m128i*>(target + at);
      const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1);
      const __m128i c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);
      _mm_stream_si128(out, a);
      _mm_stream_si128(out + 1, b);
      _mm_stream_si128(out + 2, c);
      _mm_stream_si128(out + 3, d);
    }
    memcpy(target + at, source + at, bytes - at);
    _mm_sfence();  // streamed bytes are not ordered by themselves
    return;
  }
#endif
  memcpy(to, from, bytes);
}

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_COPY_H_
