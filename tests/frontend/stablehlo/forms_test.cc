// Each pretty form must read as the same operation as its generic form.
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "gtest/gtest.h"

namespace halyard::stablehlo {
namespace {

using mlir::Operation;

// Values of several types, defined before the op under test.
constexpr char kValues[] = R"(
%f:3 = "t.v"() : () -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
%s:4 = "t.v"() : () -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i1>)
%i:2 = "t.v"() : () -> (tensor<2x3xi32>, tensor<2x3xi1>)
%m:2 = "t.v"() : () -> (tensor<4x2x3xf32>, tensor<4x3x5xf32>)
%v:2 = "t.v"() : () -> (tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>)
%t = "t.v"() : () -> tuple<tensor<f32>, tensor<i32>>
%k:2 = "t.v"() : () -> (!stablehlo.token, !stablehlo.token)
%u:2 = "t.v"() : () -> (tensor<2xi64>, tensor<2xui64>)
)";

// Describes everything but attributes. Values of kValues are named, and other values are described
// by the op that makes them.
std::string Describe(const Operation& op, int depth = 0) {
  std::string out = absl::StrCat(std::string(depth, ' '), op.name, "(");
  for (const mlir::Value* operand : op.operands) {
    const std::string from = operand->owner == nullptr ? "argument" : operand->owner->name;
    absl::StrAppend(&out, from == "t.v" ? operand->name : from, " ", operand->index, ", ");
  }
  absl::StrAppend(&out, ") -> ");
  for (const auto& result : op.results) absl::StrAppend(&out, ToString(*result->type), " ");
  for (const mlir::Region& region : op.regions) {
    absl::StrAppend(&out, "{");
    for (const auto& block : region.blocks) {
      for (const auto& argument : block->arguments) {
        absl::StrAppend(&out, ToString(*argument->type), "@", argument->index, " ");
      }
      for (const auto& inner : block->operations)
        absl::StrAppend(&out, "\n", Describe(*inner, depth + 1));
    }
    absl::StrAppend(&out, "}");
  }
  return out;
}

struct Forms {
  const char* pretty;
  const char* generic;
};

void PrintTo(const Forms& forms, std::ostream* out) { *out << forms.pretty; }

class PrettyForm : public testing::TestWithParam<Forms> {};

TEST_P(PrettyForm, EqualsGenericForm) {
  std::string pretty_text = absl::StrCat(kValues, GetParam().pretty);
  std::string generic_text = absl::StrCat(kValues, GetParam().generic);
  auto pretty = mlir::ParseMlir(pretty_text, "pretty", StableHloSyntax());
  auto generic = mlir::ParseMlir(generic_text, "generic", StableHloSyntax());
  ASSERT_TRUE(pretty.ok()) << pretty.status();
  ASSERT_TRUE(generic.ok()) << generic.status();
  const Operation& a = *(*pretty)->operations.back();
  const Operation& b = *(*generic)->operations.back();
  EXPECT_EQ(Describe(a), Describe(b));
  EXPECT_EQ(a.attributes.size(), b.attributes.size());
  for (const mlir::NamedAttribute& attribute : a.attributes) {
    const mlir::Attribute* other = b.Attr(attribute.name);
    ASSERT_NE(other, nullptr) << attribute.name;
    EXPECT_TRUE(SameAttribute(*attribute.value, *other))
        << attribute.name << ": " << ToString(*attribute.value) << " / " << ToString(*other);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Elementwise, PrettyForm,
    testing::Values(
        Forms{"%r = stablehlo.tanh %f#0 : tensor<2x3xf32>",
              "%r = \"stablehlo.tanh\"(%f#0) : (tensor<2x3xf32>) -> tensor<2x3xf32>"},
        Forms{"%r = stablehlo.add %f#0, %f#1 {k = 1 : i64} : tensor<2x3xf32>",
              "%r = \"stablehlo.add\"(%f#0, %f#1) {k = 1 : i64} : (tensor<2x3xf32>, "
              "tensor<2x3xf32>) -> tensor<2x3xf32>"},
        Forms{"%r = stablehlo.is_finite %f#0 : (tensor<2x3xf32>) -> tensor<2x3xi1>",
              "%r = \"stablehlo.is_finite\"(%f#0) : (tensor<2x3xf32>) -> tensor<2x3xi1>"},
        Forms{"%r = stablehlo.convert %f#0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>",
              "%r = \"stablehlo.convert\"(%f#0) : (tensor<2x3xf32>) -> tensor<2x3xbf16>"},
        Forms{"%r = stablehlo.complex %f#0, %f#1 : tensor<2x3xcomplex<f32>>",
              "%r = \"stablehlo.complex\"(%f#0, %f#1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
              "tensor<2x3xcomplex<f32>>"},
        Forms{"%r = stablehlo.compare LT, %f#0, %f#1, TOTALORDER : (tensor<2x3xf32>, "
              "tensor<2x3xf32>) -> tensor<2x3xi1>",
              "%r = \"stablehlo.compare\"(%f#0, %f#1) {comparison_direction = "
              "#stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type "
              "TOTALORDER>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>"},
        Forms{"%r = stablehlo.compare EQ, %i#0, %i#0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> "
              "tensor<2x3xi1>",
              "%r = \"stablehlo.compare\"(%i#0, %i#0) <{comparison_direction = "
              "#stablehlo<comparison_direction EQ>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> "
              "tensor<2x3xi1>"},
        Forms{"%r = stablehlo.select %s#3, %f#0, %f#1 : tensor<i1>, tensor<2x3xf32>",
              "%r = \"stablehlo.select\"(%s#3, %f#0, %f#1) : (tensor<i1>, tensor<2x3xf32>, "
              "tensor<2x3xf32>) -> tensor<2x3xf32>"},
        Forms{"%r = stablehlo.clamp %s#0, %f#1, %s#1 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) "
              "-> tensor<2x3xf32>",
              "%r = \"stablehlo.clamp\"(%s#0, %f#1, %s#1) : (tensor<f32>, tensor<2x3xf32>, "
              "tensor<f32>) -> tensor<2x3xf32>"},
        Forms{"%r = stablehlo.reduce_precision %f#0, format = e8m10 : tensor<2x3xf32>",
              "%r = \"stablehlo.reduce_precision\"(%f#0) {exponent_bits = 8 : i32, mantissa_bits = "
              "10 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"},
        Forms{"%r = chlo.erf %f#0 : tensor<2x3xf32> -> tensor<2x3xf32>",
              "%r = \"chlo.erf\"(%f#0) : (tensor<2x3xf32>) -> tensor<2x3xf32>"}));

INSTANTIATE_TEST_SUITE_P(
    Data, PrettyForm,
    testing::Values(
        Forms{"%r = stablehlo.constant dense<1.5> : tensor<2xf32>",
              "%r = \"stablehlo.constant\"() {value = dense<1.5> : tensor<2xf32>} : () -> "
              "tensor<2xf32>"},
        Forms{"%r = stablehlo.constant() <{value = dense<[1,2]> : tensor<2xi8>}> : () -> "
              "tensor<2x!quant.uniform<i8:f32, 0.5>>",
              "%r = \"stablehlo.constant\"() <{value = dense<[1,2]> : tensor<2xi8>}> : () -> "
              "tensor<2x!quant.uniform<i8:f32, 0.5>>"},
        Forms{"%r = stablehlo.iota dim = 1 : tensor<2x3xi32>",
              "%r = \"stablehlo.iota\"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>"},
        Forms{"%r = stablehlo.broadcast_in_dim %s#0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>",
              "%r = \"stablehlo.broadcast_in_dim\"(%s#0) {broadcast_dimensions = array<i64>} : "
              "(tensor<f32>) -> tensor<2x3xf32>"},
        Forms{"%r = stablehlo.broadcast %s#0, sizes = [4] : (tensor<f32>) -> tensor<4xf32>",
              "%r = \"stablehlo.broadcast\"(%s#0) {broadcast_sizes = array<i64: 4>} : "
              "(tensor<f32>) -> tensor<4xf32>"},
        Forms{"%r = stablehlo.reshape %f#0 : (tensor<2x3xf32>) -> tensor<6xf32>",
              "%r = \"stablehlo.reshape\"(%f#0) : (tensor<2x3xf32>) -> tensor<6xf32>"},
        Forms{"%r = stablehlo.transpose %f#0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
              "%r = \"stablehlo.transpose\"(%f#0) {permutation = array<i64: 1, 0>} : "
              "(tensor<2x3xf32>) -> tensor<3x2xf32>"},
        Forms{"%r = stablehlo.reverse %f#0, dims = [1] : tensor<2x3xf32>",
              "%r = \"stablehlo.reverse\"(%f#0) {dimensions = array<i64: 1>} : (tensor<2x3xf32>) "
              "-> tensor<2x3xf32>"},
        Forms{
            "%r = stablehlo.slice %f#0 [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
            "%r = \"stablehlo.slice\"(%f#0) {start_indices = array<i64: 0, 0>, limit_indices = "
            "array<i64: 2, 3>, strides = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<2x2xf32>"},
        Forms{"%r = stablehlo.concatenate %f#0, %f#1, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) "
              "-> tensor<4x3xf32>",
              "%r = \"stablehlo.concatenate\"(%f#0, %f#1) {dimension = 0 : i64} : "
              "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>"},
        Forms{"%r = stablehlo.pad %f#0, %s#0, low = [0, -1], high = [1, 0], interior = [2, 0] : "
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<5x2xf32>",
              "%r = \"stablehlo.pad\"(%f#0, %s#0) {edge_padding_low = array<i64: 0, -1>, "
              "edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 2, 0>} : "
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<5x2xf32>"},
        Forms{"%r = stablehlo.dynamic_slice %f#0, %s#2, %s#2, sizes = [1, 2] : (tensor<2x3xf32>, "
              "tensor<i32>, tensor<i32>) -> tensor<1x2xf32>",
              "%r = \"stablehlo.dynamic_slice\"(%f#0, %s#2, %s#2) {slice_sizes = array<i64: 1, 2>} "
              ": (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>"},
        Forms{"%r = stablehlo.dynamic_update_slice %f#0, %f#1, %s#2, %s#2 : (tensor<2x3xf32>, "
              "tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>",
              "%r = \"stablehlo.dynamic_update_slice\"(%f#0, %f#1, %s#2, %s#2) : (tensor<2x3xf32>, "
              "tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>"},
        Forms{"%r = stablehlo.get_dimension_size %f#0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>",
              "%r = \"stablehlo.get_dimension_size\"(%f#0) {dimension = 1 : i64} : "
              "(tensor<2x3xf32>) -> tensor<i32>"},
        Forms{"%r = stablehlo.tuple %s#0, %s#2 : tuple<tensor<f32>, tensor<i32>>",
              "%r = \"stablehlo.tuple\"(%s#0, %s#2) : (tensor<f32>, tensor<i32>) -> "
              "tuple<tensor<f32>, tensor<i32>>"},
        Forms{"%r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> "
              "tensor<i32>",
              "%r = \"stablehlo.get_tuple_element\"(%t) {index = 1 : i32} : (tuple<tensor<f32>, "
              "tensor<i32>>) -> tensor<i32>"},
        Forms{"%r:2 = stablehlo.optimization_barrier %s#0, %s#2 : tensor<f32>, tensor<i32>",
              "%r:2 = \"stablehlo.optimization_barrier\"(%s#0, %s#2) : (tensor<f32>, tensor<i32>) "
              "-> (tensor<f32>, tensor<i32>)"},
        Forms{"%r = stablehlo.after_all %k#0, %k#1 : !stablehlo.token",
              "%r = \"stablehlo.after_all\"(%k#0, %k#1) : (!stablehlo.token, !stablehlo.token) -> "
              "!stablehlo.token"},
        Forms{"%r = stablehlo.create_token : !stablehlo.token",
              "%r = \"stablehlo.create_token\"() : () -> !stablehlo.token"},
        Forms{"%r = stablehlo.cholesky %f#0, lower = true : tensor<2x3xf32>",
              "%r = \"stablehlo.cholesky\"(%f#0) {lower = true} : (tensor<2x3xf32>) -> "
              "tensor<2x3xf32>"},
        Forms{"%r = stablehlo.fft %f#0, type = RFFT, length = [3] : (tensor<2x3xf32>) -> "
              "tensor<2x2xcomplex<f32>>",
              "%r = \"stablehlo.fft\"(%f#0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = "
              "array<i64: 3>} : (tensor<2x3xf32>) -> tensor<2x2xcomplex<f32>>"},
        Forms{"%r = stablehlo.rng %s#0, %s#1, %u#0, distribution = NORMAL : (tensor<f32>, "
              "tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>",
              "%r = \"stablehlo.rng\"(%s#0, %s#1, %u#0) {rng_distribution = "
              "#stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> "
              "tensor<2x3xf32>"},
        Forms{"%r:2 = stablehlo.rng_bit_generator %u#1, algorithm = PHILOX : (tensor<2xui64>) -> "
              "(tensor<2xui64>, tensor<4xui32>)",
              "%r:2 = \"stablehlo.rng_bit_generator\"(%u#1) {rng_algorithm = "
              "#stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, "
              "tensor<4xui32>)"},
        Forms{"%r = stablehlo.einsum %f#0, %f#1, config = \"ab,ab->a\" : (tensor<2x3xf32>, "
              "tensor<2x3xf32>) -> tensor<2xf32>",
              "%r = \"stablehlo.einsum\"(%f#0, %f#1) {einsum_config = \"ab,ab->a\"} : "
              "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>"}));

INSTANTIATE_TEST_SUITE_P(
    Structured, PrettyForm,
    testing::Values(
        Forms{"%r = stablehlo.dot_general %m#0, %m#1, batching_dims = [0] x [0], contracting_dims "
              "= [2] x [1], precision = [HIGHEST, DEFAULT], algorithm = <lhs_precision_type = "
              "tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, "
              "rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation "
              "= false> : (tensor<4x2x3xf32>, tensor<4x3x5xf32>) -> tensor<4x2x5xf32>",
              "%r = \"stablehlo.dot_general\"(%m#0, %m#1) <{dot_dimension_numbers = "
              "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
              "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, "
              "precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>], "
              "algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type "
              "= tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
              "num_primitive_operations = 1, allow_imprecise_accumulation = false>}> : "
              "(tensor<4x2x3xf32>, tensor<4x3x5xf32>) -> tensor<4x2x5xf32>"},
        Forms{"%r = stablehlo.convolution(%v#0, %v#1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, "
              "0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [3, 4]], lhs_dilate = [1, 1], "
              "rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64, "
              "feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>) -> "
              "tensor<1x5x11x5xf32>",
              "%r = \"stablehlo.convolution\"(%v#0, %v#1) {dimension_numbers = #stablehlo.conv<[b, "
              "0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 2, 1>, padding = "
              "dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, "
              "rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: true, false>, "
              "batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, "
              "tensor<3x3x4x5xf32>) -> tensor<1x5x11x5xf32>"},
        Forms{"%r = \"stablehlo.convolution\"(%v#0, %v#1) {dimension_numbers = #stablehlo.conv<[b, "
              "0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>) "
              "-> tensor<1x6x6x5xf32>",
              "%r = \"stablehlo.convolution\"(%v#0, %v#1) {dimension_numbers = #stablehlo.conv<raw "
              "input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = "
              "[1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, "
              "kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, "
              "output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : "
              "(tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>) -> tensor<1x6x6x5xf32>"},
        Forms{"%r = stablehlo.reduce(%f#0 init: %s#0) applies stablehlo.add across dimensions = "
              "[1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>",
              "%r = \"stablehlo.reduce\"(%f#0, %s#0) ({ ^bb0(%lhs: tensor<f32>, %rhs: "
              "tensor<f32>): %o = \"stablehlo.add\"(%lhs, %rhs) : (tensor<f32>, tensor<f32>) -> "
              "tensor<f32> \"stablehlo.return\"(%o) : (tensor<f32>) -> () }) {dimensions = "
              "array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>"},
        Forms{
            "%r:2 = stablehlo.reduce(%f#0 init: %s#0), (%i#0 init: %s#2) across dimensions = [0] : "
            "(tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, "
            "tensor<3xi32>) reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: "
            "tensor<i32>) { stablehlo.return %b, %c : tensor<f32>, tensor<i32> }",
            "%r:2 = \"stablehlo.reduce\"(%f#0, %i#0, %s#0, %s#2) ({ ^bb0(%a: tensor<f32>, %c: "
            "tensor<i32>, %b: tensor<f32>, %d: tensor<i32>): \"stablehlo.return\"(%b, %c) : "
            "(tensor<f32>, tensor<i32>) -> () }) {dimensions = array<i64: 0>} : (tensor<2x3xf32>, "
            "tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)"},
        Forms{
            "%r:2 = stablehlo.while(%a = %s#2, %b = %f#0) : tensor<i32>, tensor<2x3xf32> "
            "attributes {x = 1 : i64} cond { stablehlo.return %s#3 : tensor<i1> } do { "
            "stablehlo.return %a, %b : tensor<i32>, tensor<2x3xf32> }",
            "%r:2 = \"stablehlo.while\"(%s#2, %f#0) ({ ^bb0(%a: tensor<i32>, %b: tensor<2x3xf32>): "
            "\"stablehlo.return\"(%s#3) : (tensor<i1>) -> () }, { ^bb0(%a: tensor<i32>, %b: "
            "tensor<2x3xf32>): \"stablehlo.return\"(%a, %b) : (tensor<i32>, tensor<2x3xf32>) -> () "
            "}) {x = 1 : i64} : (tensor<i32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<2x3xf32>)"},
        Forms{"%r = stablehlo.custom_call @\"a.b\"(%f#0) {api_version = 4 : i32, backend_config = "
              "{bar = 42 : i32}, has_side_effect = true} : (tensor<2x3xf32>) -> tensor<f32>",
              "%r = \"stablehlo.custom_call\"(%f#0) {call_target_name = \"a.b\", api_version = 4 : "
              "i32, backend_config = {bar = 42 : i32}, has_side_effect = true} : (tensor<2x3xf32>) "
              "-> tensor<f32>"},
        Forms{"%r = stablehlo.composite \"ns.op\" %f#0 {decomposition = @f, version = 1 : i32} : "
              "(tensor<2x3xf32>) -> tensor<f32>",
              "%r = \"stablehlo.composite\"(%f#0) {name = \"ns.op\", decomposition = @f, version = "
              "1 : i32} : (tensor<2x3xf32>) -> tensor<f32>"},
        Forms{"%r:2 = chlo.top_k(%f#0, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, "
              "tensor<2x2xi32>)",
              "%r:2 = \"chlo.top_k\"(%f#0) {k = 2 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, "
              "tensor<2x2xi32>)"},
        Forms{"%r:2 = call @f(%s#0) : (tensor<f32>) -> (tensor<f32>, tensor<i1>)",
              "%r:2 = \"func.call\"(%s#0) {callee = @f} : (tensor<f32>) -> (tensor<f32>, "
              "tensor<i1>)"}));

}  // namespace
}  // namespace halyard::stablehlo
