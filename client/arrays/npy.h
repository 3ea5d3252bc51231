// The .npy format: one NumPy array, a header and its bytes
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
#ifndef HALYARD_CLIENT_ARRAYS_NPY_H_
#define HALYARD_CLIENT_ARRAYS_NPY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/hlo/values/literal.h"

namespace halyard {

struct NpyHeader {
  char kind = 'f';         // the kind as NumPy writes it: b i u f c V U S
  int64_t item_bytes = 0;  // size of one element
  bool fortran_order = false;
  std::vector<int64_t> dims;
  int64_t data_offset = 0;  // offset of the first element in the file
  int64_t data_bytes = 0;
};

// The longest header that is read; NumPy's own limit is lower.
inline constexpr int64_t kMaxNpyHeader = 1 << 20;

// Reads the header at the beginning of `bytes`, which must hold at least min(file size,
// kMaxNpyHeader) bytes of the file. Refuses byte orders other than little-endian, object arrays,
// structured arrays, and sizes that overflow.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view bytes);

// Returns the element type that the header alone states, or an error if NumPy's type is not an
// element type.
absl::StatusOr<hlo::ElementType> NpyElementType(const NpyHeader& header);

// Makes a literal of `type` from the array. The bytes are kept as they are, except that Fortran
// order becomes row-major. Types narrower than a byte have one value per byte, with or without sign
// extension. For PRED, any byte other than 0 means true. `data` must hold header.data_bytes bytes.
absl::StatusOr<hlo::Literal> NpyToLiteral(const NpyHeader& header, hlo::ElementType type,
                                          std::vector<std::byte> data);

// Returns a header for `array`. If NumPy lacks the type, the header names the unsigned integer of
// the same width instead.
std::string NpyHeaderFor(const hlo::Shape& array);
// Returns whether NumPy has `type` itself.
bool IsNumpyType(hlo::ElementType type);

// NpyString returns a whole file with the string `text` (ASCII) as a scalar array, and NpyToString
// returns the text of such a file.
std::string NpyString(absl::string_view text);
absl::StatusOr<std::string> NpyToString(const NpyHeader& header, absl::Span<const std::byte> data);

}  // namespace halyard

#endif  // HALYARD_CLIENT_ARRAYS_NPY_H_
