// Tests kernels that update their results step after step, against the evaluator.

#include <gtest/gtest.h>

#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

struct Case {
  const char* name;
  const char* hlo;
  std::vector<std::pair<int32_t, int32_t>> aliases = {{0, 0}};
};

class SequenceKernel : public ::testing::TestWithParam<Case> {};

const Case kWindowWrites[] = {
    {"Complex",
     "HloModule m\nENTRY e { a = c64[6,9] parameter(0) u = c64[3,4] parameter(1) i = s32[] "
     "parameter(2) j = s32[] parameter(3) ROOT r = c64[6,9] dynamic-update-slice(a, u, i, j) }"},
    {"ComplexDouble",
     "HloModule m\nENTRY e { a = c128[40] parameter(0) u = c128[17] parameter(1) i = s32[] "
     "parameter(2) ROOT r = c128[40] dynamic-update-slice(a, u, i) }"},
    {"ComplexScalar",
     "HloModule m\nENTRY e { a = c64[] parameter(0) u = c64[] parameter(1) ROOT r = c64[] "
     "dynamic-update-slice(a, u) }"},
    {"Scalar",
     "HloModule m\nENTRY e { a = bf16[] parameter(0) u = bf16[] parameter(1) ROOT r = bf16[] "
     "dynamic-update-slice(a, u) }"},
    {"ManyRows",
     "HloModule m\nENTRY e { a = f16[300,257] parameter(0) u = f16[290,200] parameter(1) i = u8[] "
     "parameter(2) j = u8[] parameter(3) k = f16[290,200] add(u, u) ROOT r = f16[300,257] "
     "dynamic-update-slice(a, k, i, j) }"},
};

#define ADD(t) \
  "add { x = " t "[] parameter(0) y = " t "[] parameter(1) ROOT z = " t "[] add(x, y) }\n"
// This body is neither associative nor commutative.
#define MIX(t)                                                                             \
  "mix { x = " t "[] parameter(0) y = " t "[] parameter(1) k = " t "[] constant(3) m = " t \
  "[] multiply(x, k) ROOT z = " t "[] subtract(m, y) }\n"

const Case kScatters[] = {
    {"OfScalars",
     "HloModule m\n" MIX(
         "f32") "ENTRY e { a = f32[11] parameter(0) i = s32[40,1] parameter(1) u = "
                "f32[40] parameter(2) ROOT r = f32[11] scatter(a, i, u), update_window_dims={}, "
                "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                "to_apply=mix }"},
    // One index vector, whose first element does not matter.
    {"OfOneListedPlace",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[1,8] parameter(0) i = u32[1,2] constant({{0,1}}) u = f32[1,8] "
                "parameter(1) ROOT r = f32[1,8] scatter(a, i, u), update_window_dims={1}, "
                "inserted_window_dims={0}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, "
                "to_apply=add }"},
    // The host knows each of the index vectors, which follow one another.
    {"OfListedWindows",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[3,7,1] parameter(0) i = s32[3,2] "
                "constant({{0,0},{0,5},{0,6}}) u = f32[3,3] parameter(1) ROOT r = f32[3,7,1] "
                "scatter(a, i, u), update_window_dims={1}, inserted_window_dims={1,2}, "
                "scatter_dims_to_operand_dims={2,1}, index_vector_dim=1, to_apply=add }"},
    // Windows of neighbouring places overlap. The last update of an element is that of the last
    // index vector.
    {"OfWindowsThatOverlap",
     "HloModule m\nlast { x = f32[] parameter(0) ROOT y = f32[] parameter(1) }\nENTRY e { a = "
     "f32[9,2] parameter(0) i = s32[6,1] parameter(1) u = f32[3,6,2] parameter(2) ROOT r = "
     "f32[9,2] scatter(a, i, u), update_window_dims={0,2}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=last }"},
    // Counts, because the updates are the same at every step.
    {"OfConstants",
     "HloModule m\n" ADD(
         "s32") "ENTRY e { a = s32[6] parameter(0) i = s32[15,1] parameter(1) o = s32[] "
                "constant(1) u = s32[15] broadcast(o), dimensions={} ROOT r = s32[6] scatter(a, i, "
                "u), update_window_dims={}, "
                "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                "to_apply=add }"},
    // The compiler knows all indices, which are one. Places and conditions become constants.
    {"OfOneColumn",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[2,3] parameter(0) c = s32[] constant(2) i = s32[1,3,1] "
                "broadcast(c), dimensions={} u = f32[2,1,3] parameter(1) ROOT r = f32[2,3] "
                "scatter(a, i, u), "
                "update_window_dims={0}, inserted_window_dims={1}, "
                "scatter_dims_to_operand_dims={1}, "
                "index_vector_dim=2, to_apply=add }"},
    {"OfOneColumnBy64Bits",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[2,3] parameter(0) c = s64[] constant(2) i = s64[1,3,1] "
                "broadcast(c), dimensions={} u = f32[2,1,3] parameter(1) ROOT r = f32[2,3] "
                "scatter(a, i, u), "
                "update_window_dims={0}, inserted_window_dims={1}, "
                "scatter_dims_to_operand_dims={1}, "
                "index_vector_dim=2, to_apply=add }"},
    {"OfOneWindowBy64Bits",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[2,4] parameter(0) c = s64[] constant(1) i = s64[1,3] "
                "broadcast(c), dimensions={} u = f32[2,3,2] parameter(1) ROOT r = f32[2,4] "
                "scatter(a, i, u), "
                "update_window_dims={0,2}, inserted_window_dims={}, "
                "scatter_dims_to_operand_dims={1}, "
                "index_vector_dim=0, to_apply=add }"},
    {"OfPlacesBeyond32Bits",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[5] parameter(0) i = s64[4,1] "
                "constant({{4294967297},{1},{-4294967294},{9223372036854775807}}) u = f32[4] "
                "parameter(1) "
                "ROOT r = f32[5] scatter(a, i, u), update_window_dims={}, "
                "inserted_window_dims={0}, "
                "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add }"},
    {"OfUnsignedPlacesBeyond32Bits",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[5] parameter(0) i = u64[3,1] "
                "constant({{4294967297},{2},{18446744073709551615}}) u = f32[3] parameter(1) "
                "ROOT r = f32[5] scatter(a, i, u), update_window_dims={}, "
                "inserted_window_dims={0}, "
                "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add }"},
    {"OfOneColumnOfBytes",
     "HloModule m\n" MIX(
         "s8") "ENTRY e { a = s8[2,3] parameter(0) c = u8[] constant(2) i = u8[1,3,1] "
               "broadcast(c), dimensions={} u = s8[2,1,3] parameter(1) ROOT r = s8[2,3] scatter(a, "
               "i, u), "
               "update_window_dims={0}, inserted_window_dims={1}, "
               "scatter_dims_to_operand_dims={1}, "
               "index_vector_dim=2, to_apply=mix }"},
    {"OfOnePlace",
     "HloModule m\n" ADD(
         "c64") "ENTRY e { a = c64[300] parameter(0) c = s64[] constant(201) i = s64[5,1] "
                "broadcast(c), dimensions={} u = c64[5] parameter(1) ROOT r = c64[300] scatter(a, "
                "i, u), "
                "update_window_dims={}, inserted_window_dims={0}, "
                "scatter_dims_to_operand_dims={0}, "
                "index_vector_dim=1, to_apply=add }"},
    {"OfOneWindow",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[4,9] parameter(0) c = s32[] constant(3) i = s32[6,1] "
                "broadcast(c), dimensions={} u = f32[6,4,2] parameter(1) ROOT r = f32[4,9] "
                "scatter(a, i, u), "
                "update_window_dims={1,2}, inserted_window_dims={}, "
                "scatter_dims_to_operand_dims={1}, "
                "index_vector_dim=1, to_apply=add }"},
    {"OfOnePlaceOutside",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[2,3] parameter(0) c = s32[] constant(3) i = s32[4,1] "
                "broadcast(c), dimensions={} u = f32[4,2] parameter(1) ROOT r = f32[2,3] "
                "scatter(a, i, u), "
                "update_window_dims={1}, inserted_window_dims={1}, "
                "scatter_dims_to_operand_dims={1}, "
                "index_vector_dim=1, to_apply=add }"},
    {"OfListedPlaces",
     "HloModule m\n" ADD("f32") "ENTRY e { a = f32[2,3] parameter(0) i = s32[1,3,1] "
                                "constant({{{2},{1},{2}}}) u = f32[2,1,3] "
                                "parameter(1) ROOT r = f32[2,3] scatter(a, i, u), "
                                "update_window_dims={0}, inserted_window_dims={1}, "
                                "scatter_dims_to_operand_dims={1}, "
                                "index_vector_dim=2, to_apply=add }"},
    {"OfRows",
     "HloModule m\n" MIX("f32") "ENTRY e { a = f32[9,37] parameter(0) i = s64[25] parameter(1) u = "
                                "f32[25,37] parameter(2) v = f32[25,37] negate(u) ROOT r = "
                                "f32[9,37] scatter(a, i, v), "
                                "update_window_dims={1}, inserted_window_dims={0}, "
                                "scatter_dims_to_operand_dims={0}, "
                                "index_vector_dim=1, to_apply=mix }"},
    {"OfColumns",
     "HloModule m\n" ADD(
         "bf16") "ENTRY e { a = bf16[37,9] parameter(0) i = u8[25] parameter(1) u = "
                 "bf16[37,25] parameter(2) ROOT r = bf16[37,9] scatter(a, i, u), "
                 "update_window_dims={0}, "
                 "inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1, "
                 "to_apply=add }"},
    // Windows cross the edge, so their elements are tested one by one.
    {"OfWindows",
     "HloModule m\n" ADD(
         "s8") "ENTRY e { a = s8[8,13,5] parameter(0) i = s8[2,6] parameter(1) u = "
               "s8[3,6,4,5] parameter(2) ROOT r = s8[8,13,5] scatter(a, i, u), "
               "update_window_dims={0,2,3}, "
               "inserted_window_dims={}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=0, "
               "to_apply=add }"},
    {"Batched",
     "HloModule m\n" ADD(
         "f32") "ENTRY e { a = f32[2,3,4,2] parameter(0) i = s16[2,2,3,2] "
                "parameter(1) u = f32[2,2,3,2,2] parameter(2) ROOT r = f32[2,3,4,2] scatter(a, i, "
                "u), "
                "update_window_dims={3,4}, inserted_window_dims={1}, input_batching_dims={0}, "
                "scatter_indices_batching_dims={1}, scatter_dims_to_operand_dims={2,1}, "
                "index_vector_dim=3, "
                "to_apply=add }"},
    {"OfComplexes",
     "HloModule m\nf { x = c64[] parameter(0) y = c64[] parameter(1) ROOT z = c64[] subtract(y, x) "
     "}\nENTRY e { a = c64[7,3] parameter(0) i = s32[20] parameter(1) u = c64[20,3] parameter(2) "
     "ROOT r = c64[7,3] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f }"},
    {"OfComplexScalars",
     "HloModule m\nf { x = c128[] parameter(0) y = c128[] parameter(1) ROOT z = c128[] "
     "subtract(y, x) }\nENTRY e { a = c128[7] parameter(0) i = s32[20] parameter(1) u = c128[20] "
     "parameter(2) ROOT r = c128[7] scatter(a, i, u), update_window_dims={}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=f }"},
    {"OfSeveralArrays",
     "HloModule m\nf { x = f32[] parameter(0) i = s32[] parameter(1) y = f32[] parameter(2) j = "
     "s32[] parameter(3) c = pred[] compare(x, y), direction=GT m = f32[] select(c, x, y) n = "
     "s32[] "
     "select(c, i, j) ROOT t = (f32[], s32[]) tuple(m, n) }\nENTRY e { a = f32[6,5] parameter(0) "
     "b = s32[6,5] parameter(1) i = s32[30,2] parameter(2) u = f32[30] parameter(3) v = s32[30] "
     "parameter(4) ROOT r = (f32[6,5], s32[6,5]) scatter(a, b, i, u, v), update_window_dims={}, "
     "inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, "
     "to_apply=f }",
     {{0, 0}, {1, 1}}},
    {"IntoAScalar",
     "HloModule m\n" MIX(
         "f64") "ENTRY e { a = f64[] parameter(0) i = s32[5,0] parameter(1) u = "
                "f64[5] parameter(2) ROOT r = f64[] scatter(a, i, u), update_window_dims={}, "
                "inserted_window_dims={}, scatter_dims_to_operand_dims={}, index_vector_dim=1, "
                "to_apply=mix "
                "}"},
    {"SmallFloats",
     "HloModule m\n" ADD("f8e4m3fn") "ENTRY e { a = f8e4m3fn[20] parameter(0) i = u32[30] "
                                     "parameter(1) u = f8e4m3fn[30] parameter(2) ROOT r = "
                                     "f8e4m3fn[20] scatter(a, i, u), "
                                     "update_window_dims={}, inserted_window_dims={0}, "
                                     "scatter_dims_to_operand_dims={0}, "
                                     "index_vector_dim=1, to_apply=add }"},
    {"FourBits",
     "HloModule m\n" ADD(
         "s4") "ENTRY e { a = s4[20] parameter(0) i = u64[30] parameter(1) u = "
               "s4[30] parameter(2) ROOT r = s4[20] scatter(a, i, u), update_window_dims={}, "
               "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
               "to_apply=add }"},
    // Windows that cover a part of a dimension along which no index moves them.
    {"OfPartialWindows",
     "HloModule m\n" MIX("f32") "ENTRY e { a = f32[6,7] parameter(0) i = s32[9,1] parameter(1) u = "
                                "f32[9,2,3] parameter(2) ROOT r = f32[6,7] scatter(a, i, u), "
                                "update_window_dims={1,2}, inserted_window_dims={}, "
                                "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                                "to_apply=mix }"},
    {"ManySteps",
     "HloModule m\n" ADD("f32") "ENTRY e { a = f32[5] parameter(0) i = s32[16500] parameter(1) u = "
                                "f32[16500] parameter(2) ROOT r = f32[5] scatter(a, i, u), "
                                "update_window_dims={}, inserted_window_dims={0}, "
                                "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                                "to_apply=add }"},
};

// There are more steps than a thread of Mesa's software device executes in one launch.
TEST(LongFolds, AreWhole) {
  const char* folds[] = {
      "HloModule m\nf { x = f32[] parameter(0) y = f32[] parameter(1) k = f32[] constant(0.5) z = "
      "f32[] multiply(x, k) ROOT w = f32[] add(z, y) }\nENTRY e { a = f32[70000,3] parameter(0) z "
      "= f32[] parameter(1) ROOT r = f32[3] reduce(a, z), dimensions={0}, to_apply=f }",
      "HloModule m\nf { x = s32[] parameter(0) y = s32[] parameter(1) k = s32[] constant(3) z = "
      "s32[] multiply(x, k) ROOT w = s32[] add(z, y) }\nENTRY e { a = s32[300,240] parameter(0) z "
      "= s32[] parameter(1) ROOT r = s32[] reduce(a, z), dimensions={0,1}, to_apply=f }",
      "HloModule m\nENTRY e { a = s32[3,70000] parameter(0) b = s32[70000,2] parameter(1) ROOT r = "
      "s32[3,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
  };
  for (const char* device : {"x86", "vulkan"}) {
    if (DeviceNamed(device) == nullptr) continue;
    for (const char* fold : folds) EXPECT_EQ(CheckKernel(fold, device, 0), "") << device << fold;
  }
}

TEST_P(SequenceKernel, AgreesWithTheEvaluator) {
  for (const char* device : {"x86", "x86:v2", "vulkan"}) {
    if (DeviceNamed(device) == nullptr) continue;
    EXPECT_EQ(CheckKernel(GetParam().hlo, device, 0, "", GetParam().aliases), "") << device;
  }
}

// Both ways of GPUs: one step after the other, and each place looking for its own updates. The
// made-up indices repeat, and are out of bounds on either side.
class GpuScatter : public ::testing::TestWithParam<Case> {
 protected:
  static void Check(const char* device) {
    if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
    // There is no choice of blocks if a thread's steps are cut into launches.
    const bool cut =
        InfoNamed(device).software && absl::string_view(GetParam().name) == "ManySteps";
    for (const char* schedule :
         {"sequence places=0 blocks=1", cut ? "sequence" : "sequence places=0 blocks=8 threads=4",
          "sequence places=1 threads=32"}) {
      EXPECT_EQ(CheckKernel(GetParam().hlo, device, 0, schedule, GetParam().aliases), "")
          << schedule;
    }
  }
};

TEST_P(GpuScatter, AgreesOnVulkan) { Check("vulkan"); }
TEST_P(GpuScatter, AgreesOnCuda) { Check("cuda"); }

// Sorted index vectors, as a sort of a large scatter's places leaves them
// (lowering/plan/expand/group_scatter.cc): each place finds its own by halving.
#define SORTED                                                                       \
  "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, " \
  "indices_are_sorted=true, to_apply="
const Case kSortedScatters[] = {
    {"Scalars",
     "HloModule m\n" MIX(
         "f32") "ENTRY e { a = f32[37] parameter(0) i = s32[200,1] "
                "parameter(1) u = f32[200] parameter(2) ROOT r = f32[37] scatter(a, i, u), "
                "update_window_dims={}, " SORTED "mix }"},
    {"OneVector",
     "HloModule m\n" ADD(
         "s32") "ENTRY e { a = s32[7] parameter(0) i = s64[1,1] "
                "parameter(1) u = s32[1] parameter(2) ROOT r = s32[7] scatter(a, i, u), "
                "update_window_dims={}, " SORTED "add }"},
    {"Rows",
     "HloModule m\n" ADD(
         "bf16") "ENTRY e { a = bf16[19,6] parameter(0) i = u32[64,1] "
                 "parameter(1) u = bf16[64,6] parameter(2) ROOT r = bf16[19,6] scatter(a, i, u), "
                 "update_window_dims={1}, " SORTED "add }"},
    {"GatheredRows",
     "HloModule m\n" ADD(
         "f16") "ENTRY e { a = f16[19,6] parameter(0) i = "
                "s32[65,1] parameter(1) w = f16[65,6] parameter(2) p = s32[65,1] parameter(3) "
                "u = f16[65,6] gather(w, p), offset_dims={1}, collapsed_slice_dims={0}, "
                "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6} ROOT r = "
                "f16[19,6] scatter(a, i, u), update_window_dims={1}, " SORTED "add }"},
};

// Vectors of two numbers, of which the second one says what is left out, in two dimensions, as sums
// of runs leave them (lowering/plan/expand/run_sums.h): (p, -1) for five of each p, then (p, 0).
#define PAIRS(chunks, length)                                                            \
  "h = s32[" chunks "," length ",1] iota(), iota_dimension=0 l = s32[" chunks "," length \
  ",1] iota(), iota_dimension=1 z = s32[] constant(5) y = s32[" chunks "," length        \
  ",1] broadcast(z), dimensions={} s = pred[" chunks "," length                          \
  ",1] compare(l, y), direction=LT m = s32[] constant(-1) n = s32[" chunks "," length    \
  ",1] broadcast(m), dimensions={} o = s32[] constant(0) w = s32[" chunks "," length     \
  ",1] broadcast(o), dimensions={} k = s32[" chunks "," length                           \
  ",1] select(s, n, w) i = s32[" chunks "," length ",2] concatenate(h, k), dimensions={2} "
#define SORTED_PAIRS                                                                     \
  "inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=2, " \
  "indices_are_sorted=true, to_apply="
const Case kSortedPairs[] = {
    {"Scalars",
     "HloModule m\n" MIX("f32") "ENTRY e { a = f32[7,1] parameter(0) u = f32[9,8] "
                                "parameter(1) " PAIRS(
                                    "9", "8") "ROOT r = f32[7,1] scatter(a, i, u), "
                                              "update_window_dims={}, " SORTED_PAIRS "mix }"},
    {"Rows",
     "HloModule m\n" MIX("s16") "ENTRY e { a = s16[12,1,5] parameter(0) u = s16[10,16,5] "
                                "parameter(1) " PAIRS(
                                    "10", "16") "ROOT r = s16[12,1,5] scatter(a, i, u), "
                                                "update_window_dims={2}, " SORTED_PAIRS "mix }"},
};

class SortedScatter : public ::testing::TestWithParam<Case> {};

TEST_P(SortedScatter, AgreesOnCuda) {
  if (DeviceNamed("cuda") == nullptr) GTEST_SKIP() << "no CUDA here";
  for (const char* schedule : {"sequence places=2 threads=32", "sequence places=1 threads=32"}) {
    EXPECT_EQ(CheckKernel(GetParam().hlo, "cuda", 0, schedule, GetParam().aliases), "") << schedule;
  }
}

// Each batch has index vectors of its own, so a place of the first dimension has no range.
TEST(SortedScatter, OfBatches) {
  if (DeviceNamed("cuda") == nullptr) GTEST_SKIP() << "no CUDA here";
  for (const char* schedule : {"", "sequence places=2 threads=32"}) {
    const std::string wrong = CheckKernel(
        "HloModule m\n" ADD("s32") "ENTRY e { a = s32[4000,2] parameter(0) i = s32[2,300,1] iota(), "
        "iota_dimension=1 u = s32[2,300] parameter(1) ROOT r = s32[4000,2] scatter(a, i, u), "
        "update_window_dims={}, inserted_window_dims={0}, input_batching_dims={1}, "
        "scatter_indices_batching_dims={0}, scatter_dims_to_operand_dims={0}, "
        "index_vector_dim=2, indices_are_sorted=true, to_apply=add }",
        "cuda", 0, schedule, {{0, 0}});
    EXPECT_EQ(wrong.empty(), *schedule == 0) << wrong;
  }
}

std::string NameOf(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(WindowWrites, SequenceKernel, ::testing::ValuesIn(kWindowWrites), NameOf);
INSTANTIATE_TEST_SUITE_P(Scatters, SequenceKernel, ::testing::ValuesIn(kScatters), NameOf);

INSTANTIATE_TEST_SUITE_P(All, SortedScatter, ::testing::ValuesIn(kSortedScatters), NameOf);
INSTANTIATE_TEST_SUITE_P(Pairs, SortedScatter, ::testing::ValuesIn(kSortedPairs), NameOf);
INSTANTIATE_TEST_SUITE_P(SortedPairs, GpuScatter, ::testing::ValuesIn(kSortedPairs), NameOf);
INSTANTIATE_TEST_SUITE_P(All, GpuScatter, ::testing::ValuesIn(kScatters), NameOf);

// One thread serves each output if there are few, and a block of outputs if there are more than the
// device can search.
TEST(Scatter, ChoosesBySizes) {
  runtime::DeviceInfo device;
  device.kind = runtime::DeviceKind::kCuda;
  device.cuda_capability = 80;
  device.compute_units = 100;
  device.unit_threads = 2048;
  device.subgroup_size = 32;
  device.max_threads_per_group = device.max_group[0] = 1024;
  device.max_grid[0] = INT32_MAX;
  device.max_grid[1] = device.max_grid[2] = 65535;
  device.max_storage_buffers = 64;
  device.max_storage_range_bytes = device.max_allocation_bytes = uint64_t{1} << 36;
  auto schedule = [&](const std::string& n) {
    const auto kernel = CompileHlo(
        "HloModule m\n" ADD("f32") "ENTRY e { a = f32[" + n +
            "] parameter(0) i = s32[1000] "
            "parameter(1) u = f32[1000] parameter(2) ROOT r = f32[" +
            n +
            "] scatter(a, i, u), "
            "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
            "index_vector_dim=1, to_apply=add }",
        device, "", {{0, 0}});
    return kernel.ok() ? kernel->schedule : kernel.status().ToString();
  };
  EXPECT_EQ(schedule("100000"), "sequence threads=64 places=1 blocks=1");
  EXPECT_EQ(schedule("100000000"), "sequence threads=64 places=0 blocks=4096");
}

}  // namespace
}  // namespace halyard::testing
