// Programs with dynamic sizes that several tests run, and a function that shows their results.
#ifndef HALYARD_TESTS_CLIENT_DYNAMIC_PROGRAMS_H_
#define HALYARD_TESTS_CLIENT_DYNAMIC_PROGRAMS_H_

#include <memory>
#include <string>
#include <vector>

#include "client/api/client.h"
#include "gtest/gtest.h"

namespace halyard::testing {

inline hlo::Literal Floats(std::vector<int64_t> dims, std::vector<double> values) {
  return hlo::Literal::FromValues<double>(hlo::ElementType::kF32, std::move(dims), values);
}
inline hlo::Literal Ints32(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS32, std::move(dims), values);
}

inline std::unique_ptr<hlo::Module> Parse(const std::string& text) {
  const bool hlo = text.substr(0, 9) == "HloModule";
  absl::StatusOr<std::unique_ptr<hlo::Module>> module =
      ParseProgram(text, hlo ? "p.hlo" : "p.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

inline std::string TextOf(const absl::StatusOr<std::vector<hlo::Literal>>& results) {
  if (!results.ok()) return std::string(results.status().message());
  std::string text;
  for (const hlo::Literal& result : *results) {
    text += (text.empty() ? "" : " ") + result.shape().ToString() + result.ToString();
  }
  return text;
}

inline constexpr char kAdd[] =
    R"(func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
})";

// Packs the elements above 0: counts them first, then computes where each goes.
inline constexpr char kPositive[] =
    R"(func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %zi = stablehlo.constant dense<0> : tensor<i32>
  %zl = stablehlo.constant dense<0> : tensor<i64>
  %zs = stablehlo.dynamic_broadcast_in_dim %z, %n1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %p = stablehlo.compare GT, %x, %zs : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %q = stablehlo.convert %p : (tensor<?xi1>) -> tensor<?xi32>
  %count = stablehlo.reduce(%q init: %zi) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %ids = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi64>
  %none = "stablehlo.not"(%p) : (tensor<?xi1>) -> tensor<?xi1>
  %key = stablehlo.convert %none : (tensor<?xi1>) -> tensor<?xi32>
  %s:3 = "stablehlo.sort"(%key, %x, %ids) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<i64>, %f: tensor<i64>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<?xi32>, tensor<?xf32>, tensor<?xi64>) -> (tensor<?xi32>, tensor<?xf32>, tensor<?xi64>)
  %start = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %limit = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %s#1, %start, %limit, %one : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %i = stablehlo.real_dynamic_slice %s#2, %start, %limit, %one : (tensor<?xi64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi64>
  %rr = stablehlo.add %r, %r : tensor<?xf32>
  return %rr, %i : tensor<?xf32>, tensor<?xi64>
})";

// Halves the array until its sum is small, so each iteration has a different size.
inline constexpr char kShrink[] =
    R"(func.func @main(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%s = %x, %k = %z) : tensor<?xi32>, tensor<i32>
    cond {
      %t = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
      %ten = stablehlo.constant dense<10> : tensor<i32>
      %c = stablehlo.compare GT, %t, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?xi32>) -> tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %h = stablehlo.divide %n, %two : tensor<i32>
      %l = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
      %b = stablehlo.constant dense<0> : tensor<1xi32>
      %one = stablehlo.constant dense<1> : tensor<1xi32>
      %d = stablehlo.real_dynamic_slice %s, %b, %l, %one : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
      %i = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %k, %i : tensor<i32>
      stablehlo.return %d, %j : tensor<?xi32>, tensor<i32>
    }
  %y = stablehlo.negate %r#0 : tensor<?xi32>
  return %y, %r#1 : tensor<?xi32>, tensor<i32>
})";

// The branches return different sizes.
inline constexpr char kBranch[] =
    R"(func.func @main(%p: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "stablehlo.if"(%p) ({
    %d = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %d : tensor<?xf32>
  }, {
    %d = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %d : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %s = stablehlo.add %r, %r : tensor<?xf32>
  return %s : tensor<?xf32>
})";

// A loop of fixed sizes in a dynamic program is compiled as one loop. A size that the loop carries
// unchanged stays known.
inline constexpr char kLoop[] =
    R"(func.func @main(%x: tensor<?xf32>, %k: tensor<i32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %z, %m = %n, %s = %x) : tensor<i32>, tensor<i32>, tensor<?xf32>
    cond {
      %c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %l = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
      %q = stablehlo.dynamic_iota %l, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      %t = stablehlo.add %s, %q : tensor<?xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %m, %t : tensor<i32>, tensor<i32>, tensor<?xf32>
    }
  return %r#2 : tensor<?xf32>
})";

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_CLIENT_DYNAMIC_PROGRAMS_H_
