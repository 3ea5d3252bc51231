#include "autotuner/measure/oracle.h"

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "autotuner/rules/made_up_inputs.h"
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

TEST(MadeUpInputs, SpecialIndicesAreOutOfBoundsWhereThatHasAMeaning) {
  const auto module = Parse(R"(HloModule k

ENTRY e {
  table = f32[500,8] parameter(0)
  rows = s32[64,1] parameter(1)
  ROOT g = f32[64,8] gather(table, rows), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}
}
)");
  const std::vector<Literal> inputs = MadeUpInputs(*module, InputKind::kSpecial);
  EXPECT_LT(inputs[1].GetInt(0), 0);
  EXPECT_GT(inputs[1].GetInt(63), 500);
}

TEST(MadeUpInputs, SpecialOnesHoldEveryKind) {
  const auto module = Parse(
      "HloModule k\n\nENTRY e {\n  a = f32[1024] parameter(0)\n  b = s32[64] parameter(1)\n  c = "
      "f16[2] parameter(2)\n  ROOT n = f32[1024] negate(a)\n}\n");
  const std::vector<Literal> inputs = MadeUpInputs(*module, InputKind::kSpecial);
  int nans = 0, above = 0, below = 0, zeros = 0, denormals = 0, extremes = 0, ordinary = 0;
  for (int64_t i = 0; i < 1024; ++i) {
    const double value = inputs[0].GetFloat(i);
    nans += std::isnan(value);
    above += value == INFINITY;
    below += value == -INFINITY;
    zeros += value == 0 && std::signbit(value);
    denormals += value != 0 && std::abs(value) < 0x1p-126;
    extremes += std::isfinite(value) && std::abs(value) > 1e30;
    ordinary += std::abs(value) <= 2;
  }
  for (int count : {nans, above, below, zeros, denormals, extremes}) EXPECT_GT(count, 0);
  EXPECT_GT(ordinary, 900);
  std::set<int64_t> integers;
  for (int64_t i = 0; i < 64; ++i) integers.insert(inputs[1].GetInt(i));
  EXPECT_TRUE(integers.count(INT32_MIN) != 0 || integers.count(INT32_MAX) != 0);
  for (int64_t i = 0; i < 2; ++i) EXPECT_LE(std::abs(inputs[2].GetFloat(i)), 2) << "too small";
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
  ASSERT_EQ(first->cases.size(), 3u);
  for (const TrialCase& one : first->cases) {
    ASSERT_EQ(one.expected.size(), 1u);
    EXPECT_EQ(one.expected[0].size(), 4u * 12 * 12);
  }
  std::filesystem::path kept;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) kept = entry.path();
  ASSERT_FALSE(kept.empty());
  auto expect_the_same = [&] {
    const absl::StatusOr<TrialData> again = MakeTrialData(request, folder, 0);
    ASSERT_TRUE(again.ok()) << again.status();
    for (size_t c = 0; c < 3; ++c) EXPECT_EQ(again->cases[c].expected, first->cases[c].expected);
  };
  expect_the_same();
  std::filesystem::resize_file(kept, 100);
  expect_the_same();
  std::filesystem::remove_all(folder);
}

TEST(MakeTrialData, LargeKernelsAreEvaluatedInPart) {
  lowering::KernelRequest request;
  request.hlo = R"(HloModule k

ENTRY e {
  a = f32[192,64] parameter(0)
  b = f32[64,192] parameter(1)
  d = f32[192,192] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  e = f32[192,192] exponential(d)
  ROOT t = (f32[192,192], f32[192,192]) tuple(d, e)
}
)";
  const absl::StatusOr<TrialData> whole = MakeTrialData(request);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_FALSE(whole->IsSampled());
  const absl::StatusOr<TrialData> data = MakeTrialData(request, "", 1, /*most_work=*/10000);
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ(data->samples.size(), 2u);
  for (size_t o = 0; o < 2; ++o) {
    EXPECT_TRUE(data->IsSampled(o));
    EXPECT_EQ(data->OutputBytes(o), 4u * 192 * 192);
    // So many elements were evaluated, and no others.
    EXPECT_LT(data->samples[o].Elements(), 192 * 192 / 8);
    EXPECT_GT(data->samples[o].Elements(), 192 * 192 / 200);
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(data->cases[c].inputs, whole->cases[c].inputs);
      double difference = 0;
      EXPECT_EQ(CompareOutput(data->cases[c].expected[o],
                              SampleOf(whole->cases[c].expected[o], data->samples[o]),
                              whole->cases[c].rules[o], &difference),
                "");
    }
  }
}

}  // namespace
}  // namespace halyard::autotuner
