// Takes a program's arguments from .npz files or makes them up, and prints and compares results.
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

// Reads `--arg-shapes`, the shapes of a dynamic program's arguments: "f32[4,8];s32[2]".
absl::StatusOr<std::vector<hlo::Shape>> ParseArgumentShapes(const std::string& text);

// Returns one literal per shape: arg0, arg1, … of the file, or made from the seed (floats uniform
// in [-1, 1), integers in [0, 8), PREDs 0 or 1). Arrays of the file with other names are ignored;
// an argN beyond the last parameter is an error, and so is an array of another type or shape. If
// neither option is given and the program has parameters, the error says how to give them.
// `program` is the program's file, for errors.
absl::StatusOr<std::vector<hlo::Literal>> ReadArguments(const InputOptions& options,
                                                        const std::string& program,
                                                        absl::Span<const hlo::Shape> shapes);

// The same for a grid of processes: one list for all, or, if the file has arrays called
// processP.argN, a list for each of `processes`.
absl::StatusOr<std::vector<std::vector<hlo::Literal>>> ReadGridArguments(
    const InputOptions& options, const std::string& program, absl::Span<const hlo::Shape> shapes,
    int64_t processes);

// Writes out0, out1, … to the file.
absl::Status WriteResults(const std::string& path, const std::vector<hlo::Literal>& results);

// Prints "out0: f32[2,3] {1, 2, 3, 4, 5, 6}", with at most `max_values` values.
std::string Summary(const std::string& name, const hlo::Literal& value, int64_t max_values = 8);

// Results agree if |got - want| <= atol + rtol·|want|. Tolerances that are not given follow from
// the results' types: integers must be equal; floats may differ by a few of their roundings,
// relative to the element and, to a lesser degree, to the largest element. `of_largest` is used
// alone: it is relative to the largest float of the result, and other types must be equal.
struct Tolerance {
  std::optional<double> rtol, atol, of_largest;
};
absl::StatusOr<hlo::Difference> CompareWithin(const hlo::Literal& got, const hlo::Literal& want,
                                              const Tolerance& tolerance);
// Says "largest difference 1.2e-07 (largest value 3.4)", and, outside the tolerance, also how many
// elements differ and where.
std::string Describe(const hlo::Difference& difference, const hlo::Shape& shape);

// Compares results with out0, out1, … of a file, and appends a line per result to `*report`.
// Returns false if any result is outside the tolerance.
absl::StatusOr<bool> CompareWithFile(const std::vector<hlo::Literal>& results,
                                     const std::string& path, const Tolerance& tolerance,
                                     std::string* report);

}  // namespace halyard::tools

#endif  // HALYARD_TOOLS_HALYARD_ARRAYS_H_
