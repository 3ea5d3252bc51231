// CHLO: pretty and generic forms mean the same, results have the right types and values, and errors
// are reported where they are. The values of the functions are in tests/data/vectors/chlo.mlir.
#include <gmock/gmock.h>

#include <cmath>

#include "absl/strings/str_cat.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

using testing::HasSubstr;

std::string RunMain(const std::string& arguments, const std::string& body,
                    const std::string& result, const std::vector<hlo::Literal>& values) {
  return Evaluate("func.func @main(" + arguments + ") -> " + result + " {\n" + body +
                      "\n  return %r : " + result + "\n}",
                  values);
}

const hlo::Literal kX = Floats({2}, {0.25, 0.5}), kY = Floats({2}, {1, 2});

TEST(Chlo, UnaryFormsAgree) {
  for (const char* name :
       {"acos", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma", "erf",
        "erf_inv", "erfc", "lgamma", "sinh", "square", "tan"}) {
    const std::string pretty =
        RunMain("%x: tensor<2xf32>",
                absl::StrCat("%r = chlo.", name, " %x : tensor<2xf32> -> tensor<2xf32>"),
                "tensor<2xf32>", {kX});
    EXPECT_THAT(pretty, testing::StartsWith("{")) << name << ": " << pretty;
    EXPECT_EQ(pretty, RunMain("%x: tensor<2xf32>",
                              absl::StrCat("%r = \"chlo.", name,
                                           "\"(%x) : (tensor<2xf32>) -> tensor<2xf32>"),
                              "tensor<2xf32>", {kX}))
        << name;
  }
}

// These ops are part of StableHLO since 1.22.
TEST(Chlo, PowersAndLogarithmsOfTwo) {
  const hlo::Literal powers = Floats({7}, {0.25, 1, 2, 8, 0, 1024, INFINITY});
  EXPECT_EQ(RunMain("%x: tensor<7xf32>", "%r = stablehlo.log2 %x : tensor<7xf32>", "tensor<7xf32>",
                    {powers}),
            "{-2, 0, 1, 3, -inf, 10, inf}");
  const hlo::Literal exponents = Floats({7}, {-2, 0, 1, 3, -INFINITY, 0.5, INFINITY});
  EXPECT_EQ(RunMain("%x: tensor<7xf32>",
                    "%r = \"stablehlo.exp2\"(%x) : (tensor<7xf32>) -> "
                    "tensor<7xf32>",
                    "tensor<7xf32>", {exponents}),
            "{0.25, 1, 2, 8, 0, 1.4142135, inf}");
}

// Narrower types are computed in f32 and rounded once.
TEST(Chlo, NarrowTypesAreRounded) {
  const std::vector<double> values = {-INFINITY, -1.5, -1, -0.5, -0.0,    0,
                                      0.25,      0.75, 1,  3,    INFINITY};
  const auto count = static_cast<int64_t>(values.size());
  for (const char* type :
       {"bf16", "f16", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2",
        "f8E5M2FNUZ", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"}) {
    const hlo::ElementType element = *hlo::ElementTypeFromMlirName(type);
    const hlo::Literal x = hlo::Literal::FromValues<double>(element, {count}, values);
    const std::string narrow = absl::StrCat("tensor<", count, "x", type, ">");
    const std::string wide = absl::StrCat("tensor<", count, "xf32>");
    for (const char* name : {"acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e",
                             "cosh", "digamma", "erf_inv", "erfc", "lgamma", "sinh"}) {
      const std::string got =
          RunMain("%x: " + narrow,
                  absl::StrCat("%r = chlo.", name, " %x : ", narrow, " -> ", narrow), narrow, {x});
      const std::string want =
          RunMain("%x: " + narrow,
                  absl::StrCat("%w = stablehlo.convert %x : (", narrow, ") -> ", wide,
                               "\n%v = chlo.", name, " %w : ", wide, " -> ", wide,
                               "\n%r = stablehlo.convert %v : (", wide, ") -> ", narrow),
                  narrow, {x});
      EXPECT_EQ(got, want) << name << " " << type;
      EXPECT_THAT(got, testing::StartsWith("{")) << name << " " << type;
    }
  }
}

TEST(Chlo, BinaryFormsAgree) {
  for (const char* name : {"next_after", "polygamma", "zeta"}) {
    const std::string pretty = RunMain(
        "%x: tensor<2xf32>, %y: tensor<2xf32>",
        absl::StrCat("%r = chlo.", name, " %y, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>"),
        "tensor<2xf32>", {kX, kY});
    EXPECT_THAT(pretty, testing::StartsWith("{")) << name << ": " << pretty;
    EXPECT_EQ(pretty,
              RunMain("%x: tensor<2xf32>, %y: tensor<2xf32>",
                      absl::StrCat("%r = \"chlo.", name,
                                   "\"(%y, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"),
                      "tensor<2xf32>", {kX, kY}))
        << name;
  }
}

TEST(Chlo, NextAfterStepsThroughZero) {
  const double tiny = 0x1p-149;
  EXPECT_EQ(RunMain("%x: tensor<6xf32>, %y: tensor<6xf32>",
                    "%r = chlo.next_after %x, %y : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>",
                    "tensor<6xf32>",
                    {Floats({6}, {0, -0.0, tiny, 1, -1, 3}), Floats({6}, {1, -1, -1, 2, -2, 3})}),
            hlo::Literal(Floats({6}, {tiny, -tiny, 0, 1 + 0x1p-23, -1 - 0x1p-23, 3})).ToString());
}

// These types have one zero: the bits of -0 are NaN.
TEST(Chlo, NextAfterStepsThroughTheOnlyZero) {
  for (const char* type : {"f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"}) {
    const hlo::ElementType element = *hlo::ElementTypeFromMlirName(type);
    const double tiny = hlo::DecodeFloat(element, 1);
    const auto array = [&](std::vector<double> values) {
      return hlo::Literal::FromValues<double>(element, {6}, values);
    };
    const std::string tensor = absl::StrCat("tensor<6x", type, ">");
    EXPECT_EQ(
        RunMain(
            absl::StrCat("%x: ", tensor, ", %y: ", tensor),
            absl::StrCat("%r = chlo.next_after %x, %y : ", tensor, ", ", tensor, " -> ", tensor),
            tensor, {array({-tiny, -tiny, tiny, 0, 0, -tiny}), array({1, 0, -1, -1, 1, -1})}),
        array({0, 0, 0, -tiny, tiny, -2 * tiny}).ToString())
        << type;
  }
}

TEST(Chlo, BroadcastsFromTheLastDimension) {
  EXPECT_EQ(RunMain("%x: tensor<2x1xf32>, %y: tensor<2xf32>",
                    "%r = chlo.broadcast_add %x, %y : (tensor<2x1xf32>, tensor<2xf32>) -> "
                    "tensor<2x2xf32>",
                    "tensor<2x2xf32>", {Floats({2, 1}, {10, 20}), kY}),
            "{ {11, 12}, {21, 22} }");
  EXPECT_EQ(RunMain("%x: tensor<2xf32>, %y: tensor<2x2xf32>",
                    "%r = chlo.broadcast_subtract %x, %y {broadcast_dimensions = array<i64: 0>} : "
                    "(tensor<2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>",
                    "tensor<2x2xf32>", {Floats({2}, {10, 20}), Floats({2, 2}, {1, 2, 3, 4})}),
            "{ {9, 8}, {17, 16} }");
  EXPECT_EQ(RunMain("%x: tensor<2xf32>, %y: tensor<f32>",
                    "%r = chlo.broadcast_compare %x, %y {comparison_direction = "
                    "#chlo<comparison_direction GT>} : (tensor<2xf32>, tensor<f32>) -> "
                    "tensor<2xi1>",
                    "tensor<2xi1>", {kX, Floats({}, {0.3})}),
            "{false, true}");
  EXPECT_EQ(RunMain("%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<1xf32>",
                    "%r = chlo.broadcast_select %p, %x, %y : (tensor<i1>, tensor<2xf32>, "
                    "tensor<1xf32>) -> tensor<2xf32>",
                    "tensor<2xf32>", {Pred(false), kX, Floats({1}, {7})}),
            "{7, 7}");
}

TEST(Chlo, Constants) {
  EXPECT_EQ(RunMain("%x: tensor<2xf32>", "%r = chlo.constant dense<[1, 2]> : tensor<2xi32>",
                    "tensor<2xi32>", {kX}),
            "{1, 2}");
  EXPECT_EQ(RunMain("%x: tensor<2xf32>",
                    "%r = \"chlo.constant_like\"(%x) <{value = 1.5 : f32}> : (tensor<2xf32>) -> "
                    "tensor<2xf32>",
                    "tensor<2xf32>", {kX}),
            "{1.5, 1.5}");
}

TEST(Chlo, UpperHalvesOfProducts) {
  EXPECT_EQ(RunMain("%x: tensor<3xi32>, %y: tensor<3xi32>",
                    "%r = chlo.mulhi %x, %y : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>",
                    "tensor<3xi32>",
                    {Ints32({3}, {INT32_MIN, -1, 1 << 30}), Ints32({3}, {INT32_MIN, 1, 8})}),
            "{1073741824, -1, 2}");
}

// Sums along the dimension. The carried value starts at 100.
constexpr char kScan[] = R"(
func.func @main(%x: tensor<3x2xf32>, %c: tensor<2xf32>, %s: tensor<f32>)
    -> (tensor<3x2xf32>, tensor<2xf32>) {
  %r:2 = chlo.scan(%x) inits (%c) dimension=0 attributes {is_reverse = REVERSE} {
  ^bb0(%input: tensor<2xf32>, %carry: tensor<2xf32>):
    %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.multiply %input, %b : tensor<2xf32>
    %n = stablehlo.add %carry, %p : tensor<2xf32>
    stablehlo.return %carry, %n : tensor<2xf32>, tensor<2xf32>
  } : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<3x2xf32>, tensor<2xf32>
})";

std::string Scan(const std::string& reverse) {
  std::string text = kScan;
  text.replace(text.find("REVERSE"), 7, reverse);
  return Evaluate(text,
                  {Floats({3, 2}, {1, 2, 3, 4, 5, 6}), Floats({2}, {100, 200}), Floats({}, {1})});
}

TEST(Chlo, ScanRunsBothWays) {
  EXPECT_EQ(Scan("false"), "({ {100, 200}, {101, 202}, {104, 206} }, {109, 212})");
  EXPECT_EQ(Scan("true"), "({ {108, 210}, {105, 206}, {100, 200} }, {109, 212})");
}

TEST(Chlo, ScanRefusesWhatItsBlockDoesNotGive) {
  EXPECT_THAT(
      Evaluate(R"(
func.func @main(%x: tensor<3xf32>, %c: tensor<f32>) -> tensor<f32> {
  %r = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>,
      resultSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%input: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return %carry, %carry : tensor<f32>, tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})",
               {Floats({3}, {1, 2, 3}), Floats({}, {0})}),
      HasSubstr("p.mlir:3:8: error: 'chlo.scan': the block returns 2 values, must return 1"));
}

std::string Ragged(const std::string& numbers, const std::string& left, const std::string& right,
                   const std::string& groups, const std::string& result,
                   const std::vector<hlo::Literal>& values) {
  return Evaluate(
      absl::StrCat("func.func @main(%l: ", left, ", %r: ", right, ", %g: ", groups, ") -> ", result,
                   " {\n  %x = \"chlo.ragged_dot\"(%l, %r, %g) ",
                   "<{ragged_dot_dimension_numbers = #chlo.ragged_dot<", numbers, ">}> : (", left,
                   ", ", right, ", ", groups, ") -> ", result, "\n  return %x : ", result, "\n}"),
      values);
}

TEST(Chlo, RaggedRows) {
  // Row 0 belongs to the first group, rows 1 and 2 to the second, and row 3 to none.
  EXPECT_EQ(Ragged("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
                   "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]",
                   "tensor<4x1xf32>", "tensor<2x1x2xf32>", "tensor<2xi32>", "tensor<4x2xf32>",
                   {Floats({4, 1}, {1, 2, 3, 4}), Floats({2, 1, 2}, {1, 10, 2, 20}),
                    Ints32({2}, {1, 2})}),
            "{ {1, 10}, {4, 40}, {6, 60}, {0, 0} }");
}

TEST(Chlo, RaggedContraction) {
  EXPECT_EQ(Ragged("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], "
                   "lhs_ragged_dimensions = [1], rhs_group_dimensions = []",
                   "tensor<1x4xf32>", "tensor<4x1xf32>", "tensor<2xi32>", "tensor<2x1x1xf32>",
                   {Floats({1, 4}, {1, 2, 3, 4}), Floats({4, 1}, {1, 10, 100, 1000}),
                    Ints32({2}, {1, 2})}),
            "{ { {1} }, { {320} } }");
}

TEST(Chlo, RaggedBatch) {
  EXPECT_EQ(
      Ragged("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
             "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
             "lhs_ragged_dimensions = [0], rhs_group_dimensions = []",
             "tensor<2x2xf32>", "tensor<2x2xf32>", "tensor<1xi32>", "tensor<2xf32>",
             {Floats({2, 2}, {1, 2, 3, 4}), Floats({2, 2}, {1, 10, 100, 1000}), Ints32({1}, {2})}),
      "{21, 4300}");
}

struct Wrong {
  const char* name;
  std::string operation;
  std::string message;
};

class ChloErrors : public testing::TestWithParam<Wrong> {};

TEST_P(ChloErrors, AreLocated) {
  auto module = ParseStableHlo(
      absl::StrCat("func.func @main(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %y: tensor<2xf32>, "
                   "%z: tensor<2xcomplex<f32>>) {\n",
                   GetParam().operation, "\n  return\n}"),
      "p.mlir");
  ASSERT_FALSE(module.ok());
  EXPECT_THAT(std::string(module.status().message()), HasSubstr("p.mlir:2:"));
  EXPECT_THAT(std::string(module.status().message()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, ChloErrors,
    testing::Values(
        Wrong{"Integers", "%0 = chlo.lgamma %i : tensor<2x3xi32> -> tensor<2x3xi32>",
              "'chlo.lgamma': needs floats, is given s32[2,3]"},
        Wrong{"Complex", "%0 = chlo.erfc %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>",
              "'chlo.erfc': needs floats, is given c64[2]"},
        Wrong{"Kernel", "%0 = chlo._asin_acos_kernel %y : tensor<2xf32> -> tensor<2xf32>",
              "needs complex numbers, is given f32[2]"},
        Wrong{"Result", "%0 = chlo.acos %x : tensor<2x3xf32> -> tensor<2xf32>",
              "'chlo.acos': result 0 is f32[2,3], its type says f32[2]"},
        Wrong{"Predicate", "%0 = chlo.is_inf %x : tensor<2x3xf32> -> tensor<2x3xf32>",
              "result 0 is pred[2,3], its type says f32[2,3]"},
        Wrong{"Types", "%0 = chlo.zeta %x, %y : tensor<2x3xf32>, tensor<2xf32> -> tensor<2x3xf32>",
              "operands must have one type, are f32[2,3] and f32[2]"},
        Wrong{"MulhiOfFloats",
              "%0 = chlo.mulhi %y, %y : tensor<2xf32>, tensor<2xf32> -> "
              "tensor<2xf32>",
              "needs integers, is given f32[2]"},
        Wrong{"Stretch",
              "%0 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<2xf32>) -> "
              "tensor<2x3xf32>",
              "dimensions of 3 and 2 do not go together"},
        Wrong{"Places",
              "%0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : "
              "(tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>",
              "broadcast_dimensions [2] must increase, within [0, 2)"},
        Wrong{"K",
              "%0:2 = chlo.top_k(%x, k = 4) : tensor<2x3xf32> -> (tensor<2x4xf32>, "
              "tensor<2x4xi32>)",
              "k = 4 is not in [0, 3]"},
        Wrong{"Like",
              "%0 = \"chlo.constant_like\"(%x) <{value = \"a\"}> : (tensor<2x3xf32>) -> "
              "tensor<2x3xf32>",
              "attribute 'value' is missing"},
        Wrong{"Ragged",
              "%0 = \"chlo.ragged_dot\"(%x, %x, %i) <{ragged_dot_dimension_numbers = "
              "#chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],"
              " lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}> : (tensor<2x3xf32>, "
              "tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x2xf32>",
              "a group dimension of the right operand goes with"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace halyard::stablehlo
