// Strided copies of elements, to which most data movement reduces.
#ifndef HALYARD_FRONTEND_HLO_VALUES_STRIDED_H_
#define HALYARD_FRONTEND_HLO_VALUES_STRIDED_H_

#include <cstdint>
#include <vector>

#include "frontend/hlo/values/literal.h"

namespace halyard::hlo {

// Calls visit(position, offset) for each index of `dims` in row-major order. position counts up
// from 0, and offset is `start` + the sum of index × stride.
template <typename Visit>
void ForEachStrided(const std::vector<int64_t>& dims, int64_t start,
                    const std::vector<int64_t>& strides, Visit visit) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<int64_t> index(dims.size(), 0);
  int64_t offset = start;
  for (int64_t position = 0; position < count; ++position) {
    visit(position, offset);
    for (int64_t d = static_cast<int64_t>(dims.size()) - 1; d >= 0; --d) {
      offset += strides[d];
      if (++index[d] < dims[d]) break;
      offset -= strides[d] * dims[d];
      index[d] = 0;
    }
  }
}

// Returns an array of `shape` whose element at each index is that of `from` at the offset above.
Literal StridedRead(const Literal& from, const Shape& shape, int64_t start,
                    const std::vector<int64_t>& strides);

// Writes every element of `from` to `to` at the offset above.
void StridedWrite(const Literal& from, int64_t start, const std::vector<int64_t>& strides,
                  Literal* to);

// Returns the array transposed: dimension i of the result is dimension permutation[i] of `from`.
Literal TransposeLiteral(const Literal& from, const std::vector<int64_t>& permutation);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_STRIDED_H_
