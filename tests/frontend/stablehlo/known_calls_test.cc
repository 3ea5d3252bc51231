// Custom calls in programs that JAX exports, which other ops can express. Larger matrices are
// compared with JAX's results in tests/data/fixtures.
#include <gmock/gmock.h>

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

using testing::HasSubstr;

struct Call {
  std::string target;
  std::string config;
  std::vector<std::string> arguments;
  std::vector<std::string> results;
};

std::string Program(const Call& call) {
  std::vector<std::string> parameters, names, results;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    names.push_back(absl::StrCat("%x", i));
    parameters.push_back(absl::StrCat("%x", i, ": ", call.arguments[i]));
  }
  for (size_t i = 0; i < call.results.size(); ++i) {
    results.push_back(call.results.size() == 1 ? "%r" : absl::StrCat("%r#", i));
  }
  const std::string types = absl::StrJoin(call.results, ", ");
  return absl::StrCat(
      "func.func @main(", absl::StrJoin(parameters, ", "), ") -> (", types, ") {\n  %r",
      call.results.size() == 1 ? "" : absl::StrCat(":", call.results.size()),
      " = stablehlo.custom_call @", call.target, "(", absl::StrJoin(names, ", "),
      ") {mhlo.backend_config = {", call.config, "}} : (", absl::StrJoin(call.arguments, ", "),
      ") -> (", types, ")\n  return ", absl::StrJoin(results, ", "), " : ", types, "\n}");
}

// Returns all elements of all results.
std::vector<double> Numbers(const Call& call, const std::vector<hlo::Literal>& arguments) {
  auto module = ParseStableHlo(Program(call), "p.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  hlo::Evaluator evaluator;
  evaluator.max_loop_iterations = 10000;
  auto result = evaluator.Run(**module, arguments);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return {};
  std::vector<hlo::Literal> parts = result->elements();
  if (parts.empty()) parts.push_back(*result);
  std::vector<double> numbers;
  for (const hlo::Literal& part : parts) {
    int64_t count = 1;
    for (int64_t dim : part.shape().dims()) count *= dim;
    for (int64_t i = 0; i < count; ++i) numbers.push_back(part.GetAsDouble(i));
  }
  return numbers;
}

testing::Matcher<std::vector<double>> Near(const std::vector<double>& expected) {
  std::vector<testing::Matcher<double>> matchers;
  for (double value : expected) matchers.push_back(testing::NanSensitiveDoubleNear(value, 2e-6));
  return testing::ElementsAreArray(matchers);
}

constexpr char kMatrix[] = "tensor<2x2xf32>", kVector[] = "tensor<2xf32>", kInfo[] = "tensor<i32>";

TEST(KnownCalls, Cholesky) {
  const hlo::Literal a = Floats({2, 2}, {4, 9, 2, 5});
  const Call lower{"lapack_spotrf_ffi", "uplo = 76 : ui8", {kMatrix}, {kMatrix, kInfo}};
  EXPECT_THAT(Numbers(lower, {a}), Near({2, 9, 1, 2, 0}));  // the other triangle is kept
  const Call upper{"cusolver_potrf_ffi", "lower = false", {kMatrix}, {kMatrix, kInfo}};
  EXPECT_THAT(Numbers(upper, {Floats({2, 2}, {4, 2, 9, 5})}), Near({2, 1, 9, 2, 0}));
  EXPECT_EQ(Numbers(lower, {Floats({2, 2}, {4, 2, 2, -5})}).back(), 2);  // at the second pivot
}

TEST(KnownCalls, TriangularSolve) {
  const Call call{"lapack_strsm_ffi",
                  "diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8",
                  {kMatrix, "tensor<2x1xf32>"},
                  {"tensor<2x1xf32>"}};
  // [[2, 1], [0, 4]] x = [4, 8]
  EXPECT_THAT(Numbers(call, {Floats({2, 2}, {2, 7, 1, 4}), Floats({2, 1}, {4, 8})}), Near({1, 2}));
}

TEST(KnownCalls, Lu) {
  const hlo::Literal a = Floats({2, 2}, {1, 2, 3, 4});
  const std::vector<double> factors = {3, 4, 1.0 / 3, 2.0 / 3};
  const std::string pivots = "tensor<2xi32>";
  std::vector<double> lapack = factors, tpu = factors;
  lapack.insert(lapack.end(), {2, 2, 0});
  tpu.insert(tpu.end(), {1, 1, 1, 0});
  for (const char* target : {"lapack_sgetrf_ffi", "cusolver_getrf_ffi"}) {
    EXPECT_THAT(Numbers({target, "", {kMatrix}, {kMatrix, pivots, kInfo}}, {a}), Near(lapack));
  }
  EXPECT_THAT(Numbers({"LuDecomposition", "", {kMatrix}, {kMatrix, pivots, pivots}}, {a}),
              Near(tpu));
  const std::vector<double> singular =
      Numbers({"lapack_sgetrf_ffi", "", {kMatrix}, {kMatrix, pivots, kInfo}},
              {Floats({2, 2}, {1, 2, 2, 4})});
  EXPECT_EQ(singular.back(), 2);
}

TEST(KnownCalls, PivotsToPermutation) {
  EXPECT_THAT(Numbers({"cu_lu_pivots_to_permutation", "", {"tensor<1x2xi32>"}, {"tensor<1x3xi32>"}},
                      {Ints32({1, 2}, {2, 2})}),
              Near({2, 0, 1}));
}

TEST(KnownCalls, Qr) {
  const hlo::Literal a = Floats({2, 1}, {3, 4});
  for (const char* target : {"lapack_sgeqrf_ffi", "Qr"}) {
    EXPECT_THAT(
        Numbers({target, "", {"tensor<2x1xf32>"}, {"tensor<2x1xf32>", "tensor<1xf32>"}}, {a}),
        Near({-5, 0.5, 1.6}));
  }
  EXPECT_THAT(
      Numbers({"lapack_sorgqr_ffi", "", {"tensor<2x1xf32>", "tensor<1xf32>"}, {"tensor<2x1xf32>"}},
              {Floats({2, 1}, {-5, 0.5}), Floats({1}, {1.6})}),
      Near({-0.6, -0.8}));
  // There is nothing to reflect.
  EXPECT_THAT(Numbers({"Qr", "", {"tensor<2x1xf32>"}, {"tensor<2x1xf32>", "tensor<1xf32>"}},
                      {Floats({2, 1}, {-3, 0})}),
              Near({-3, 0, 0}));
}

TEST(KnownCalls, EigenvaluesOfOneTriangle) {
  for (const auto& [target, config] : {std::pair("lapack_ssyevd_ffi", "uplo = 76 : ui8"),
                                       {"cusolver_syevd_ffi", "lower = true"}}) {
    std::vector<double> got = Numbers({target, config, {kMatrix}, {kMatrix, kVector, kInfo}},
                                      {Floats({2, 2}, {2, 77, 1, 2})});
    ASSERT_EQ(got.size(), 7u);
    for (int i = 0; i < 4; ++i) got[i] = std::fabs(got[i]);
    const double half = std::sqrt(0.5);
    EXPECT_THAT(got, Near({half, half, half, half, 1, 3, 0}));
  }
}

TEST(KnownCalls, EigenvaluesOfAnOddMatrix) {
  // A path of three vertices has the eigenvalues 0, 1 and 3.
  const std::vector<double> got =
      Numbers({"Eigh", "", {"tensor<3x3xf32>"}, {"tensor<3x3xf32>", "tensor<3xf32>"}},
              {Floats({3, 3}, {1, -1, 0, -1, 2, -1, 0, -1, 1})});
  ASSERT_EQ(got.size(), 12u);
  EXPECT_THAT(std::vector<double>(got.begin() + 9, got.end()), Near({0, 1, 3}));
}

TEST(KnownCalls, EigenvaluesOfNothing) {
  const hlo::Literal none(hlo::Shape::Array(hlo::ElementType::kC64, {2, 0, 0}));
  const Call call = {"lapack_cheevd_ffi",
                     "uplo = 76 : ui8",
                     {"tensor<2x0x0xcomplex<f32>>"},
                     {"tensor<2x0x0xcomplex<f32>>", "tensor<2x0xf32>", "tensor<2xi32>"}};
  EXPECT_EQ(Numbers(call, {none}), std::vector<double>({0, 0}));
}

TEST(KnownCalls, SingularValues) {
  // u is orthogonal even for rank 1.
  const std::vector<double> got =
      Numbers({"lapack_sgesdd_ffi",
               "mode = 65 : ui8",
               {"tensor<3x2xf32>"},
               {"tensor<3x2xf32>", kVector, "tensor<3x3xf32>", kMatrix, kInfo}},
              {Floats({3, 2}, {1, 1, 1, 1, 1, 1})});
  ASSERT_EQ(got.size(), 6u + 2 + 9 + 4 + 1);
  EXPECT_NEAR(got[6], std::sqrt(6.0), 1e-5);
  EXPECT_NEAR(got[7], 0, 1e-5);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double product = 0;
      for (int k = 0; k < 3; ++k) product += got[8 + 3 * k + i] * got[8 + 3 * k + j];
      EXPECT_NEAR(product, i == j, 1e-5) << i << " " << j;
    }
  }
}

TEST(KnownCalls, TopK) {
  EXPECT_THAT(Numbers({"mhlo.topk",
                       "k = 2 : i64, largest = true",
                       {"tensor<3xf32>"},
                       {kVector, "tensor<2xi32>"}},
                      {Floats({3}, {1, 5, 3})}),
              Near({5, 3, 1, 2}));
}

TEST(KnownCalls, TopKOfStatedK) {
  // In programs of unknown sizes, the result types do not state k.
  EXPECT_EQ(Evaluate(R"(
func.func @main(%x: tensor<3xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false},
      mhlo.version = 1 : i64} : (tensor<3xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xi32>
})",
                     {Floats({3}, {1, 5, 3})}),
            "({1, 3}, {0, 2})");
  EXPECT_THAT(std::string(ParseStableHlo(R"(
func.func @main(%x: tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = "2"}}
      : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
})",
                                         "p.mlir")
                              .status()
                              .message()),
              HasSubstr("k must be an integer"));
}

// The calls that XLA writes for functions that StableHLO has no op for.
TEST(KnownCalls, FunctionsOfMhlo) {
  auto call = [](const std::string& name, const std::string& type) {
    return absl::StrCat("func.func @main(%x: ", type, ") -> ", type,
                        " {\n  %0 = stablehlo.custom_call @mhlo.", name,
                        "(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (", type, ") -> ",
                        type, "\n  return %0 : ", type, "\n}");
  };
  const double x = 0.375;
  for (const auto& [name, value] : {std::pair("erf", std::erf(x)),
                                    {"acos", std::acos(x)},
                                    {"acosh", std::acosh(1 + x)},
                                    {"asin", std::asin(x)},
                                    {"asinh", std::asinh(x)},
                                    {"atanh", std::atanh(x)},
                                    {"cosh", std::cosh(x)},
                                    {"sinh", std::sinh(x)},
                                    {"tan", std::tan(x)}}) {
    auto module = ParseStableHlo(call(name, "tensor<1xf32>"), "p.mlir");
    ASSERT_TRUE(module.ok()) << name << ": " << module.status();
    hlo::Evaluator evaluator;
    const double at = std::string(name) == "acosh" ? 1 + x : x;
    auto result = evaluator.Run(**module, {Floats({1}, {at})});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_NEAR(result->GetAsDouble(0), value, 1e-6) << name;
  }
  // Any size is accepted, but only element types that the function takes.
  EXPECT_TRUE(ParseStableHlo(call("erf", "tensor<?x3xbf16>"), "p.mlir").ok());
  EXPECT_THAT(
      std::string(ParseStableHlo(call("erf", "tensor<2xi32>"), "p.mlir").status().message()),
      HasSubstr("needs floats, is given s32[2]"));
  // Other names are functions of the user.
  EXPECT_TRUE(ParseStableHlo(call("mine", "tensor<2xi32>"), "p.mlir").ok());
}

TEST(KnownCalls, ApproximateTopKIsExact) {
  EXPECT_EQ(Evaluate(R"(
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>)
    -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @main(%x: tensor<4xf32>, %i: tensor<4xi32>, %a: tensor<f32>, %b: tensor<i32>)
    -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %a, %b) {called_computations = [@greater],
      mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 0 : i64, top_k = 2 : i64}}
      : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
})",
                     {Floats({4}, {1, 4, 2, 3}), Ints32({4}, {0, 1, 2, 3}), Floats({}, {0}),
                      Ints32({}, {0})}),
            "({4, 3}, {1, 3})");
}

TEST(KnownCalls, ErrorsAreLocated) {
  auto error = [](const Call& call) {
    return std::string(ParseStableHlo(Program(call), "p.mlir").status().message());
  };
  EXPECT_THAT(error({"lapack_spotrf_ffi", "", {"tensor<2x3xf32>"}, {"tensor<2x3xf32>", kInfo}}),
              HasSubstr("p.mlir:2:10: error: 'stablehlo.custom_call': needs square matrices"));
  EXPECT_THAT(error({"lapack_sgetrf_ffi", "", {"tensor<2x2xi32>"}, {"tensor<2x2xi32>"}}),
              HasSubstr("'lapack_sgetrf_ffi' does not take s32[2,2]"));
  EXPECT_THAT(error({"lapack_sgeqrf_ffi", "", {kMatrix}, {kMatrix}}),
              HasSubstr("must have 2 result(s)"));
}

// The form in which JAX exports approx_max_k with a symbolic k.
std::string ApproxTopK(const std::string& k, const std::string& result) {
  return absl::StrCat(
      R"(func.func @main(%x: tensor<2x?xf32>, %n: tensor<i32>) -> ()", result,
      R"() {
  %size = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %s1 = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %two, %s1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<2x?xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %less = stablehlo.subtract %size, %one : tensor<i32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %least, %none, %)",
      k,
      R"() {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = -1 : i64}}
      : (tensor<2x?xf32>, tensor<2x?xi32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<2x?xf32>, )",
      result,
      R"()
  return %r#1 : )",
      result, R"(
}
func.func private @gt(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
})");
}

TEST(KnownCalls, ApproxTopKOfSymbolicSizes) {
  auto run = [](const std::string& text, int64_t n) -> std::string {
    auto module = ParseStableHlo(text, "p.mlir");
    if (!module.ok()) return std::string(module.status().message());
    hlo::Evaluator evaluator;
    auto prepared = hlo::PrepareDynamic(**module);
    if (!prepared.ok()) return std::string(prepared.status().message());
    auto result = evaluator.Run(**prepared, {Floats({2, 3}, {1, 5, 3, 9, 2, 9}), Ints32({}, {n})});
    return result.ok() ? result->ToString() : std::string(result.status().message());
  };
  EXPECT_EQ(run(ApproxTopK("less", "tensor<2x?xi32>"), 0), "{ {1, 2}, {0, 2} }");
  EXPECT_EQ(run(ApproxTopK("n", "tensor<2x?xi32>"), 1), "{ {1}, {0} }");
  EXPECT_EQ(run(ApproxTopK("n", "tensor<2x3xi32>"), 3), "{ {1, 2, 0}, {0, 2, 1} }");
  EXPECT_THAT(run(ApproxTopK("n", "tensor<2x3xi32>"), 2), HasSubstr("its type is s32[2,3]"));
  EXPECT_THAT(run(ApproxTopK("n", "tensor<2x?xi32>"), 4), HasSubstr("is not within [0:3]"));
  EXPECT_THAT(run(ApproxTopK("n", "tensor<2x?xi32>"), -1), HasSubstr("p.mlir:"));
}

}  // namespace
}  // namespace halyard::stablehlo
