// Element types of the C API, and arrays with any strides in host memory.
#ifndef HALYARD_CLIENT_PJRT_ARRAY_TYPE_H_
#define HALYARD_CLIENT_PJRT_ARRAY_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/pjrt/entry.h"
#include "frontend/hlo/values/shape.h"

namespace halyard::pjrt {

// Returns the shape. PJRT_Buffer_Type_TOKEN gives a token. Returns InvalidArgument if the type is
// not that of an array, or a size does not fit. `type` may hold any number, as callers in C can
// give: it is a reference, because C++ may not load a number that the enumeration cannot hold.
absl::StatusOr<hlo::Shape> ShapeFrom(const PJRT_Buffer_Type& type, const int64_t* dims,
                                     size_t num_dims);
// Returns the type of an array or a token, or Unimplemented if the C API lacks it (f6 floats).
absl::StatusOr<PJRT_Buffer_Type> TypeOf(const hlo::Shape& shape);

// Returns the byte strides of a dense array whose dimensions vary in this order, fastest first.
std::vector<int64_t> DenseByteStrides(const hlo::Shape& shape,
                                      absl::Span<const int64_t> minor_to_major);
std::vector<int64_t> RowMajorByteStrides(const hlo::Shape& shape);
// Returns whether an array with these strides has the memory layout of a row-major array. Strides
// of dimensions of size 1 do not count.
bool IsRowMajor(const hlo::Shape& shape, absl::Span<const int64_t> byte_strides);

// The first byte of an array and the one behind its last, seen from the element at index 0.
struct ByteRange {
  int64_t begin = 0, end = 0;
};
// Returns the bytes that an array with these strides takes; none if it has no elements. Only
// negative strides have bytes before 0. Returns InvalidArgument if no memory has so many.
absl::StatusOr<ByteRange> RangeOf(const hlo::Shape& shape, absl::Span<const int64_t> byte_strides);

// Returns the byte strides of `layout`, or row-major ones if it is null. Returns Unimplemented for
// tiles, and InvalidArgument if the layout is not one of this shape.
absl::StatusOr<std::vector<int64_t>> StridesOf(const PJRT_Buffer_MemoryLayout* layout,
                                               const hlo::Shape& shape);

// Copy all elements between a row-major array and one of the same shape with other byte strides.
// The strides may be negative and, where that array is the source, zero. RangeOf has accepted them.
void CopyFromStrided(const hlo::Shape& shape, const std::byte* from,
                     absl::Span<const int64_t> strides, std::byte* dense);
void CopyToStrided(const hlo::Shape& shape, const std::byte* dense,
                   absl::Span<const int64_t> strides, std::byte* to);

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_ARRAY_TYPE_H_
