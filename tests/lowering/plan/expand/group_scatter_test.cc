// Large scatters, whose updates a sort brings together by place: plans compute the same bit by bit,
// in the order that the evaluator has.

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

PlanOptions GpuOptions() {
  PlanOptions options = VulkanOptions();
  options.device.software = false;
  return options;
}

// Sums whose order shows in their last bits, or, of integers, in all.
std::string Program(const std::string& type, const std::string& entry) {
  return absl::StrReplaceAll(absl::StrCat(R"(HloModule m
mix {
  x = TYPE[] parameter(0)
  y = TYPE[] parameter(1)
  h = TYPE[] add(x, x)
  ROOT z = TYPE[] subtract(y, h)
}
)",
                                          entry),
                             {{"TYPE", type}});
}

// Returns whether the plan sorts. Checks that it computes the same.
bool Groups(const std::string& text, const PlanOptions& options = GpuOptions()) {
  const auto module = Parse(text);
  if (module == nullptr) return false;
  ExpectPlanComputesTheSame(*module, options);
  const ProgramSpec spec = PlanOf(*module, options);
  bool sorts = false, sorted = false;
  for (const ProgramSpec::Kernel& kernel : spec.kernels) {
    sorts = sorts || absl::StrContains(kernel.request, "counting-pass");
    sorted = sorted || absl::StrContains(kernel.request, "indices_are_sorted=true");
  }
  EXPECT_EQ(sorts, sorted) << DescribePlan(spec);
  return sorts && sorted;
}

// Made-up indices are 1 … 11; some of these are out of bounds on either side.
std::string Scalars(const std::string& vectors, const std::string& index) {
  return absl::StrReplaceAll(R"(
ENTRY e {
  a = TYPE[7] parameter(0)
  p = INDEX[VECTORS,1] parameter(1)
  three = INDEX[] constant(3)
  t = INDEX[VECTORS,1] broadcast(three), dimensions={}
  i = INDEX[VECTORS,1] subtract(p, t)
  u = TYPE[VECTORS] parameter(2)
  ROOT r = TYPE[7] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=mix
}
)",
                             {{"VECTORS", vectors}, {"INDEX", index}});
}

TEST(GroupScatter, Scalars) {
  for (const char* type : {"f32", "bf16", "s32", "f64"}) {
    EXPECT_TRUE(Groups(Program(type, Scalars("8192", "s32")))) << type;
  }
  for (const char* index : {"s8", "u8", "u32", "s64", "u64"}) {
    EXPECT_TRUE(Groups(Program("f32", Scalars("8192", index)))) << index;
  }
}

TEST(GroupScatter, OnlyWhereItPays) {
  EXPECT_FALSE(Groups(Program("f32", Scalars("1000", "s32"))));
  PlanOptions software = GpuOptions();
  software.device.software = true;
  EXPECT_FALSE(Groups(Program("f32", Scalars("8192", "s32")), software));
  EXPECT_FALSE(Groups(Program("f32", Scalars("8192", "s32")), X86Options()));
}

// An index that its type cannot exceed: every value is a place.
TEST(GroupScatter, PlacesBeyondTheIndexType) {
  EXPECT_TRUE(Groups(Program("f32", R"(
ENTRY e {
  a = f32[300] parameter(0)
  i = s8[8192,1] parameter(1)
  u = f32[8192] parameter(2)
  ROOT r = f32[300] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=mix
}
)")));
}

TEST(GroupScatter, Rows) {
  for (const char* type : {"f32", "bf16"}) {
    EXPECT_TRUE(Groups(Program(type, R"(
ENTRY e {
  a = TYPE[9,3] parameter(0)
  i = s32[2,4100] parameter(1)
  u = TYPE[2,4100,3] parameter(2)
  ROOT r = TYPE[9,3] scatter(a, i, u), update_window_dims={2}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2, to_apply=mix
}
)"))) << type;
  }
}

// Two components in another order than the dimensions, a window of size 1, windows first.
TEST(GroupScatter, ComponentsAndWindows) {
  EXPECT_TRUE(Groups(Program("f32", R"(
ENTRY e {
  a = f32[5,8,2] parameter(0)
  i = s32[2,8200] parameter(1)
  u = f32[1,2,8200] parameter(2)
  ROOT r = f32[5,8,2] scatter(a, i, u), update_window_dims={0,1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=0, to_apply=mix
}
)")));
  // A window that covers a part of a dimension is left as it is.
  EXPECT_FALSE(Groups(Program("f32", R"(
ENTRY e {
  a = f32[9,4] parameter(0)
  i = s32[8192,1] parameter(1)
  u = f32[8192,3] parameter(2)
  ROOT r = f32[9,4] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=mix
}
)")));
}

TEST(GroupScatter, SeveralArrays) {
  EXPECT_TRUE(Groups(R"(HloModule m
both {
  x = f32[] parameter(0)
  y = s32[] parameter(1)
  u = f32[] parameter(2)
  v = s32[] parameter(3)
  h = f32[] add(x, x)
  s = f32[] subtract(u, h)
  t = s32[] add(y, v)
  ROOT z = (f32[], s32[]) tuple(s, t)
}
ENTRY e {
  a = f32[9] parameter(0)
  b = s32[9] parameter(1)
  i = s32[8192,1] parameter(2)
  u = f32[8192] parameter(3)
  v = s32[8192] parameter(4)
  ROOT r = (f32[9], s32[9]) scatter(a, b, i, u, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both
}
)"));
}

}  // namespace
}  // namespace halyard::lowering
