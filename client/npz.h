// Arrays in NumPy's .npz files (zip archives of .npy), with the types that NumPy lacks.
#ifndef HALYARD_CLIENT_NPZ_H_
#define HALYARD_CLIENT_NPZ_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/literal.h"

namespace halyard {

// All arrays of the file by name (`arg0` for the entry arg0.npy), stored or deflated. An array X
// beside a string X.dtype is of the type that the string names (an ml_dtypes name such as bfloat16
// or int4), and holds its bits as unsigned integers of the same width, types narrower than a byte
// one value per byte. Errors name the file and the entry; a file that is cut, damaged or claims
// more than it holds is one of them (NotFound: there is no file).
absl::StatusOr<std::map<std::string, hlo::Literal>> ReadNpz(const std::string& path);

// The same of those arrays alone that `wanted` says true of, by their names and shapes. It is asked
// of all before any is unpacked: a small file may hold arrays a thousand times its size. An error of
// it is the result.
using WantedArrays =
    std::function<absl::StatusOr<bool>(const std::string& name, const hlo::Shape& shape)>;
absl::StatusOr<std::map<std::string, hlo::Literal>> ReadNpz(const std::string& path,
                                                            const WantedArrays& wanted);

// Writes `arrays` in this form, uncompressed, in their order, under their distinct names. The file
// is replaced as a whole or, on an error, not at all. Literals must be arrays. The same arrays give
// the same bytes.
absl::Status WriteNpz(const std::string& path,
                      const std::vector<std::pair<std::string, hlo::Literal>>& arrays);

}  // namespace halyard

#endif  // HALYARD_CLIENT_NPZ_H_
