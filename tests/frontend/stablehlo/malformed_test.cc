// Each wrong program gives one error with its place.
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/stablehlo.h"
#include "gtest/gtest.h"

namespace halyard::stablehlo {
namespace {

struct Wrong {
  const char* name;
  const char* body;  // at line 2, column 1 of a function of %x: tensor<2x3xf32>, %i: tensor<i32>
  const char* error;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongBody : public testing::TestWithParam<Wrong> {};

TEST_P(WrongBody, IsOneLocatedError) {
  std::string text = absl::StrCat("func.func @main(%x: tensor<2x3xf32>, %i: tensor<i32>) {\n",
                                  GetParam().body, "\nreturn\n}\n");
  auto module = ParseStableHlo(text, "p.mlir");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(std::string(module.status().message()), absl::StrCat("p.mlir:2:", GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, WrongBody,
    testing::Values(
        Wrong{"unknown op", "%0 = stablehlo.frobnicate %x : tensor<2x3xf32>",
              "6: error: unknown operation 'stablehlo.frobnicate'"},
        Wrong{"unknown generic op", "%0 = \"d.op\"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>",
              "6: error: 'd.op': this operation is not supported"},
        Wrong{"undefined value", "%0 = stablehlo.add %x, %y : tensor<2x3xf32>",
              "24: error: '%y' is not defined before this use"},
        Wrong{"type mismatch", "%0 = stablehlo.tanh %x : tensor<3x2xf32>",
              "26: error: operand 0 ('%x') of 'stablehlo.tanh' has type tensor<2x3xf32>, not "
              "tensor<3x2xf32>"},
        Wrong{"missing type", "%0 = stablehlo.tanh %x return",
              "24: error: expected ':', got 'return'"},
        Wrong{"unknown argument",
              "%0 = stablehlo.transpose %x, perm = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
              "30: error: 'stablehlo.transpose' has no such argument, got 'perm'"},
        Wrong{"argument twice", "%0 = stablehlo.iota dim = 0, dim = 1 : tensor<2x3xf32>",
              "36: error: attribute 'iota_dimension' is given twice"},
        Wrong{"bad float format",
              "%0 = stablehlo.reduce_precision %x, format = e8 : tensor<2x3xf32>",
              "46: error: expected a format like e8m10"},
        Wrong{"bad dimension numbers",
              "%0 = stablehlo.convolution(%x, %x) dim_numbers = [b, q, f]x[0, i, o]->[b, 0, f] : "
              "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
              "54: error: expected 'b', 'f' or a number, once each, got 'q'"},
        Wrong{"spatial dimensions not dense",
              "%0 = stablehlo.convolution(%x, %x) dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f] : "
              "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
              "50: error: spatial dimensions must be numbered 0, 1, … once each"},
        Wrong{"reduce without reducer",
              "%0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<2x3xf32>, "
              "tensor<i32>) -> tensor<3xf32> return",
              "110: error: expected 'reducer', got 'return'"},
        Wrong{"while without do",
              "%0 = stablehlo.while(%a = %i) : tensor<i32> cond { stablehlo.return %a : "
              "tensor<i32> } return",
              "88: error: expected 'do', got 'return'"},
        Wrong{"elided constant",
              "%0 = stablehlo.constant dense_resource<__elided__> : tensor<9xf32>",
              "25: error: the constant's elements were left out when the program was printed"},
        Wrong{"unclosed list",
              "%0 = stablehlo.transpose %x, dims = [1, 0 : (tensor<2x3xf32>) -> tensor<3x2xf32>",
              "43: error: expected ']', got ':'"}));

INSTANTIATE_TEST_SUITE_P(
    Meaning, WrongBody,
    testing::Values(
        Wrong{"result type",
              "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>",
              "6: error: transpose transpose: C3: the result must be f32[3,2], is f32[2,3]"},
        Wrong{"missing attribute",
              "%0 = \"stablehlo.transpose\"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>",
              "6: error: 'stablehlo.transpose': attribute 'permutation' is missing"},
        Wrong{"attribute of another kind",
              "%0 = \"stablehlo.transpose\"(%x) {permutation = \"yes\"} : (tensor<2x3xf32>) -> "
              "tensor<3x2xf32>",
              "47: error: 'stablehlo.transpose': 'permutation' must be a list of integers"},
        Wrong{"dynamic dimension",
              "%0 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<4x?xf32>",
              "6: error: convert convert: C1: the result's dimensions {4,-1} are not the operand's "
              "{2,3}"},
        Wrong{"too few bounds",
              "%0 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x?xf32, "
              "#stablehlo.bounds<3>>",
              "66: error: there are 1 bounds for 2 dimensions: tensor<2x?xf32, "
              "#stablehlo.bounds<3>>"},
        Wrong{"bound of a static dimension",
              "%0 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xf32, "
              "#stablehlo.bounds<3, ?>>",
              "66: error: a dimension of known size has a bound: tensor<2x3xf32, "
              "#stablehlo.bounds<3, ?>>"},
        Wrong{"negative bound",
              "%0 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x?xf32, "
              "#stablehlo.bounds<?, -3>>",
              "66: error: a bound is no size: tensor<2x?xf32, #stablehlo.bounds<?, -3>>"},
        Wrong{"odd element type", "%0 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xi7>",
              "50: error: unsupported element type: tensor<2x3xi7>"},
        Wrong{"constant of another type",
              "%0 = \"stablehlo.constant\"() {value = dense<1.0> : tensor<2xf32>} : () -> "
              "tensor<3xf32>",
              "6: error: 'stablehlo.constant': C1: the value has type tensor<2xf32>, the result "
              "tensor<3xf32>"},
        Wrong{
            "broadcast dims",
            "%0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>",
            "6: error: 'stablehlo.broadcast_in_dim': C2: broadcast_dimensions has 1 entries, the "
            "operand 2 dimensions"},
        Wrong{"broadcast range",
              "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 5] : (tensor<2x3xf32>) -> "
              "tensor<2x3xf32>",
              "6: error: 'stablehlo.broadcast_in_dim': C3: the result has no dimension 5"},
        Wrong{
            "slice lengths",
            "%0 = \"stablehlo.slice\"(%x) {start_indices = array<i64: 0>, limit_indices = "
            "array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<1x1xf32>",
            "6: error: 'stablehlo.slice': C2: start_indices, limit_indices and strides differ in "
            "length"},
        Wrong{"no such function", "%0 = call @nobody(%x) : (tensor<2x3xf32>) -> tensor<f32>",
              "6: error: 'func.call': there is no function @nobody"},
        Wrong{"recursion", "call @main(%x, %i) : (tensor<2x3xf32>, tensor<i32>) -> ()",
              "1: error: 'func.call': @main calls itself"},
        Wrong{"sort dimension",
              "%0 = \"stablehlo.sort\"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = "
              "stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1> "
              "stablehlo.return %c : tensor<i1> }) {dimension = 2 : i64} : (tensor<2x3xf32>) -> "
              "tensor<2x3xf32>",
              "6: error: 'stablehlo.sort': C4: dimension 2 is not in [-2, 2)"},
        Wrong{"no terminator",
              "%0 = \"stablehlo.case\"(%i) ({ %1 = stablehlo.tanh %x : tensor<2x3xf32> }) : "
              "(tensor<i32>) -> tensor<2x3xf32>",
              "28: error: 'stablehlo.case': the block does not end with a return"},
        Wrong{"two blocks",
              "%0 = \"stablehlo.case\"(%i) ({ stablehlo.return %i : tensor<i32> ^bb1: "
              "stablehlo.return %i : tensor<i32> }) : (tensor<i32>) -> tensor<i32>",
              "28: error: 'stablehlo.case': a region must have one block, has 2"},
        Wrong{"tensor of outside in a reducer",
              "%c = stablehlo.constant dense<0.0> : tensor<f32> %0 = \"stablehlo.reduce\"(%x, %c) "
              "({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %y = stablehlo.tanh %x : tensor<2x3xf32> "
              "stablehlo.return %a : tensor<f32> }) {dimensions = array<i64: 0>} : "
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>",
              "130: error: 'stablehlo.tanh': '%x' cannot be used here: it is defined outside, and "
              "is no scalar"},
        Wrong{
            "unsupported dot algorithm",
            "%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], algorithm = "
            "<lhs_precision_type = f64, rhs_precision_type = f16, accumulation_type = f32, "
            "num_primitive_operations = 1> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>",
            "78: error: dot algorithm f64 x f16 -> f32 with 1 primitive operations is not "
            "supported"},
        Wrong{"chlo op", "%0 = \"chlo.nothing\"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>",
              "6: error: 'chlo.nothing': this operation is not supported"},
        Wrong{"pairs of nothing",
              "%0 = \"stablehlo.collective_permute\"(%x) {source_target_pairs = "
              "dense<0> : tensor<1x0xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
              "64: error: 'stablehlo.collective_permute': C1: 'source_target_pairs' must be of "
              "pairs, is tensor<1x0xi64>"},
        Wrong{"group without a member",
              "%0 = \"stablehlo.all_reduce\"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): "
              "stablehlo.return %a : tensor<f32> }) {replica_groups = dense<[[0], [-1]]> : "
              "tensor<2x1xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
              "6: error: all-reduce all-reduce: replica_groups: a group has no member"},
        Wrong{"group of nobody",
              "%0 = \"stablehlo.reduce_scatter\"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): "
              "stablehlo.return %a : tensor<f32> }) {scatter_dimension = 0 : i64, replica_groups = "
              "dense<-1> : tensor<1x1xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
              "6: error: reduce-scatter reduce-scatter: C5: replica_groups has -1"},
        Wrong{"enumeration of another kind",
              "%0 = \"stablehlo.compare\"(%x, %x) {comparison_direction = "
              "#stablehlo<comparison_type FLOAT>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
              "tensor<2x3xi1>",
              "58: error: 'stablehlo.compare': 'comparison_direction' must be a "
              "#stablehlo<comparison_direction …>"},
        Wrong{"enumeration with a word of another",
              "%0 = \"stablehlo.triangular_solve\"(%x, %x) {left_side = true, lower = true, "
              "unit_diagonal = false, transpose_a = "
              "#stablehlo<fft_type TRANSPOSE>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
              "tensor<2x3xf32>",
              "113: error: 'stablehlo.triangular_solve': 'transpose_a' must be a "
              "#stablehlo<transpose …>"},
        Wrong{
            "precisions of another kind",
            "%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] {precision_config = ["
            "#stablehlo<rng_algorithm DEFAULT>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
            "tensor<2x2xf32>",
            "86: error: 'stablehlo.dot_general': 'precision_config' must be a "
            "#stablehlo<precision …>"},
        Wrong{"enumeration where a string is",
              "%0 = \"stablehlo.custom_call\"(%x) {call_target_name = "
              "#stablehlo<precision DEFAULT>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
              "54: error: 'stablehlo.custom_call': 'call_target_name' must be a string"},
        Wrong{"result count",
              "%0 = \"stablehlo.while\"(%i) ({ ^bb0(%a: tensor<i32>): stablehlo.return %a : "
              "tensor<i32> }, { ^bb0(%a: tensor<i32>): stablehlo.return %a, %a : tensor<i32>, "
              "tensor<i32> }) : (tensor<i32>) -> tensor<i32>",
              "6: error: while while: C1: the condition must give pred[], gives s32[]"}));

struct WrongProgram {
  const char* name;
  const char* text;
  const char* error;
};
void PrintTo(const WrongProgram& wrong, std::ostream* out) { *out << wrong.name; }

class WrongWhole : public testing::TestWithParam<WrongProgram> {};

TEST_P(WrongWhole, IsOneLocatedError) {
  auto module = ParseStableHlo(GetParam().text, "p.mlir");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(std::string(module.status().message()), absl::StrCat("p.mlir:", GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Programs, WrongWhole,
    testing::Values(
        WrongProgram{"empty", "", "1:1: error: the program has no function"},
        WrongProgram{"binary",
                     "\x7f"
                     "ELF",
                     "1:1: error: unexpected character '\\x7f'"},
        WrongProgram{"truncated", "module {\n func.func @main(%x: tensor<f32>) -> tensor<f32> {",
                     "2:51: error: expected an operation, but the text ends here"},
        WrongProgram{"op outside", "%0 = stablehlo.iota dim = 0 : tensor<2xi32>",
                     "1:6: error: 'stablehlo.iota': only a module or functions are expected here"},
        WrongProgram{"twice", "func.func @f() { return }\nfunc.func @f() { return }",
                     "2:1: error: 'func.func': function @f is defined twice"},
        WrongProgram{"no main", "func.func @f() { return }\nfunc.func @g() { return }",
                     "1:1: error: the program has no function @main, and several others"},
        WrongProgram{"declaration", "func.func private @main(tensor<f32>) -> tensor<f32>",
                     "1:1: error: 'func.func': @main has no body"},
        WrongProgram{"too few results", "func.func @main() -> tensor<f32> { return }",
                     "1:36: error: 'func.return': gives 0 values, but @main has 1 results"},
        WrongProgram{"another result",
                     "func.func @main(%x: tensor<i1>) -> tensor<f32> { return %x : tensor<i1> }",
                     "1:50: error: 'func.return': result 0 of @main has type tensor<f32>, is given "
                     "tensor<i1>"},
        WrongProgram{"after return", "func.func @main() { return return }",
                     "1:21: error: 'func.return': must be the last operation of its block"},
        WrongProgram{"scalar argument", "func.func @main(%x: f32) { return }",
                     "1:21: error: f32 is not a type of values: expected a tensor, tuple or token"},
        WrongProgram{"alias of no result",
                     "func.func @main(%x: tensor<f32> {tf.aliasing_output = 3 : i32}) -> "
                     "tensor<f32> { return %x : tensor<f32> }",
                     "1:55: error: there is no result 3"},
        WrongProgram{"alias of another shape",
                     "func.func @main(%x: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %y: "
                     "tensor<2xf32>) -> tensor<2xf32> { return %y : tensor<2xf32> }",
                     "1:57: error: tf.aliasing_output: argument 0 is f32[3], result 0 is f32[2]"},
        WrongProgram{
            "wrong call in an unused function",
            "func.func @main() { return }\nfunc.func private @f() { call @g() : () -> () return }",
            "2:26: error: 'func.call': there is no function @g"},
        WrongProgram{"huge",
                     "func.func @main(%x: tensor<9999999999x9999999999x9999999999xf32>) { return }",
                     "1:21: error: the size of tensor<9999999999x9999999999x9999999999xf32> does "
                     "not fit in 64 bits"}));

}  // namespace
}  // namespace halyard::stablehlo
