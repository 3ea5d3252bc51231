// A part of an array: what the reference evaluator computes of a large output, and what it needs of
// large inputs.
#ifndef HALYARD_AUTOTUNER_RULES_ARRAY_SAMPLE_H_
#define HALYARD_AUTOTUNER_RULES_ARRAY_SAMPLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace halyard::autotuner {

// The elements of a dense row-major array whose index in each dimension is in that dimension's
// list.
struct ArraySample {
  int64_t element_bytes = 0;
  std::vector<int64_t> dims;                  // of the whole array
  std::vector<std::vector<int64_t>> indices;  // for each dimension, ascending; empty: all

  bool IsWhole() const;
  int64_t Elements() const;  // of the sample
  int64_t WholeBytes() const;
};

// Returns the sample's elements of an array (WholeBytes of it), in row-major order.
std::string SampleOf(absl::string_view whole, const ArraySample& sample);

// Returns `count` of the `size` indices of a dimension, ascending. The first and the last are among
// them. There is one of each of `count` equal ranges, at a place in it that changes from range to
// range, so that no period of tiles or vectors hides elements. The same every time.
std::vector<int64_t> SpreadIndices(int64_t size, int64_t count);

// Returns the sample as one line of numbers; ParseSample reads it back. Returns false if the line
// is none, if an index is not in its dimension, or if there are too many bytes to count.
std::string SampleText(const ArraySample& sample);
bool ParseSample(absl::string_view text, ArraySample* sample);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RULES_ARRAY_SAMPLE_H_
