// Programs that the verifier of StableHLO's own dialect refuses, in cases that the specification's
// labelled constraints (tests/data/constraints) do not cover.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/frontend/stablehlo/verify_text.h"

namespace halyard::stablehlo {
namespace {

struct Wrong {
  const char* name;
  const char* text;
  const char* error;  // after "p.mlir:"
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongProgram : public testing::TestWithParam<Wrong> {};

TEST_P(WrongProgram, IsOneErrorWhereTheOpBegins) {
  EXPECT_EQ(Verify(GetParam().text), absl::StrCat("p.mlir:", GetParam().error));
}

// A program with one op on line 2, of %x: tensor<2x3xf32>, the token %t, and %b.
#define HALYARD_BODY(op)                                                                 \
  "func.func @main(%x: tensor<2x3xf32>, %t: !stablehlo.token, %b: memref<2xf32>) {\n" op \
  "\nreturn\n}\n"

INSTANTIATE_TEST_SUITE_P(
    CustomCalls, WrongProgram,
    testing::Values(
        Wrong{"layouts of operands alone",
              HALYARD_BODY("%0 = \"stablehlo.custom_call\"(%x) {call_target_name = \"f\",\n"
                           "operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : "
                           "(tensor<2x3xf32>) -> tensor<f32>"),
              "2:6: error: 'stablehlo.custom_call': layouts are for both operands and results, or "
              "for neither"},
        Wrong{"no such part of an operand",
              HALYARD_BODY("%0 = \"stablehlo.custom_call\"(%x) {call_target_name = \"f\",\n"
                           "output_operand_aliases = [#stablehlo.output_operand_alias<"
                           "output_tuple_indices = [], operand_index = 0, operand_tuple_indices = "
                           "[0]>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
              "2:6: error: there is no operand 0[0]"},
        Wrong{"no such part of a result",
              HALYARD_BODY("%0 = \"stablehlo.custom_call\"(%x) {call_target_name = \"f\",\n"
                           "output_operand_aliases = [#stablehlo.output_operand_alias<"
                           "output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = "
                           "[]>]} : (tensor<2x3xf32>) -> tuple<tensor<2x3xf32>>"),
              "2:6: error: there is no result [1]"},
        Wrong{"an alias of another size",
              HALYARD_BODY("%0 = \"stablehlo.custom_call\"(%x) {call_target_name = \"f\",\n"
                           "output_operand_aliases = [#stablehlo.output_operand_alias<"
                           "output_tuple_indices = [], operand_index = 0, operand_tuple_indices = "
                           "[]>]} : (tensor<2x3xf32>) -> tensor<3x3xf32>"),
              "2:6: error: operand 0[], tensor<2x3xf32>, cannot be result [], tensor<3x3xf32>"},
        Wrong{"a dictionary before version 4",
              HALYARD_BODY("stablehlo.custom_call @f() {api_version = 2 : i32, backend_config = {a "
                           "= 1 : i32}} : () -> ()"),
              "2:69: error: 'stablehlo.custom_call': backend_config must be a string with "
              "api_version 2"},
        Wrong{"a string from version 4 on",
              HALYARD_BODY("stablehlo.custom_call @f() {api_version = 4 : i32, backend_config = "
                           "\"a\"} : () -> ()"),
              "2:69: error: 'stablehlo.custom_call': backend_config must be a dictionary with "
              "api_version 4"},
        Wrong{"a buffer that is no operand's",
              HALYARD_BODY("%0 = stablehlo.custom_call @f(%b) : (memref<2xf32>) -> memref<2xf32>"),
              "2:6: error: 'stablehlo.custom_call': the buffer [] of the results is no operand's"},
        Wrong{"a tensor pinned as one",
              HALYARD_BODY("%0 = stablehlo.custom_call @Pin(%x) : (tensor<2x3xf32>) -> "
                           "tensor<2x3xf32>"),
              "2:6: error: 'stablehlo.custom_call': Pin cannot give tensor<2x3xf32>"},
        Wrong{"a buffer as a number",
              HALYARD_BODY("%0 = \"stablehlo.add\"(%b, %b) : (memref<2xf32>, memref<2xf32>) -> "
                           "memref<2xf32>"),
              "2:6: error: 'stablehlo.add': I1: operand 0 cannot be memref<2xf32>"},
        Wrong{"a future of a number", "func.func private @f() -> !stablehlo.future<f32>",
              "1:27: error: a future is of tensors, not of f32"}));

INSTANTIATE_TEST_SUITE_P(
    Ops, WrongProgram,
    testing::Values(
        Wrong{"layouts of infeed",
              HALYARD_BODY("%0:2 = \"stablehlo.infeed\"(%t) {\nlayout = [[0], [0]]} : "
                           "(!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)"),
              "2:8: error: 'stablehlo.infeed': layout must have 1 lists"},
        Wrong{"an asynchronous sum",
              HALYARD_BODY("%0 = \"stablehlo.async_start\"(%x) ({\n^bb0(%a: tensor<2x3xf32>):\n"
                           "%r = stablehlo.add %a, %a : tensor<2x3xf32>\n"
                           "stablehlo.return %r : tensor<2x3xf32>\n}) : (tensor<2x3xf32>) -> "
                           "!stablehlo.future<tensor<2x3xf32>>"),
              "2:6: error: 'stablehlo.async_start': the region must hold a collective or a slice, "
              "holds 'stablehlo.add'"},
        Wrong{"roots of another type",
              HALYARD_BODY("%0 = \"stablehlo.collective_broadcast\"(%x, %x) {replica_groups = "
                           "dense<[[0, 1]]> : tensor<1x2xi64>,\nhas_dynamic_root} : "
                           "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"),
              "2:6: error: 'stablehlo.collective_broadcast': I2: the roots must be s32[1], are "
              "f32[2,3]"},
        Wrong{"a storage type with a sign",
              "func.func @main(%x: tensor<4x!quant.uniform<si8:f32, 1.0>>) {\n"
              "%0 = stablehlo.uniform_dequantize %x : (tensor<4x!quant.uniform<si8:f32, 1.0>>) -> "
              "tensor<4xf32>\nreturn\n}",
              "2:6: error: 'stablehlo.uniform_dequantize': I1: operand 0 cannot be "
              "tensor<4x!quant.uniform<i8:f32, 1.000000e+00>> with a storage type of si8 or the "
              "like"},
        Wrong{"a constant size that is not the result's",
              HALYARD_BODY("%s = stablehlo.constant dense<1> : tensor<i32>\n"
                           "%0 = stablehlo.set_dimension_size %x, %s, dim = 0 : "
                           "(tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>"),
              "3:6: error: 'stablehlo.set_dimension_size': the size of dimension 0 is 1, the "
              "result's type says 2"},
        Wrong{"no data",
              HALYARD_BODY("\"stablehlo.collective_broadcast\"() {replica_groups = "
                           "dense<[[0, 1]]> : tensor<1x2xi64>} : () -> ()"),
              "2:1: error: 'stablehlo.collective_broadcast': I1: needs data"},
        Wrong{
            "a weak order of integers",
            "func.func @main(%x: tensor<2xi32>) {\n%0 = stablehlo.compare LT, %x, %x, WEAKORDER : "
            "(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>\nreturn\n}",
            "2:6: error: 'stablehlo.compare': C3: compare type WEAKORDER does not fit s32[2]"},
        Wrong{
            "a result of unknown size",
            HALYARD_BODY("%0 = \"stablehlo.broadcast_in_dim\"(%x) {broadcast_dimensions = "
                         "array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x?xf32>"),
            "2:6: error: 'stablehlo.broadcast_in_dim': O1: the result must be of known sizes, but "
            "for one dimension with a bound, is f32[2,?]"},
        Wrong{"rows along no dimension",
              HALYARD_BODY("%0 = \"stablehlo.reduce\"(%x, %x) ({\n^bb0(%p: tensor<3xf32>, %q: "
                           "tensor<3xf32>):\nstablehlo.return %p : tensor<3xf32>\n}) {dimensions "
                           "= array<i64: 2>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
                           "tensor<3xf32>"),
              "2:6: error: 'stablehlo.reduce': C4: a dimension is out of range"},
        Wrong{"rows in windows without stride",
              HALYARD_BODY("%0 = \"stablehlo.reduce_window\"(%x, %x) ({\n^bb0(%p: tensor<3xf32>, "
                           "%q: tensor<3xf32>):\nstablehlo.return %p : tensor<3xf32>\n}) "
                           "{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 0, "
                           "1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x1xf32>"),
              "2:6: error: 'stablehlo.reduce_window': C5, C7, C9, C11: the window's sizes, strides "
              "and dilations must be positive"},
        Wrong{"no window",
              "func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) {\n%0 = "
              "\"stablehlo.select_and_scatter\"(%x, %x, %y) ({\n^bb0(%a: tensor<f32>, %b: "
              "tensor<f32>):\n%1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> "
              "tensor<i1>\nstablehlo.return %1 : tensor<i1>\n}, {\n^bb0(%a: tensor<f32>, %b: "
              "tensor<f32>):\nstablehlo.return %a : tensor<f32>\n}) : (tensor<4xf32>, "
              "tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\nreturn\n}",
              "2:6: error: 'stablehlo.select_and_scatter': C4: window_dimensions needs one entry "
              "per dimension, 1, has 0"},
        Wrong{"no groups, of two members",
              HALYARD_BODY("%0 = \"stablehlo.all_to_all\"(%x) {split_dimension = 1 : i64, "
                           "concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = "
                           "dense<0> : tensor<0x2xi64>} : (tensor<2x3xf32>) -> tensor<6x1xf32>"),
              "2:6: error: 'stablehlo.all_to_all': C8: split_count is 3, the groups have 2 "
              "members"},
        Wrong{"group sizes of another batch",
              "func.func @main(%x: tensor<2x3x1x5xf32>, %y: tensor<2x3x5x7xf32>, %g: "
              "tensor<3x4xi64>) {\n%0 = \"chlo.ragged_dot\"(%x, %y, %g) "
              "{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], "
              "rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], "
              "rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], "
              "rhs_group_dimensions = []>} : (tensor<2x3x1x5xf32>, tensor<2x3x5x7xf32>, "
              "tensor<3x4xi64>) -> tensor<2x3x1x7xf32>\nreturn\n}",
              "2:6: error: 'chlo.ragged_dot': group sizes s64[3,4] do not go with the left operand "
              "f32[2,3,1,5]"},
        Wrong{"a field that there is not",
              "module attributes {\na.b = #stablehlo.dot<\nc = [0]>} {}",
              "3:1: error: #stablehlo.dot has no field 'c'"},
        Wrong{"a format of too many bits",
              HALYARD_BODY("%0 = stablehlo.reduce_precision %x, format = e2147483648m1 : "
                           "tensor<2x3xf32>"),
              "2:46: error: expected a format like e8m10"},
        Wrong{"what is missing is missing in its line",
              HALYARD_BODY("%0 = stablehlo.tuple %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>)"),
              "2:65: error: expected '->', got 'return'"}));

}  // namespace
}  // namespace halyard::stablehlo
