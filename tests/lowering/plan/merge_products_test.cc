// Tests that products of one array by constant matrices become one, and that it computes the same.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "lowering/kernels/kernel_request.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

std::string Matrix(int rows, int columns, int seed) {
  std::string text = "{";
  for (int i = 0; i < rows; ++i) {
    absl::StrAppend(&text, i == 0 ? "{" : ", {");
    for (int j = 0; j < columns; ++j)
      absl::StrAppend(&text, j == 0 ? "" : ", ", (i * 7 + j * 3 + seed) % 11 - 5);
    absl::StrAppend(&text, "}");
  }
  return absl::StrCat(text, "}");
}

std::string Vector(int size, int seed) {
  std::string text = "{";
  for (int i = 0; i < size; ++i) absl::StrAppend(&text, i == 0 ? "" : ", ", (i * 5 + seed) % 9 - 4);
  return absl::StrCat(text, "}");
}

// Queries, keys and values of one array, with biases, and two products of them. The values' weights
// are transposed.
std::string Program() {
  return absl::StrCat(R"(HloModule m
ENTRY e {
  x = f32[6,8] parameter(0)
  wq = f32[8,24] constant()",
                      Matrix(8, 24, 1), R"()
  wk = f32[8,8] constant()",
                      Matrix(8, 8, 2), R"()
  wv = f32[8,8] constant()",
                      Matrix(8, 8, 3), R"()
  bq = f32[24] constant()",
                      Vector(24, 1), R"()
  bk = f32[8] constant()",
                      Vector(8, 2), R"()
  bv = f32[8] constant()",
                      Vector(8, 3), R"()
  q = f32[6,24] dot(x, wq), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  k = f32[6,8] dot(x, wk), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  v = f32[6,8] dot(x, wv), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  cq = f32[6,24] broadcast(bq), dimensions={1}
  ck = f32[6,8] broadcast(bk), dimensions={1}
  cv = f32[6,8] broadcast(bv), dimensions={1}
  aq = f32[6,24] add(q, cq)
  ak = f32[6,8] add(ck, k)
  av = f32[6,8] add(v, cv)
  hq = f32[18,8] reshape(aq)
  s = f32[18,6] dot(hq, ak), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ROOT r = f32[18,8] dot(s, av), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})");
}

PlanOptions CudaOptions() {
  PlanOptions options = VulkanOptions();
  options.device.kind = runtime::DeviceKind::kCuda;
  options.device.cuda_capability = 90;
  options.target = "cuda";
  return options;
}

// Returns how many kernels have a product in them.
int Products(const std::string& text, const PlanOptions& options) {
  const auto module = Parse(text);
  if (module == nullptr) return -1;
  int count = 0;
  for (const ProgramSpec::Kernel& kernel : PlanOf(*module, options).kernels)
    count += absl::StrContains(kernel.request, " dot(");
  ExpectPlanComputesTheSame(*module, options);
  return count;
}

TEST(MergeProducts, OfOneArrayByConstants) {
  const std::string text = Program();
  EXPECT_EQ(Products(text, CudaOptions()), 3) << text;  // all three, and two more
  // Weights [n, k] are joined along n, and not with others.
  std::vector<std::pair<std::string, std::string>> edits = {
      {"rhs_contracting_dims={0}\n  k", "rhs_contracting_dims={1}\n  k"},
      {"wq = f32[8,24]", "wq = f32[24,8]"},
      {Matrix(8, 24, 1), Matrix(24, 8, 1)}};
  EXPECT_EQ(Products(absl::StrReplaceAll(text, edits), CudaOptions()), 4);
  edits.push_back({"rhs_contracting_dims={0}\n  v", "rhs_contracting_dims={1}\n  v"});
  edits.push_back({"rhs_contracting_dims={0}\n  cq", "rhs_contracting_dims={1}\n  cq"});
  EXPECT_EQ(Products(absl::StrReplaceAll(text, edits), CudaOptions()), 3);
}

// Each column of weights has special values that the other columns, and so the other products, must
// not see.
TEST(MergeProducts, SpecialValuesStayInTheirColumns) {
  std::string weights = Matrix(8, 8, 3);
  weights.replace(0, weights.find('}'), "{{nan, inf, -inf, -0, 1e-40, 3e38, 0, 1");
  const std::vector<std::pair<std::string, std::string>> edits = {
      {Matrix(8, 8, 3), weights}, {Vector(8, 3), "{-0, 1, -inf, 1e-40, -0, 3e38, nan, 0}"}};
  EXPECT_EQ(Products(absl::StrReplaceAll(Program(), edits), CudaOptions()), 3);
}

TEST(MergeProducts, OthersStayApart) {
  const std::string text = Program();
  PlanOptions without = CudaOptions();
  without.without.Add(Rewrite::kMergedProducts);
  EXPECT_EQ(Products(text, without), 5);
  // The weights are an argument, or something else reads the results.
  EXPECT_EQ(
      Products(absl::StrReplaceAll(text, {{"wq = f32[8,24] constant(" + Matrix(8, 24, 1) + ")",
                                           "wq = f32[8,24] parameter(1)"}}),
               CudaOptions()),
      4);
  EXPECT_EQ(
      Products(absl::StrReplaceAll(text, {{"reshape(aq)", "reshape(eq)"},
                                          {"  hq =", "  eq = f32[6,24] exponential(aq)\n  hq ="}}),
               CudaOptions()),
      4);
  // Another array.
  EXPECT_EQ(
      Products(absl::StrReplaceAll(text, {{"q = f32[6,24] dot(x,",
                                           "y = f32[6,8] parameter(1)\n  q = f32[6,24] dot(y,"}}),
               CudaOptions()),
      4);
}

}  // namespace
}  // namespace halyard::lowering
