#include "runtime/c_api/sized/sized_copy.h"

#include <string.h>

#include "runtime/program/bundle/catalogue_format.h"

namespace halyard::runtime {
namespace {

constexpr uint32_t kMaxRank = catalogue_format::kMaxRank;

// Calls copy(offset in the small array, offset in the large one, bytes) for each piece that is
// contiguous in both.
template <typename Copy>
void ForEachPiece(const Extents& small, const int64_t* large, Copy copy) {
  if (small.bytes() == 0) return;
  uint64_t piece = small.element_bytes;
  uint32_t outer = small.rank;  // dimensions [outer, rank) are one piece
  while (outer > 0 && (outer == small.rank || small.dims[outer] == large[outer])) {
    --outer;
    piece *= static_cast<uint64_t>(small.dims[outer]);
  }
  uint64_t strides[kMaxRank];  // of the large array, in bytes
  uint64_t stride = small.element_bytes;
  for (uint32_t d = small.rank; d-- > 0;) {
    strides[d] = stride;
    stride *= static_cast<uint64_t>(large[d]);
  }
  int64_t index[kMaxRank] = {};
  for (uint64_t from = 0;; from += piece) {
    uint64_t to = 0;
    for (uint32_t d = 0; d < outer; ++d) to += static_cast<uint64_t>(index[d]) * strides[d];
    copy(from, to, piece);
    uint32_t d = outer;
    while (d > 0 && ++index[d - 1] == small.dims[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace

uint64_t Extents::bytes() const {
  uint64_t product = element_bytes;
  for (uint32_t d = 0; d < rank; ++d) product *= static_cast<uint64_t>(dims[d]);
  return product;
}

bool IsFirstPart(const Extents& small, const int64_t* large) {
  bool first = true;  // all dimensions before have size 1
  for (uint32_t d = 0; d < small.rank; ++d) {
    if (small.dims[d] != large[d] && !first) return false;
    if (small.dims[d] != 1) first = false;
  }
  return true;
}

void CopyInto(const Extents& small, const void* from, const int64_t* large, void* to) {
  const uint8_t* source = static_cast<const uint8_t*>(from);
  uint8_t* target = static_cast<uint8_t*>(to);
  uint64_t written = 0;
  ForEachPiece(small, large, [&](uint64_t offset, uint64_t place, uint64_t bytes) {
    memset(target + written, 0, place - written);
    memcpy(target + place, source + offset, bytes);
    written = place + bytes;
  });
  const uint64_t all = Extents{large, small.rank, small.element_bytes}.bytes();
  memset(target + written, 0, all - written);
}

void CopyOutOf(const int64_t* large, const void* from, const Extents& small, void* to) {
  const uint8_t* source = static_cast<const uint8_t*>(from);
  uint8_t* target = static_cast<uint8_t*>(to);
  ForEachPiece(small, large, [&](uint64_t offset, uint64_t place, uint64_t bytes) {
    memcpy(target + offset, source + place, bytes);
  });
}

}  // namespace halyard::runtime
