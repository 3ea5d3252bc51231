// Tests indices of gather and scatter that are expressions of every kind whose bounds Halide's
// simplifier may know (lowering/kernels/marks.h), for every type of index. The kernels must
// compile, and agree with the evaluator.
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "tests/sample.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

// Computes `x`, of type T, from the indices `i`, before the op. `ten` is 10 in that type.
struct Expression {
  const char* name;
  const char* hlo;
};
constexpr Expression kExpressions[] = {
    {"Minimum", "x = T minimum(i, ten)"},
    {"And", "x = T and(i, ten)"},
    {"Population", "x = T popcnt(i)"},
    {"LeadingZeros", "x = T count-leading-zeros(i)"},
    {"Remainder", "x = T remainder(i, ten)"},
    {"Shifted", "x = T shift-right-logical(i, ten)"},
    {"Reversed", "m = T minimum(i, ten) x = T subtract(ten, m)"},
    {"Flag", "p = pred[4] compare(i, ten), direction=LT\nx = T convert(p)"},
    {"Chosen", "p = pred[4] compare(i, ten), direction=LT\nx = T select(p, ten, i)"},
    {"Clamped", "o = T xor(ten, ten) x = T clamp(o, i, ten)"},
    {"AlwaysTen", "x = T clamp(ten, i, ten)"},
    {"OfPlaces", "n = T iota(), iota_dimension=0\nx = T subtract(n, ten)"},
    {"CountedPlaces", "n = T iota(), iota_dimension=0\nx = T popcnt(n)"},
};

struct Op {
  const char* name;
  const char* hlo;
};
constexpr Op kOps[] = {
    {"Gather",
     "ROOT r = f32[4,4] gather(a, x), offset_dims={1}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}"},
    {"GatherWindows",
     "ROOT r = f32[4,3,4] gather(a, x), offset_dims={1,2}, collapsed_slice_dims={}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={3,4}"},
    {"Scatter",
     "ROOT r = f32[11,4] scatter(a, x, u), update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"},
};

std::string Program(const Op& op, const Expression& expression, const std::string& type) {
  const std::string hlo = absl::StrReplaceAll(expression.hlo, {{"T ", absl::StrCat(type, "[4] ")}});
  return absl::Substitute(
      "HloModule m\nadd { y = f32[] parameter(0) z = f32[] parameter(1) ROOT w = f32[] add(y, z) "
      "}\nENTRY e { a = f32[11,4] parameter(0) i = $0[4] parameter(1) $1 k = $0[] constant(10) "
      "ten = $0[4] broadcast(k), dimensions={} $2 $3 }",
      type, absl::string_view(op.name) == "Scatter" ? "u = f32[4,4] parameter(2)" : "", hlo,
      op.hlo);
}

constexpr const char* kTypes[] = {"s16", "s32", "s64", "u8", "u32", "u64"};

struct Case {
  Op op;
  const char* type;
  std::vector<Expression> expressions;
};

// Without $HALYARD_ALL_CASES (tests/sample.h), every expression has every type, and ops take turns.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (size_t op = 0; op < std::size(kOps); ++op) {
    for (size_t type = 0; type < std::size(kTypes); ++type) {
      Case& c = cases.emplace_back(Case{kOps[op], kTypes[type], {}});
      for (size_t e = 0; e < std::size(kExpressions); ++e) {
        if (AllCases() || (e + type) % std::size(kOps) == op)
          c.expressions.push_back(kExpressions[e]);
      }
    }
  }
  return cases;
}

class IndexBounds : public ::testing::TestWithParam<Case> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    const auto& [op, type, expressions] = GetParam();
    ASSERT_FALSE(expressions.empty());
    // A scatter writes over its first argument.
    std::vector<std::pair<int32_t, int32_t>> aliases;
    if (absl::string_view(op.name) == "Scatter") aliases = {{0, 0}};
    for (const Expression& expression : expressions)
      EXPECT_EQ(CheckKernel(Program(op, expression, type), device, 0, "", aliases), "")
          << expression.name;
  }
};

TEST_P(IndexBounds, AreFoundOnX86) { Check("x86"); }
TEST_P(IndexBounds, AreFoundOnVulkan) { Check("vulkan"); }
TEST_P(IndexBounds, AreFoundOnCuda) { Check("cuda"); }

INSTANTIATE_TEST_SUITE_P(All, IndexBounds, ::testing::ValuesIn(Cases()), [](const auto& info) {
  return absl::StrCat(info.param.op.name, "By", info.param.type);
});

// Each column has bounds of its own, the first always 0. Halide moves the conditions of constants
// out of the kernel, as booleans that SPIR-V cannot be given.
constexpr char kClampedColumns[] = R"(HloModule m
sub { y = s16[] parameter(0) z = s16[] parameter(1) ROOT w = s16[] subtract(y, z) }
ENTRY e {
  a = s16[5,5,3] parameter(0)
  i = s64[4,2] parameter(1)
  u = s16[4,5,3] parameter(2)
  low = s64[4,2] constant({{0,0},{0,0},{0,0},{0,0}})
  high = s64[4,2] constant({{0,4},{0,4},{0,4},{0,4}})
  x = s64[4,2] clamp(low, i, high)
  ROOT r = s16[5,5,3] scatter(a, x, u), update_window_dims={1,2}, inserted_window_dims={0}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=1, to_apply=sub
})";

TEST(IndexBoundsOfColumns, AreTheirOwn) {
  for (const char* device : {"x86", "vulkan", "cuda"}) {
    if (DeviceNamed(device) == nullptr) continue;
    EXPECT_EQ(CheckKernel(kClampedColumns, device, 0, "", {{0, 0}}), "") << device;
  }
}

}  // namespace
}  // namespace halyard::testing
