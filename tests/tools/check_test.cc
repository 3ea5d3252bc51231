// Tests halyard check, and halyard verify on files with several programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/check_programs.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::Check;
using testing::CommandResult;
using ::testing::HasSubstr;

struct Case {
  const char* type;
  const char* a;
  const char* b;
  const char* check;
  const char* wrong;  // "": it passes
};

class CheckOps : public ::testing::TestWithParam<Case> {};

TEST_P(CheckOps, CompareAsTheDialectSays) {
  const Case& c = GetParam();
  const CommandResult result = Check("op.mlir", Function(c.type, c.a, c.b, c.check));
  if (*c.wrong == '\0') {
    EXPECT_EQ(result.status, 0) << result.out;
  } else {
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.out, HasSubstr(c.wrong));
  }
}

constexpr char kEq[] = "check.expect_eq %a, %b : tensor<2xf32>";
constexpr char kAlmost[] = "check.expect_almost_eq %a, %b : tensor<2xf32>";

constexpr char kClose[] =
    "check.expect_close %a, %b, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>";

constexpr char kFar[] =
    "check.expect_close %a, %b, max_ulp_difference = 9, min_ulp_difference = 2 : tensor<2xf32>, "
    "tensor<2xf32>";

INSTANTIATE_TEST_SUITE_P(
    Equal, CheckOps,
    ::testing::Values(
        Case{kF32, "[1.0, 2.0]", "[1.0, 2.0]", kEq, ""},
        Case{kF32, "[1.0, 0.0]", "[1.0, -0.0]", kEq, ""},
        Case{kF32, "0x7FC00000", "0x7FC00000", kEq, "is nan, expected nan (2 of 2 are wrong)"},
        Case{"tensor<i1>", "true", "false", "check.expect_eq %a, %b : tensor<i1>", "is true"},
        Case{"tensor<complex<f64>>", "(1.0, 2.0)", "(1.0, 3.0)",
             "check.expect_eq %a, %b : tensor<complex<f64>>", "is (1, 2), expected (1, 3)"},
        Case{"tensor<ui8>", "200", "1", "check.expect_eq_const %a, dense<200> : tensor<ui8>", ""},
        Case{kF32, "1.0", "1.0",
             "stablehlo.custom_call @check.expect_eq(%a, %b) {has_side_effect = true} : "
             "(tensor<2xf32>, tensor<2xf32>) -> ()",
             ""},
        Case{kF32, "1.0", "2.0",
             "\"stablehlo.custom_call\"(%a, %b) {call_target_name = \"check.expect_eq_const\"} : "
             "(tensor<2xf32>, tensor<2xf32>) -> ()",
             "check.expect_eq_const: element [0] is 1, expected 2"},
        Case{kF32, "1.0", "1.0",
             "%c = stablehlo.custom_call @check.expect_eq(%a, %b) : (tensor<2xf32>, "
             "tensor<2xf32>) -> tensor<i1>",
             ""},
        Case{kF32, "1.0", "1.0",
             "%c = stablehlo.custom_call @check.expect_eq(%a, %b) : (tensor<2xf32>, "
             "tensor<2xf32>) -> tensor<2xi1>",
             "gives nothing, or a tensor<i1>"},
        Case{kF32, "1.0", "1.0", "check.eq %a, dense<1.0> : tensor<2xf32>", ""},
        Case{kF32, "1.0", "1.0", "check.eq %a, dense<2.0> : tensor<2xf32>",
             "check.eq: element [0] is 1, expected 2"},
        Case{"tensor<ui64>", "0xFFFFFFFFFFFFFFFF", "0",
             "check.expect_eq_const %a, dense<18446744073709551615> : tensor<ui64>", ""},
        Case{"tensor<2xf64>", "[0xFFF0000000000000, 0x7FF8000000000000]", "0.0",
             "check.almost_eq %a, dense<[0xFFF0000000000000, 0xFFFFFFFFFFFFFFFF]> : tensor<2xf64>",
             ""}));

// JAX's older tests make this custom call, and use its result.
constexpr char kCustomEq[] =
    "%c = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>\n"
    "  %d = stablehlo.not %c : tensor<i1>\n"
    "  check.expect_eq_const %d, dense<false> : tensor<i1>";

INSTANTIATE_TEST_SUITE_P(
    CustomEq, CheckOps,
    ::testing::Values(
        Case{kF32, "[1.0, 0x7FC00000]", "[1.00009, 0x7FC00000]", kCustomEq, ""},
        Case{kF32, "1.0", "1.0002", kCustomEq, "check.eq: element [0] is 1, expected 1.0002"},
        Case{"tensor<2xi32>", "[1, 2]", "[1, 3]",
             "%c = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> "
             "tensor<i1>",
             "check.eq: element [1] is 2, expected 3"},
        Case{
            "tensor<i1>", "true", "true",
            "%c = stablehlo.custom_call @check.eq(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>",
            ""}));

INSTANTIATE_TEST_SUITE_P(
    AlmostEqual, CheckOps,
    ::testing::Values(
        Case{kF32, "1.0", "1.00009", kAlmost, ""},
        Case{kF32, "1.0", "1.0002", kAlmost, "within 0.0001"},
        Case{kF32, "0x7FC00000", "0x7FC00001", kAlmost, ""},
        Case{kF32, "0x7F800000", "0x7F800000", kAlmost, ""},
        Case{kF32, "0x7F800000", "3.4e38", kAlmost, "is inf"},
        Case{kF32, "-1.0e-6", "1.0e-6", kAlmost, "is -1e-06, expected 1e-06"},
        Case{kF32, "1.0", "1.4",
             "check.expect_almost_eq %a, %b, tolerance = 0.5 : f64 : tensor<2xf32>", ""},
        Case{kF32, "1.0", "1.4",
             "check.expect_almost_eq_const %a, dense<1.4> : tensor<2xf32>, tolerance = 0.5", ""},
        Case{kF32, "1.0", "1.0009",
             "stablehlo.custom_call @check.expect_almost_eq(%a, %b) : (tensor<2xf32>, "
             "tensor<2xf32>) -> ()",
             ""},
        Case{"tensor<complex<f64>>", "(2.0, 0.0)", "(2.0, -7.0e-16)",
             "check.expect_almost_eq %a, %b : tensor<complex<f64>>", ""},
        Case{"tensor<complex<f64>>", "(2.0, 1.0e-4)", "(2.0, -1.0e-4)",
             "check.expect_almost_eq %a, %b : tensor<complex<f64>>", "is (2, 1e-04)"},
        Case{"tensor<i32>", "1", "1", "check.expect_almost_eq %a, %b : tensor<i32>",
             "must be floats"}));

INSTANTIATE_TEST_SUITE_P(
    Close, CheckOps,
    ::testing::Values(
        Case{kF32, "0x3F800000", "0x3F800002", kClose, ""},
        Case{kF32, "0x3F800000", "0x3F800003", kClose, "within 2 steps"},
        Case{kF32, "0x3F800000", "0x3F800001", kFar, "within 2 to 9 steps"},
        Case{kF32, "0x00000001", "0x80000001", kClose, ""},
        Case{kF32, "0x00000001", "0x80000002", kClose, "(2 of 2 are wrong)"},
        Case{kF32, "0.0", "-0.0", kClose, ""}, Case{kF32, "0x7FC00000", "0xFFC00001", kClose, ""},
        Case{kF32, "0x7F800000", "0x7F7FFFFF", kClose, "is inf"},
        Case{"tensor<f8E5M2>", "1.0", "1.5",
             "\"check.expect_close\"(%a, %b) {max_ulp_difference = 2 : ui64} : (tensor<f8E5M2>, "
             "tensor<f8E5M2>) -> ()",
             ""},
        Case{kF32, "0x7F800000", "1.0",
             "check.expect_close %a, %b, max_ulp_difference = 18446744073709551615, "
             "min_ulp_difference = 0xFFFFFFFFFFFFFFFF : tensor<2xf32>, tensor<2xf32>",
             ""},
        Case{kF32, "1.0", "1.0",
             "\"check.expect_close\"(%a, %b) {max_ulp_difference = 18446744073709551615 : ui64, "
             "min_ulp_difference = 1 : ui64} : (tensor<2xf32>, tensor<2xf32>) -> ()",
             "within 1 to 18446744073709551615 steps"},
        Case{kF32, "1.0", "1.0",
             "check.expect_close %a, %b, max_ulp_difference = 18446744073709551616 : "
             "tensor<2xf32>, tensor<2xf32>",
             "does not fit in 64 bits"},
        Case{"tensor<complex<f32>>", "(1.0, 2.0)", "(1.0, 2.5)",
             "check.expect_close %a, %b, max_ulp_difference = 2 : tensor<complex<f32>>, "
             "tensor<complex<f32>>",
             "is (1, 2)"}));

}  // namespace
}  // namespace halyard
