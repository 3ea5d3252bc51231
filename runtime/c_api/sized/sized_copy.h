// Copies between arrays of the sizes of a run and those of a program that serves larger ones.
#ifndef HALYARD_RUNTIME_C_API_SIZED_SIZED_COPY_H_
#define HALYARD_RUNTIME_C_API_SIZED_SIZED_COPY_H_

#include <stdint.h>

namespace halyard::runtime {

// The dimensions of a dense row-major array.
struct Extents {
  const int64_t* dims;
  uint32_t rank;
  uint64_t element_bytes;

  uint64_t bytes() const;
};

// Returns whether the elements of `small` are the first bytes of a larger array with the dimensions
// `large`, of the same rank.
bool IsFirstPart(const Extents& small, const int64_t* large);
// Copies a whole array into the first elements, in each dimension, of a larger one, all others of
// which become zeros.
void CopyInto(const Extents& small, const void* from, const int64_t* large, void* to);
// Copies the first elements, in each dimension, of a larger array.
void CopyOutOf(const int64_t* large, const void* from, const Extents& small, void* to);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_SIZED_SIZED_COPY_H_
