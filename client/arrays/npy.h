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
  char kind = 'f';         // NumPy's: b i u f c V U S
  int64_t item_bytes = 0;  // of one element
  bool fortran_order = false;
  std::vector<int64_t> dims;
  int64_t data_offset = 0;  // of the first element in the file
  int64_t data_bytes = 0;
};

// Longest header that is read; NumPy's own limit is lower.
inline constexpr int64_t kMaxNpyHeader = 1 << 20;

// Reads the header at the beginning of `bytes`, which hold at least min(file size, kMaxNpyHeader)
// bytes of the file. Refused: byte orders other than little, object and structured arrays, sizes
// that overflow.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view bytes);

// Element type of an array that says no more than its header, or an error for types that NumPy has
// no name for.
absl::StatusOr<hlo::ElementType> NpyElementType(const NpyHeader& header);

// The array as a literal of `type`: bytes as they stand (Fortran order is turned to row-major).
// Types narrower than a byte come as one value per byte, with the sign or without; PRED is any
// byte, 0 or not. `data` holds header.data_bytes bytes.
absl::StatusOr<hlo::Literal> NpyToLiteral(const NpyHeader& header, hlo::ElementType type,
                                          std::vector<std::byte> data);

// A header for `array`, whose NumPy type is the unsigned integer of the same width where NumPy
// lacks the type itself.
std::string NpyHeaderFor(const hlo::Shape& array);
// Whether NumPy has `type` itself.
bool IsNumpyType(hlo::ElementType type);

// A whole file with the string `text` (ASCII) as a scalar array, and the text of such a file.
std::string NpyString(absl::string_view text);
absl::StatusOr<std::string> NpyToString(const NpyHeader& header, absl::Span<const std::byte> data);

}  // namespace halyard

#endif  // HALYARD_CLIENT_ARRAYS_NPY_H_
