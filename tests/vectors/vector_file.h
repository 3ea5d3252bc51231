// Test vectors: StableHLO programs with arguments and expected results, read from the files of this
// folder (README.md says how they are written).
#ifndef HALYARD_TESTS_VECTORS_VECTOR_FILE_H_
#define HALYARD_TESTS_VECTORS_VECTOR_FILE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/values/literal.h"

namespace halyard {

struct Vector {
  std::string place;             // "data.mlir:12", for messages
  std::string id;                // "add", "1.M slice XLA 1"
  std::vector<std::string> ops;  // StableHLO names of the ops that it tests
  std::string element_class;     // "B", "SI", "UI", "F" or "C"
  std::string type;              // HLO name of the element type that gave the class
  std::string program;           // StableHLO text; its entry is @main
  std::vector<hlo::Literal> inputs, expected;
  double rtol = 0, atol = 0;  // 0 and 0 stand for the same bits, with any NaN for NaN
  // If above 1, the program runs as this many processes. `inputs` and `expected` are those of the
  // first, then of the next, and so on.
  int replicas = 1;
  bool alone = false;                       // not to be put into one module with others
  std::map<std::string, std::string> skip;  // target → the reason why it does not run there
};

// Returns all vectors of a file, and those with `types` once for each type.
absl::StatusOr<std::vector<Vector>> ReadVectors(const std::string& path);

// Returns `tensor<2x3xf32>`, or `tuple<…>`.
std::string MlirType(const hlo::Shape& shape);

// Returns one module that runs each of `vectors` on parameters of its own, and returns all of their
// results.
std::string MergedProgram(const std::vector<const Vector*>& vectors);

// Returns "" if `got` is what the vector expects as result `index`.
std::string Mismatch(const Vector& vector, size_t index, const hlo::Literal& got);

}  // namespace halyard

#endif  // HALYARD_TESTS_VECTORS_VECTOR_FILE_H_
