// The check dialect, in which test programs say what their values must be: expect_eq,
// expect_eq_const, expect_almost_eq, expect_almost_eq_const, expect_close and expect_serialized_eq,
// as ops (`check.expect_eq %a, %b : T`, or generic) or as stablehlo.custom_call @check.expect_eq.
// Forms and meanings are those of StableHLO's CheckOps.td. A custom call may give a tensor<i1>, which
// is true: where the check does not hold, the program has failed. Of earlier versions are the ops
// check.eq and check.almost_eq with a constant, and the custom call @check.eq: expect_eq of integers
// and booleans, expect_almost_eq of all else.
#ifndef HALYARD_CLIENT_CHECK_OPS_H_
#define HALYARD_CLIENT_CHECK_OPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/literal.h"
#include "frontend/mlir/ast.h"
#include "frontend/mlir/parser.h"

namespace halyard::check {

// StableHLO's syntax and that of the check ops. Built once.
const mlir::Syntax& CheckSyntax();

// What a check op asks of its operands.
struct Expectation {
  enum class Kind : uint8_t {
    kEq,            // equal numbers: a NaN equals nothing, -0 equals 0
    // |actual - expected| <= tolerance and the same sign; of complex numbers each part, whatever
    // its sign (0 beside -7e-16: cancellation); NaN for NaN.
    kAlmostEq,
    kClose,         // min_ulp <= steps between the two floats <= max_ulp; NaN for NaN
    kSerializedEq,  // equal to the array saved as `probe`
  };
  Kind kind = Kind::kEq;
  std::string name;   // "check.expect_eq"
  std::string place;  // "file:line:col"
  double tolerance = 0;
  uint64_t min_ulp = 0, max_ulp = 0;
  std::string probe;
  int64_t iteration = 0;
  std::string type;  // of the operand, in MLIR's spelling
  // What is expected, where it is no operand; a scalar stands for all elements if `splat`.
  std::optional<hlo::Literal> constant;
  bool splat = false;
  std::vector<int64_t> dims;  // of the constant

  int operands() const { return constant.has_value() || kind == Kind::kSerializedEq ? 1 : 2; }
};

// Whether `op` is a check op or a custom call of one; `*name` is then "check.…".
bool IsCheckOp(const mlir::Operation& op, std::string* name);

// Reads and verifies a check op. Errors are located.
absl::StatusOr<Expectation> ReadExpectation(const mlir::Operation& op, const mlir::Source& source);

// Whether `actual` is as expected; the error says which element is not. `expected` is the second
// operand, the constant, or the saved array.
absl::Status Compare(const Expectation& expectation, const hlo::Literal& actual,
                     const hlo::Literal& expected);

// The array that `folder`/index.csv (lines "probe,type,file") names for the expectation.
absl::StatusOr<hlo::Literal> ReadSerialized(const Expectation& expectation,
                                            const std::string& folder);

}  // namespace halyard::check

#endif  // HALYARD_CLIENT_CHECK_OPS_H_
