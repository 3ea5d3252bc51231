// Programs that the verifier of StableHLO's own dialect accepts, in cases that the specification's
// labelled constraints (tests/data/constraints) do not cover. `scripts/upstream_verifier` compares
// with the upstream tests.
#include <cmath>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/mlir/parser.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/syntax/print_stablehlo.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/vhlo/vhlo.h"
#include "frontend/stablehlo/write/explicit_defaults.h"
#include "tests/frontend/stablehlo/evaluating.h"
#include "tests/frontend/stablehlo/verify_text.h"

namespace halyard::stablehlo {
namespace {

std::string RunError(const std::string& text) {
  return std::string(ParseStableHlo(text, "p.mlir").status().message());
}

// Text → bytecode → text.
std::string ThroughBytecode(const std::string& text, Version version = kNewestVersion) {
  auto document = mlir::ParseMlir(text, "p.mlir", StableHloSyntax());
  if (!document.ok()) return std::string(document.status().message());
  MakeDefaultsExplicit(**document);
  auto bytes = WriteBytecode(**document, version);
  if (!bytes.ok()) return std::string(bytes.status().message());
  auto read = ReadBytecode(*bytes, "p.mlirbc");
  if (!read.ok()) return std::string(read.status().message());
  MakeDefaultsExplicit(**read);
  return PrintStableHlo(**read, {});
}

std::string Printed(const std::string& text) {
  auto document = mlir::ParseMlir(text, "p.mlir", StableHloSyntax());
  if (!document.ok()) return std::string(document.status().message());
  MakeDefaultsExplicit(**document);
  return PrintStableHlo(**document, {});
}

struct Right {
  const char* name;
  const char* text;
  const char* cannot_run;  // part of the error when it is run; null if it runs
};
void PrintTo(const Right& right, std::ostream* out) { *out << right.name; }

class RightProgram : public testing::TestWithParam<Right> {};

TEST_P(RightProgram, IsAcceptedAndComesBackFromBytecode) {
  const std::string text = GetParam().text;
  EXPECT_EQ(Verify(text), "");
  EXPECT_EQ(ThroughBytecode(text), Printed(text));
  const std::string error = RunError(text);
  if (GetParam().cannot_run == nullptr) {
    EXPECT_EQ(error, "");
  } else {
    EXPECT_TRUE(absl::StrContains(error, GetParam().cannot_run)) << error;
    EXPECT_TRUE(absl::StartsWith(error, "p.mlir:")) << error;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Modules, RightProgram,
    testing::Values(Right{"no function", "module @empty {}", "has no function"},
                    Right{"attributes alone",
                          "module attributes {a.b = #stablehlo.dot<lhs_batching_dimensions = [0], "
                          "rhs_batching_dimensions = [0]>} {}",
                          "has no function"},
                    Right{"no body", "func.func private @f(%x: tensor<2xf32>) -> !stablehlo.token",
                          "@f has no body"},
                    Right{"a call of what has no body",
                          "func.func private @g(tensor<2xf32>) -> tensor<2xf32>\n"
                          "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                          "  %0 = call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
                          "  return %0 : tensor<2xf32>\n}",
                          "1:1: error: 'func.func': @g has no body"},
                    Right{"no body, and not called",
                          "func.func private @g(tensor<2xf32>) -> tensor<2xf32>\n"
                          "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                          "  return %x : tensor<2xf32>\n}",
                          nullptr},
                    Right{"no rank",
                          "func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {\n"
                          "  return %x : tensor<*xf32>\n}",
                          "has no rank"},
                    Right{"no rank in a custom call",
                          "func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {\n"
                          "  %0 = stablehlo.custom_call @f(%x) : (tensor<*xf32>) -> tensor<*xf32>\n"
                          "  return %0 : tensor<*xf32>\n}",
                          "has no rank"}));

INSTANTIATE_TEST_SUITE_P(
    Types, RightProgram,
    testing::Values(Right{"future",
                          "func.func @main(%x: !stablehlo.future<tensor<2xf32>, tensor<i32>>) -> "
                          "!stablehlo.future<tensor<2xf32>, tensor<i32>> {\n"
                          "  return %x : !stablehlo.future<tensor<2xf32>, tensor<i32>>\n}",
                          nullptr},
                    Right{"buffers",
                          "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                          "  %0 = stablehlo.custom_call @Pin(%x) {api_version = 4 : i32} : "
                          "(tensor<2xf32>) -> memref<2xf32>\n"
                          "  %1 = stablehlo.custom_call @Unpin(%0) {api_version = 4 : i32} : "
                          "(memref<2xf32>) -> tensor<2xf32>\n"
                          "  return %1 : tensor<2xf32>\n}",
                          nullptr},
                    Right{"buffers in a loop",
                          "func.func @main(%x: tensor<i1>, %y: memref<2xf32>) -> memref<2xf32> {\n"
                          "  %0:2 = stablehlo.while(%a = %x, %b = %y) : tensor<i1>, memref<2xf32>\n"
                          "   cond {\n    stablehlo.return %a : tensor<i1>\n  } do {\n"
                          "    stablehlo.return %a, %b : tensor<i1>, memref<2xf32>\n  }\n"
                          "  return %0#1 : memref<2xf32>\n}",
                          nullptr},
                    Right{"a created buffer",
                          "func.func @main() -> memref<2xf32> {\n"
                          "  %0 = stablehlo.custom_call @CreateBuffer() {api_version = 4 : i32} : "
                          "() -> memref<2xf32>\n  return %0 : memref<2xf32>\n}",
                          nullptr}));

INSTANTIATE_TEST_SUITE_P(
    Ops, RightProgram,
    testing::Values(
        Right{"random numbers of a shape that is computed",
              "func.func @main(%a: tensor<f32>, %n: tensor<1xi64>) -> tensor<?xf32> {\n"
              "  %0 = stablehlo.rng %a, %a, %n, distribution = UNIFORM : (tensor<f32>, "
              "tensor<f32>, tensor<1xi64>) -> tensor<?xf32>\n  return %0 : tensor<?xf32>\n}",
              "2:8: error: 'stablehlo.rng'"},
        Right{"random numbers of the type's shape",
              "func.func @main(%a: tensor<f32>, %n: tensor<1xi64>) -> tensor<3xf32> {\n"
              "  %0 = stablehlo.rng %a, %a, %n, distribution = UNIFORM : (tensor<f32>, "
              "tensor<f32>, tensor<1xi64>) -> tensor<3xf32>\n  return %0 : tensor<3xf32>\n}",
              nullptr},
        Right{"a loop that forgets a size",
              "func.func @main(%x: tensor<4xf32>, %y: tensor<i1>) -> tensor<?xf32> {\n"
              "  %0:2 = \"stablehlo.while\"(%x, %y) ({\n  ^bb0(%a: tensor<?xf32>, %b: "
              "tensor<i1>):\n    stablehlo.return %b : tensor<i1>\n  }, {\n  ^bb0(%a: "
              "tensor<?xf32>, %b: tensor<i1>):\n    %1 = stablehlo.constant dense<false> : "
              "tensor<i1>\n    stablehlo.return %a, %1 : tensor<?xf32>, tensor<i1>\n  }) : "
              "(tensor<4xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<i1>)\n"
              "  return %0#0 : tensor<?xf32>\n}",
              nullptr},
        Right{"a fold of rows",
              "func.func @main(%x: tensor<4x3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {\n"
              "  %0 = \"stablehlo.reduce\"(%x, %c) ({\n  ^bb0(%a: tensor<3xf32>, %b: "
              "tensor<3xf32>):\n    %s = stablehlo.add %a, %b : tensor<3xf32>\n"
              "    stablehlo.return %s : tensor<3xf32>\n  }) {dimensions = array<i64: 0>} : "
              "(tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>\n  return %0 : tensor<3xf32>\n}",
              "2:8: error: 'stablehlo.reduce': cannot be run with initial values"},
        Right{"an accuracy that is not known",
              "func.func @main(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {\n"
              "  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<atol "
              "= 0.000000e+00, rtol = 0.000000e+00, ulps = 1, mode = "
              "#stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<complex<f32>>\n"
              "  return %0 : tensor<complex<f32>>\n}",
              "no error is known"}));

#define HALYARD_GATHER(groups)                                                        \
  "func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {\n"                           \
  "  %0 = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = " \
  "#stablehlo.replica_group_mesh_axes<" groups                                        \
  ">}> : (tensor<2xf32>) -> tensor<4xf32>\n"                                          \
  "  return %0 : tensor<4xf32>\n}"

INSTANTIATE_TEST_SUITE_P(
    Newest, RightProgram,
    testing::Values(
        Right{"axes of a mesh by name",
              HALYARD_GATHER("mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x\", "
                             "sub_axis_info = (1)2>, #stablehlo.axis_ref<name = \"a \\22 b\">]"),
              "axes of a mesh"},
        Right{"a mesh of an odd name", HALYARD_GATHER("mesh = @\"a b\", axes = []"),
              "axes of a mesh"},
        Right{"axes of a mesh that is written out",
              HALYARD_GATHER("mesh = #stablehlo.mesh<axes=[<name = \"x\", size = 2>, <name = "
                             "\"y\", size = 3>]>, axes = [#stablehlo.axis_ref<name = \"y\">]"),
              "axes of a mesh"},
        Right{"a mesh of given devices",
              HALYARD_GATHER("mesh = #stablehlo.mesh<axes=[<name = \"x\", size = 2>], "
                             "device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = "
                             "[#stablehlo.axis_ref<name = \"x\">]"),
              "axes of a mesh"},
        Right{"computations that are not here",
              "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
              "  %0 = stablehlo.custom_call @f(%x) {called_computations = [@foo]} : "
              "(tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}",
              "there is no function @foo"},
        Right{"powers and logarithms of base 2",
              "func.func @main(%x: tensor<2xbf16>, %z: tensor<complex<f32>>) -> (tensor<2xbf16>, "
              "tensor<complex<f32>>) {\n"
              "  %0 = stablehlo.exp2 %x : tensor<2xbf16>\n"
              "  %1 = \"stablehlo.log2\"(%0) : (tensor<2xbf16>) -> tensor<2xbf16>\n"
              "  %2 = stablehlo.exp2 %z : tensor<complex<f32>>\n"
              "  %3 = stablehlo.log2 %2 : tensor<complex<f32>>\n"
              "  return %1, %3 : tensor<2xbf16>, tensor<complex<f32>>\n}",
              nullptr},
        Right{"products of pieces of 8 bits",
              "func.func @main(%x: tensor<2x4xbf16>) -> tensor<2x2xf32> {\n"
              "  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], algorithm = "
              "<lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E4M3FN, accumulation_type = "
              "f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = "
              "4, allow_imprecise_accumulation = false> : (tensor<2x4xbf16>, tensor<2x4xbf16>) -> "
              "tensor<2x2xf32>\n  return %0 : tensor<2x2xf32>\n}",
              nullptr}));

TEST(MeshAxes, AreRightAndCannotBeRun) {
  const std::string text =
      "func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {\n"
      "  %0 = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = "
      "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [0 : i64]>}> : "
      "(tensor<2xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}";
  EXPECT_EQ(Verify(text), "");
  EXPECT_TRUE(absl::StrContains(RunError(text), "axes of a mesh")) << RunError(text);
}

// NaNs are equal to each other and come last. Zeros are equal.
TEST(WeakOrder, OfFloats) {
  const std::string text =
      "func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xi1> {\n"
      "  %0 = stablehlo.compare DIRECTION, %x, %y, WEAKORDER : (tensor<6xf32>, tensor<6xf32>) -> "
      "tensor<6xi1>\n  return %0 : tensor<6xi1>\n}";
  auto run = [&](const std::string& direction) {
    std::string program = text;
    program.replace(program.find("DIRECTION"), 9, direction);
    return Evaluate(program, {Floats({6}, {NAN, -NAN, INFINITY, -NAN, -0.0, 1}),
                              Floats({6}, {-NAN, INFINITY, NAN, -INFINITY, 0.0, 2})});
  };
  EXPECT_EQ(run("EQ"), "{true, false, false, false, true, false}");
  EXPECT_EQ(run("LT"), "{false, false, true, false, false, true}");
  EXPECT_EQ(run("GE"), "{true, true, false, true, true, false}");
}

TEST(WeakOrder, NeedsTheNewestArtifacts) {
  const std::string text =
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xi1> {\n"
      "  %0 = stablehlo.compare LT, %x, %x, WEAKORDER : (tensor<2xf32>, tensor<2xf32>) -> "
      "tensor<2xi1>\n  return %0 : tensor<2xi1>\n}";
  EXPECT_EQ(ThroughBytecode(text), Printed(text));
  EXPECT_TRUE(
      absl::StrContains(ThroughBytecode(text, {1, 21, 0}), "needs StableHLO version 1.22.0"));
}

TEST(Buffers, NeedArtifactsOf1_13) {
  const std::string text = "func.func private @f(%x: memref<2x?xf32>) -> memref<2x?xf32>";
  EXPECT_EQ(ThroughBytecode(text), Printed(text));
  EXPECT_TRUE(
      absl::StrContains(ThroughBytecode(text, {1, 12, 0}), "needs StableHLO version 1.13.0"));
}

// The specification's dot_general does not allow these quantized types. dot uses the values that
// they represent.
TEST(Dot, OfQuantizedTypesIsTheirNumbers) {
  EXPECT_EQ(Evaluate("func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<f32> {\n"
                     "  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> "
                     "tensor<2x!quant.uniform<i8:f32, 0.5:1>>\n"
                     "  %1 = stablehlo.uniform_quantize %y : (tensor<2xf32>) -> "
                     "tensor<2x!quant.uniform<i8:f32, 0.25:3>>\n"
                     "  %2 = \"stablehlo.dot\"(%0, %1) : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, "
                     "tensor<2x!quant.uniform<i8:f32, 0.25:3>>) -> "
                     "tensor<!quant.uniform<i8:f32, 1.0:2>>\n"
                     "  %3 = stablehlo.uniform_dequantize %2 : "
                     "(tensor<!quant.uniform<i8:f32, 1.0:2>>) -> tensor<f32>\n"
                     "  return %3 : tensor<f32>\n}",
                     {Floats({2}, {1.5, -2}), Floats({2}, {4, 0.5})}),
            "5");
}

TEST(ChloBroadcast, OfQuantizedTypesIsTheirNumbers) {
  EXPECT_EQ(Evaluate("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                     "  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> "
                     "tensor<2x!quant.uniform<i8:f32, 0.5:1>>\n"
                     "  %1 = \"chlo.broadcast_add\"(%0, %0) : (tensor<2x!quant.uniform<i8:f32, "
                     "0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> "
                     "tensor<2x!quant.uniform<i8:f32, 1.0:2>>\n"
                     "  %2 = stablehlo.uniform_dequantize %1 : "
                     "(tensor<2x!quant.uniform<i8:f32, 1.0:2>>) -> tensor<2xf32>\n"
                     "  return %2 : tensor<2xf32>\n}",
                     {Floats({2}, {1.5, -2})}),
            "{3, -4}");
}

TEST(Einsum, SumsInTheResultsType) {
  EXPECT_EQ(Evaluate("func.func @main() -> tensor<i16> {\n"
                     "  %0 = stablehlo.constant dense<[100, 100, 100]> : tensor<3xi8>\n"
                     "  %1 = \"stablehlo.einsum\"(%0, %0) {einsum_config = \"a,a->\"} : "
                     "(tensor<3xi8>, tensor<3xi8>) -> tensor<i16>\n  return %1 : tensor<i16>\n}",
                     {}),
            "30000");
}

TEST(Encodings, OtherThanBoundsAreNoMatterOfValues) {
  EXPECT_EQ(Evaluate("#S = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>\n"
                     "func.func @main(%x: tensor<2xf32, #S>) -> tensor<2xf32> {\n"
                     "  %0 = \"stablehlo.add\"(%x, %x) : (tensor<2xf32, #S>, tensor<2xf32, #S>) -> "
                     "tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
                     {Floats({2}, {1, 2})}),
            "{2, 4}");
}

}  // namespace
}  // namespace halyard::stablehlo
