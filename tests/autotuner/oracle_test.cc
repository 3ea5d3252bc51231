#include "autotuner/oracle.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using hlo::Literal;

std::unique_ptr<hlo::Module> Parse(const std::string& text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = hlo_text::ParseModule(text, "kernel.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST(MadeUpInputs, IndicesOfAGatherAreWithinWhatTheyIndex) {
  const auto module = Parse(R"(HloModule k

ENTRY e {
  table = f32[500,8] parameter(0)
  rows = s32[64,1] parameter(1)
  ROOT g = f32[64,8] gather(table, rows), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}
}
)");
  const std::vector<Literal> inputs = MadeUpInputs(*module);
  std::set<int64_t> seen;
  for (int64_t i = 0; i < 64; ++i) {
    const int64_t row = inputs[1].GetInt(i);
    EXPECT_GE(row, 0);
    EXPECT_LT(row, 500);
    seen.insert(row);
  }
  EXPECT_GT(seen.size(), 32u);
  EXPECT_TRUE(MadeUpInputs(*module)[1].BitwiseEqual(inputs[1]));
}

TEST(MadeUpInputs, UniqueIndicesAreDistinct) {
  for (int rows : {80, 4000}) {
    const auto module = Parse(absl::StrCat(
        R"(HloModule k

set { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] copy(b) }

ENTRY e {
  table = f32[)",
        rows, R"(,4] parameter(0)
  at = s32[70,1] parameter(1)
  new = f32[70,4] parameter(2)
  ROOT s = f32[)",
        rows,
        R"(,4] scatter(table, at, new), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=set
}
)"));
    const std::vector<Literal> inputs = MadeUpInputs(*module);
    std::set<int64_t> seen;
    for (int64_t i = 0; i < 70; ++i) {
      EXPECT_LT(inputs[1].GetInt(i), rows);
      seen.insert(inputs[1].GetInt(i));
    }
    EXPECT_EQ(seen.size(), 70u);
  }
}

TEST(RulesOf, SumsOfMoreTermsMayDifferByMore) {
  auto dot = [](int k) {
    return RulesOf(*Parse(absl::StrCat("HloModule k\n\nENTRY e {\n  a = f32[4,", k,
                                       "] parameter(0)\n  b = f32[", k,
                                       ",4] parameter(1)\n  ROOT d = f32[4,4] dot(a, b), "
                                       "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n")));
  };
  EXPECT_EQ(dot(16)[0].kind, ElementKind::kF32);
  EXPECT_LT(dot(16)[0].tolerance, dot(4096)[0].tolerance);
  EXPECT_LT(dot(4096)[0].tolerance, 1e-4);  // a missing term is far above it
  const auto integers = RulesOf(*Parse(
      "HloModule k\n\nENTRY e {\n  a = s32[4] parameter(0)\n  ROOT d = s32[4] add(a, a)\n}\n"));
  EXPECT_EQ(integers[0].kind, ElementKind::kExact);
  EXPECT_EQ(integers[0].may_differ, 0);
}

TEST(MakeTrialData, SlowOraclesAreKeptAndDamageIsNoticed) {
  lowering::KernelRequest request;
  request.hlo = R"(HloModule k

ENTRY e {
  a = f32[12,12] parameter(0)
  b = f32[12,12] parameter(1)
  d = f32[12,12] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[12,12] exponential(d)
}
)";
  const std::string folder = absl::StrCat(::testing::TempDir(), "/oracle_", getpid());
  const absl::StatusOr<TrialData> first = MakeTrialData(request, folder, 0);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_EQ(first->expected.size(), 1u);
  EXPECT_EQ(first->expected[0].size(), 4u * 12 * 12);
  std::filesystem::path kept;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) kept = entry.path();
  ASSERT_FALSE(kept.empty());
  EXPECT_EQ(MakeTrialData(request, folder, 0)->expected, first->expected);
  std::filesystem::resize_file(kept, 100);
  EXPECT_EQ(MakeTrialData(request, folder, 0)->expected, first->expected);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace halyard::autotuner
