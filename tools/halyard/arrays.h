// Arguments of a program from .npz files or made up, and results printed and compared.
#ifndef HALYARD_TOOLS_HALYARD_ARRAYS_H_
#define HALYARD_TOOLS_HALYARD_ARRAYS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/values/literal.h"

namespace halyard::tools {

struct InputOptions {
  std::string file;              // --inputs
  std::optional<uint64_t> seed;  // --random-inputs
};

// `--arg-shapes`: the arguments' shapes of a dynamic program, "f32[4,8];s32[2]".
absl::StatusOr<std::vector<hlo::Shape>> ParseArgumentShapes(const std::string& text);

// One literal per shape, from arg0, arg1, … of the file or made from the seed: floats uniform in
// [-1, 1), integers in [0, 8), PREDs 0 or 1. Arrays of the file with other names are not looked at;
// argN beyond the last parameter is an error, and so is an array of another type or shape. Without
// either option a program with parameters gets an error that says how to give them. `program` is
// its file, for errors.
absl::StatusOr<std::vector<hlo::Literal>> ReadArguments(const InputOptions& options,
                                                        const std::string& program,
                                                        absl::Span<const hlo::Shape> shapes);

// out0, out1, …
absl::Status WriteResults(const std::string& path, const std::vector<hlo::Literal>& results);

// "out0: f32[2,3] {1, 2, 3, 4, 5, 6}": at most `max_values` of them.
std::string Summary(const std::string& name, const hlo::Literal& value, int64_t max_values = 8);

// |got - want| <= atol + rtol·|want|. What is not given follows from the type: integers are equal;
// floats may differ by a few of their roundings, measured against the element and, less, against
// the largest element.
// None given: by the results' types. `of_largest`, alone: of floats, relative to the largest of the
// result; other types must be equal.
struct Tolerance {
  std::optional<double> rtol, atol, of_largest;
};
absl::StatusOr<hlo::Difference> CompareWithin(const hlo::Literal& got, const hlo::Literal& want,
                                              const Tolerance& tolerance);
// "largest difference 1.2e-07 (largest value 3.4)"; outside the tolerance also how many and where.
std::string Describe(const hlo::Difference& difference, const hlo::Shape& shape);

// Compares results with out0, out1, … of a file; appends a line per result to `*report`. False if
// any is outside.
absl::StatusOr<bool> CompareWithFile(const std::vector<hlo::Literal>& results,
                                     const std::string& path, const Tolerance& tolerance,
                                     std::string* report);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_ARRAYS_H_
