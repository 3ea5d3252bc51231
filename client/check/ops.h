// The check dialect, in which test programs state what their values must be: expect_eq,
// expect_eq_const, expect_almost_eq, expect_almost_eq_const, expect_close and expect_serialized_eq.
// They occur as ops (`check.expect_eq %a, %b : T`, or generic) or as stablehlo.custom_call
// @check.expect_eq. Forms and meanings are those of StableHLO's CheckOps.td. A custom call may
// return a tensor<i1>, which is true; if the check does not hold, the program has failed. Earlier
// versions had the ops check.eq and check.almost_eq with a constant, and the custom call @check.eq.
// The latter is expect_eq for integers and booleans, and expect_almost_eq for everything else.
#ifndef HALYARD_CLIENT_CHECK_OPS_H_
#define HALYARD_CLIENT_CHECK_OPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/values/literal.h"
#include "frontend/mlir/ast.h"
#include "frontend/mlir/parser.h"

namespace halyard::check {

// StableHLO's syntax together with that of the check ops. Built once.
const mlir::Syntax& CheckSyntax();

// What a check op requires of its operands.
struct Expectation {
  enum class Kind : uint8_t {
    kEq,  // the numbers are equal; NaN equals nothing, and -0 equals 0
    // |actual - expected| <= tolerance, with the same sign. Each part of a complex number is
    // compared whatever its sign (0 beside -7e-16 comes from cancellation). NaN matches NaN.
    kAlmostEq,
    kClose,         // min_ulp <= steps between the two floats <= max_ulp; NaN matches NaN
    kSerializedEq,  // the array equals the one saved as `probe`
  };
  Kind kind = Kind::kEq;
  std::string name;   // "check.expect_eq"
  std::string place;  // "file:line:col"
  double tolerance = 0;
  uint64_t min_ulp = 0, max_ulp = 0;
  std::string probe;
  int64_t iteration = 0;
  std::string type;  // of the operand, in MLIR's spelling
  // The expected value, unless it is an operand. If `splat`, it is a scalar that stands for all
  // elements.
  std::optional<hlo::Literal> constant;
  bool splat = false;
  std::vector<int64_t> dims;  // of the constant

  int operands() const { return constant.has_value() || kind == Kind::kSerializedEq ? 1 : 2; }
};

// Returns whether `op` is a check op or the custom call of one. If so, sets `*name` to "check.…".
bool IsCheckOp(const mlir::Operation& op, std::string* name);

// Reads and verifies a check op. Errors have a place.
absl::StatusOr<Expectation> ReadExpectation(const mlir::Operation& op, const mlir::Source& source);

// Compares `actual` with `expected`, which is the second operand, the constant, or the saved array.
// The error names the element that differs.
absl::Status Compare(const Expectation& expectation, const hlo::Literal& actual,
                     const hlo::Literal& expected);

// Reads the array that `folder`/index.csv (lines "probe,type,file") names for the expectation.
absl::StatusOr<hlo::Literal> ReadSerialized(const Expectation& expectation,
                                            const std::string& folder);

}  // namespace halyard::check

#endif  // HALYARD_CLIENT_CHECK_OPS_H_
