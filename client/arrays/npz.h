// Arrays in NumPy's .npz files (zip archives of .npy), with the types that NumPy lacks.
#ifndef HALYARD_CLIENT_ARRAYS_NPZ_H_
#define HALYARD_CLIENT_ARRAYS_NPZ_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/values/literal.h"

namespace halyard {

// Returns all arrays of the file by name (`arg0` for the entry arg0.npy), whether stored or
// deflated. If an array X has a string X.dtype beside it, the string names its type (an ml_dtypes
// name such as bfloat16 or int4). The array then holds the bits of that type as unsigned integers
// of the same width; types narrower than a byte have one value per byte. Errors name the file and
// the entry. A file that is cut, damaged, or claims more than it holds is an error; a missing file
// is NotFound.
absl::StatusOr<std::map<std::string, hlo::Literal>> ReadNpz(const std::string& path);

// Returns only the arrays for which `wanted` is true of their names and shapes. It is asked about
// all of them before any is unpacked, because a small file may hold arrays a thousand times its
// size. If it returns an error, so does this function.
using WantedArrays =
    std::function<absl::StatusOr<bool>(const std::string& name, const hlo::Shape& shape)>;
absl::StatusOr<std::map<std::string, hlo::Literal>> ReadNpz(const std::string& path,
                                                            const WantedArrays& wanted);

// Writes `arrays` in this form, uncompressed and in order, under their names, which must be
// distinct. The file is replaced as a whole or, on an error, not at all. Literals must be arrays.
// The same arrays give the same bytes.
absl::Status WriteNpz(const std::string& path,
                      const std::vector<std::pair<std::string, hlo::Literal>>& arrays);

}  // namespace halyard

#endif  // HALYARD_CLIENT_ARRAYS_NPZ_H_
