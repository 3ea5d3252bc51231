// Tests elementwise kernels, reductions, rows and scans with schedules other than the default, over
// odd sizes, against the evaluator; and the form of their CUDA code.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo/values/literal.h"
#include "frontend/hlo_text/parser.h"
#include "runtime/kernel_object.h"
#include "tests/sample.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard {
namespace {

using testing::AllCases;
using testing::CheckKernel;
using testing::DeviceNamed;

constexpr char kBodies[] = R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }
mul { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] multiply(a, b) }
argmax { a = f32[] parameter(0) ai = s32[] parameter(1) b = f32[] parameter(2) bi = s32[] parameter(3)
  gt = pred[] compare(a, b), direction=GT
  ne = pred[] compare(a, a), direction=NE
  o = pred[] or(gt, ne)
  eq = pred[] compare(a, b), direction=EQ
  lt = pred[] compare(ai, bi), direction=LT
  an = pred[] and(eq, lt)
  o2 = pred[] or(o, an)
  v = f32[] select(o, a, b)
  i = s32[] select(o2, ai, bi)
  ROOT t = (f32[], s32[]) tuple(v, i) }
)";

std::string Softmax(int64_t rows, int64_t n) {
  return absl::StrReplaceAll(absl::StrCat(kBodies, R"(ENTRY e { a = f32[@R,@N] parameter(0)
  n = f32[] constant(-inf)
  z = f32[] constant(0)
  m = f32[@R] reduce(a, n), dimensions={1}, to_apply=max
  mb = f32[@R,@N] broadcast(m), dimensions={0}
  d = f32[@R,@N] subtract(a, mb)
  x = f32[@R,@N] exponential(d)
  s = f32[@R] reduce(x, z), dimensions={1}, to_apply=sum
  sb = f32[@R,@N] broadcast(s), dimensions={0}
  ROOT r = f32[@R,@N] divide(x, sb) })"),
                             {{"@R", absl::StrCat(rows)}, {"@N", absl::StrCat(n)}});
}

// Returns a kernel that reads its parameter three times.
std::string Norm(const std::string& rows, const std::string& row, const std::string& dims) {
  return absl::StrReplaceAll(absl::StrCat(kBodies, R"(ENTRY e { a = f32[@R,@N] parameter(0)
  z = f32[] constant(0)
  m = f32[@R] reduce(a, z), dimensions={@D}, to_apply=sum
  mb = f32[@R,@N] broadcast(m), dimensions={0}
  d = f32[@R,@N] subtract(a, mb)
  q = f32[@R,@N] multiply(d, d)
  s = f32[@R] reduce(q, z), dimensions={@D}, to_apply=sum
  sb = f32[@R,@N] broadcast(s), dimensions={0}
  ROOT r = f32[@R,@N] divide(d, sb) })"),
                             {{"@R", rows}, {"@N", row}, {"@D", dims}});
}

std::string Reduce(const std::string& from, const std::string& to, const std::string& dims) {
  return absl::StrCat(kBodies, "ENTRY e { a = f32[", from, "] parameter(0) z = f32[] constant(0) ",
                      "s = f32[", to, "] reduce(a, z), dimensions={", dims,
                      "}, to_apply=sum ROOT r = f32[", to, "] negate(s) }");
}

std::string Scan(const std::string& dims, const std::string& window, const std::string& body,
                 const std::string& init) {
  return absl::StrCat(kBodies, "ENTRY e { a = f32[", dims, "] parameter(0) z = f32[] constant(",
                      init, ") w = f32[", dims, "] reduce-window(a, z), window={", window,
                      "}, to_apply=", body, " ROOT r = f32[", dims, "] negate(w) }");
}

runtime::DeviceInfo CudaInfo(int capability) {
  runtime::DeviceInfo info;
  info.kind = runtime::DeviceKind::kCuda;
  info.cuda_capability = capability;
  info.compute_units = 132;
  info.subgroup_size = 32;
  info.max_threads_per_group = 1024;
  info.max_group[0] = 1024;
  info.max_shared_bytes = 49152;
  info.max_grid[0] = INT32_MAX;
  info.max_grid[1] = 65535;
  return info;
}

// `ptxas`, if there is one, assembles the fences and the atomic by which the last group knows that
// it is the last.
// Neighbours in a vector that are words of one block compute it once.
TEST(Elementwise, WordsOfABlockOfRandomBitsShareIt) {
  const std::string hlo = R"(HloModule m
ENTRY e { k = u64[1] parameter(0)
  key = u64[] reshape(k)
  keys = u64[4096,4] broadcast(key), dimensions={}
  block = u32[4096,4] iota(), iota_dimension=0
  low = u64[4096,4] convert(block)
  word = u64[4096,4] iota(), iota_dimension=1
  one = u64[] constant(1)
  ones = u64[4096,4] broadcast(one), dimensions={}
  half = u64[4096,4] shift-right-logical(word, ones)
  made = u64[4096,4] philox-block(keys, low, keys, half)
  part = u64[4096,4] and(word, ones)
  bits = u64[] constant(32)
  width = u64[4096,4] broadcast(bits), dimensions={}
  shift = u64[4096,4] multiply(part, width)
  moved = u64[4096,4] shift-right-logical(made, shift)
  ROOT r = u32[4096,4] convert(moved) })";
  const auto reply = testing::CompileHlo(hlo, testing::InfoNamed("x86:v3"), "", {}, /*dump=*/true);
  ASSERT_TRUE(reply.ok()) << reply.status();
  const std::vector<absl::string_view> parts = absl::StrSplit(reply->dump.assembly, "\tvpmuludq");
  // The eight blocks of a vector are two registers of four, with two products in ten rounds each.
  EXPECT_GE(parts.size(), 2u);
  EXPECT_LE(parts.size() - 1, 2u * 20u) << reply->dump.assembly;
  EXPECT_EQ(CheckKernel(hlo, "x86:v3", 0), "");
}

TEST(ForCuda, LargeReductionsAreOneLaunch) {
  for (const int capability : {75, 80, 86, 90, 100}) {
    for (const std::string& hlo :
         {Reduce("8192,8192", "8192", "0"), Reduce("8192,8192", "", "0,1"),
          Reduce("4,1000000", "4", "1"), Reduce("300000,100", "100", "0")}) {
      const auto reply = testing::CompileHlo(hlo, CudaInfo(capability));
      ASSERT_TRUE(reply.ok()) << capability << reply.status();
      EXPECT_EQ(reply->warning, "");
      runtime::KernelObjectView view;
      ASSERT_TRUE(
          runtime::ParseKernelObject(
              {reinterpret_cast<const uint8_t*>(reply->object.data()), reply->object.size()}, &view)
              .ok());
      EXPECT_EQ(view.num_launches, 1u) << reply->schedule;
      EXPECT_GT(view.counter_bytes, 0u) << reply->schedule;
    }
  }
}

// In CUDA's code generator, LLVM aborts on vectors of bytes that are permuted.
TEST(ForCuda, PermutedBytesCompile) {
  const runtime::DeviceInfo info = CudaInfo(80);
  for (const char* body : {
           "ROOT r = s8[15,8] concatenate(b2, b4, c2), dimensions={1}",
           "ROOT r = s8[15,8] concatenate(b2, b6), dimensions={1}",
           "ROOT r = s8[15,8] reverse(b8), dimensions={1}",
           "ROOT r = s8[15,16] reverse(b16), dimensions={1}",
           "ROOT r = s8[15,4] slice(b16), slice={[0:15],[1:13:3]}",
           "ROOT r = s8[15,8] slice(b24), slice={[0:15],[0:24:3]}",
           "ROOT r = s8[15,8] pad(b4, z), padding=0_0x2_2",
           "ROOT r = s8[15,16] pad(b4, z), padding=0_0x2_7_1",
           "p = pred[15,4] compare(b4, c4), direction=LT f = pred[] constant(false) "
           "ROOT r = pred[15,16] pad(p, f), padding=0_0x2_7_1",
           "v = s8[15,8] reverse(b8), dimensions={1} ROOT r = bf16[15,8] convert(v)",
           "c = s8[15,8] concatenate(b2, b6), dimensions={1} ROOT r = f32[15,8] convert(c)",
       }) {
    const std::string text = absl::StrCat(
        "HloModule m\nENTRY e { b2 = s8[15,2] parameter(0) c2 = s8[15,2] parameter(1) ",
        "b4 = s8[15,4] parameter(2) c4 = s8[15,4] parameter(3) ",
        "b6 = s8[15,6] parameter(4) b8 = s8[15,8] parameter(5) ",
        "b16 = s8[15,16] parameter(6) b24 = s8[15,24] parameter(7) ", "z = s8[] parameter(8) ",
        body, " }");
    EXPECT_EQ(testing::CompileHlo(text, info).status(), absl::OkStatus()) << body;
  }
}

class OnVulkan : public ::testing::Test {
 protected:
  void SetUp() override {
    if (DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
  }
};

TEST_F(OnVulkan, Rows) {
  int number = 0;
  for (const char* schedule :
       {"row lanes=1 width=1 stage=0 threads=8", "row lanes=1 width=4 stage=1 threads=8",
        "row lanes=1 width=8 stage=0 threads=32", "row lanes=1 width=1 stage=1 threads=16",
        "row lanes=16 width=4 rows=1 stage=1", "row lanes=16 width=2 rows=4 stage=1",
        "row lanes=64 width=1 rows=2 stage=0", "row lanes=128 width=8 rows=1 stage=1",
        "row lanes=4 width=4 rows=16 stage=1"}) {
    EXPECT_EQ(CheckKernel(Softmax(37, 131), "vulkan", 1e-5, schedule), "") << schedule;
    // The others take turns without $HALYARD_ALL_CASES, each of them with lanes and without.
    const int turn = AllCases() ? -1 : number++ % 3;
    if (turn < 0 || turn == 0) {
      EXPECT_EQ(CheckKernel(Softmax(37, 131), "vulkan", 1e-5, schedule, {{0, 0}}), "") << schedule;
    }
    if (turn < 0 || turn == 1) {
      EXPECT_EQ(CheckKernel(Norm("19", "5,27", "1,2"), "vulkan", 1e-5, schedule), "") << schedule;
    }
    if (turn < 0 || turn == 2) {
      EXPECT_EQ(CheckKernel(Norm("19", "135", "1"), "vulkan", 1e-5, schedule), "") << schedule;
    }
  }
  EXPECT_EQ(CheckKernel(Softmax(3, 5000), "vulkan", 1e-5, "row lanes=256 width=4 stage=1"), "");
}

// Rows that a thread keeps in its own memory, longer rows, and rows narrower than the default's
// width.
TEST_F(OnVulkan, RowsOfOneThread) {
  for (int n : {2, 3, 5, 1024, 8192, 8200, 16384}) {
    EXPECT_EQ(CheckKernel(Softmax(64, n), "vulkan", 1e-5), "") << n;
    EXPECT_EQ(CheckKernel(Norm("64", absl::StrCat(n), "1"), "vulkan", 1e-4), "") << n;
  }
}

// On a software device, no exponential of a softmax is computed twice, and vectors consist of
// threads.
TEST_F(OnVulkan, RowsOfSoftwareDevices) {
  const runtime::DeviceInfo info = testing::InfoNamed("vulkan");
  if (!info.software) GTEST_SKIP() << "not a software device";
  const auto kernel = testing::CompileHlo(Softmax(1024, 1024), info);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->schedule, "row lanes=1 width=4 rows=1 stage=1 threads=32");
}

TEST_F(OnVulkan, RowReductions) {
  for (const char* schedule :
       {"reduction lanes=1 threads=32", "reduction lanes=32 width=4 rows=1 parts=1",
        "reduction lanes=16 width=1 rows=8 parts=1", "reduction lanes=64 width=2 rows=2 parts=4",
        "reduction lanes=1 width=4 rows=32 parts=2", "reduction lanes=32 width=8 rows=1 parts=1"}) {
    EXPECT_EQ(CheckKernel(Reduce("37,1001", "37", "1"), "vulkan", 1e-4, schedule), "") << schedule;
    EXPECT_EQ(CheckKernel(Reduce("5,7,9,11", "5,9", "1,3"), "vulkan", 1e-4, schedule), "")
        << schedule;
  }
}

TEST_F(OnVulkan, ColumnReductions) {
  for (const char* schedule :
       {"reduction lanes=1 threads=32", "reduction lanes=8 width=4 rows=32 parts=1",
        "reduction lanes=4 width=1 rows=16 parts=8", "reduction lanes=1 width=2 rows=64 parts=2",
        "reduction lanes=16 width=4 rows=1 parts=1"}) {
    EXPECT_EQ(CheckKernel(Reduce("501,77", "77", "0"), "vulkan", 1e-4, schedule), "") << schedule;
    EXPECT_EQ(CheckKernel(Reduce("3,101,33", "3,33", "1"), "vulkan", 1e-4, schedule), "")
        << schedule;
  }
}

// The default number of threads in a group is a power of two, however many columns share the group.
TEST_F(OnVulkan, ColumnReductionsByDefault) {
  for (int columns : {2, 3, 5, 6, 7, 11, 20, 33}) {
    EXPECT_EQ(CheckKernel(Reduce(absl::StrCat("256,", columns), absl::StrCat(columns), "0"),
                          "vulkan", 1e-5),
              "")
        << columns;
  }
}

TEST_F(OnVulkan, ReductionsOfAll) {
  for (const char* schedule :
       {"reduction lanes=1 width=1 parts=1", "reduction lanes=64 width=4 parts=1",
        "reduction lanes=32 width=4 parts=64", "reduction lanes=256 width=1 parts=8",
        "reduction lanes=1 width=1 parts=16"}) {
    EXPECT_EQ(CheckKernel(Reduce("10007", "", "0"), "vulkan", 1e-4, schedule), "") << schedule;
  }
}

// Pieces are joined in the order of the elements, so the first of equal elements wins.
TEST_F(OnVulkan, ArgMax) {
  const std::string text = absl::StrCat(kBodies, R"(ENTRY e {
  a = s32[9,777] parameter(0)
  f = f32[9,777] convert(a)
  i = s32[9,777] iota(), iota_dimension=1
  z = f32[] constant(-inf)
  zi = s32[] constant(0)
  ROOT r = (f32[9], s32[9]) reduce(f, i, z, zi), dimensions={1}, to_apply=argmax })");
  for (const char* schedule : {"reduction lanes=1", "reduction lanes=32 rows=1",
                               "reduction lanes=8 rows=4", "reduction lanes=512 rows=1"}) {
    EXPECT_EQ(CheckKernel(text, "vulkan", 0, schedule), "") << schedule;
  }
}

TEST_F(OnVulkan, Elementwise) {
  const std::string text =
      "HloModule m\nENTRY e { a = f32[7,1003] parameter(0) n = f32[7,1003] negate(a) c = "
      "pred[7,1003] compare(a, n), direction=LT ROOT r = (f32[7,1003], pred[7,1003]) tuple(n, c) }";
  for (const char* schedule : {"elementwise threads=32 items=1", "elementwise threads=64 items=4",
                               "elementwise threads=256 items=2"}) {
    EXPECT_EQ(CheckKernel(text, "vulkan", 0, schedule), "") << schedule;
  }
}

// Tiles that do not divide the extents; small ones; batches.
TEST_F(OnVulkan, Transposes) {
  int number = 0;
  for (const char* dims : {"70,130", "33,8", "64,64", "9,100"}) {
    const std::string d = dims;
    const std::string swapped = d.substr(d.find(',') + 1) + "," + d.substr(0, d.find(','));
    const std::string text = absl::StrCat(
        "HloModule m\nENTRY e { a = f32[5,", d, "] parameter(0) b = f32[5,", swapped,
        "] parameter(1) t = f32[5,", swapped, "] transpose(a), dimensions={0,2,1} ROOT r = f32[5,",
        swapped, "] add(t, b) }");
    for (const char* schedule : {"elementwise tile=0", "elementwise tile=16", "elementwise tile=32",
                                 "elementwise tile=64"}) {
      if (!AllCases() && number++ % 2 != 0) continue;
      EXPECT_EQ(CheckKernel(text, "vulkan", 0, schedule), "") << dims << " " << schedule;
    }
    ++number;  // each tile has two sizes of arrays, and each size two tiles
    EXPECT_EQ(CheckKernel(text, "x86", 0), "") << dims;
  }
}

// Transposes blocks in registers, over sizes that tiles and blocks do not divide, with elements of
// every width; one array is read both ways, and one is transposed in place.
TEST(OnX86, Transposes) {
  const char* kSchedules[] = {"elementwise tile=64 block=0", "elementwise tile=64 block=16",
                              "elementwise tile=16 block=8", "elementwise tile=32 block=4",
                              "elementwise tile=8 block=16"};
  int number = 0;
  for (const char* type : {"f32", "u8", "bf16", "f64", "c64"}) {
    for (const char* dims : {"70,130", "33,9", "7,100"}) {
      const std::string d = dims, swapped = absl::StrCat(d.substr(d.find(',') + 1), ",",
                                                         d.substr(0, d.find(',')));
      const std::string text = absl::StrReplaceAll(
          "HloModule m\nENTRY e { a = @T[3,@D] parameter(0) b = @T[@S,3] parameter(1) t = @T[@S,3] "
          "transpose(a), dimensions={2,1,0} ROOT r = @T[@S,3] add(t, b) }",
          {{"@T", type}, {"@D", d}, {"@S", swapped}});
      const std::string plane = absl::StrReplaceAll(
          "HloModule m\nENTRY e { a = @T[@D] parameter(0) b = @T[@S] parameter(1) t = @T[@S] "
          "transpose(a), dimensions={1,0} ROOT r = @T[@S] add(t, b) }",
          {{"@T", type}, {"@D", d}, {"@S", swapped}});
      // Both take turns without $HALYARD_ALL_CASES, so that each has every type and all sizes.
      const int turn = AllCases() ? -1 : number++ % 2;
      if (turn != 1) {
        EXPECT_EQ(CheckKernel(text, "x86", 0), "") << type << dims;
      }
      if (turn != 0) {
        EXPECT_EQ(CheckKernel(plane, "x86", 0, "", {{0, 1}}), "") << type << dims;
      }
      if ((type != std::string("f32") && type != std::string("u8")) || d != "70,130") continue;
      for (const char* schedule : kSchedules)
        EXPECT_EQ(CheckKernel(plane, "x86", 0, schedule), "") << type << dims << schedule;
    }
  }
  const char* kBothWays =
      "HloModule m\nENTRY e { a = f32[100,100] parameter(0) t = f32[100,100] transpose(a), "
      "dimensions={1,0} ROOT r = f32[100,100] subtract(t, a) }";
  EXPECT_EQ(CheckKernel(kBothWays, "x86", 0), "");
  EXPECT_EQ(CheckKernel(kBothWays, "x86:v2", 0), "");
}

// Padding on every side, strides and holes; rows in tasks and no rows; sizes that no tile divides.
TEST(OnX86, Windows) {
  const std::string kWindows[] = {
      "ENTRY e { a = f32[2,15,13,40] parameter(0) w = f32[3,3,1,40] parameter(1) ROOT c = "
      "f32[2,15,13,40] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
      "dim_labels=b01f_01io->b01f, feature_group_count=40 }",
      "ENTRY e { a = f32[1,30,17,16] parameter(0) w = f32[3,2,1,16] parameter(1) ROOT c = "
      "f32[1,16,12,16] convolution(a, w), window={size=3x2 stride=2x1 pad=2_2x0_2 rhs_dilate=1x7},"
      " dim_labels=b01f_01io->b01f, feature_group_count=16 }",
      "ENTRY e { a = f32[3,70,41] parameter(0) z = f32[] constant(-inf) ROOT p = f32[3,36,21] "
      "reduce-window(a, z), window={size=1x3x3 stride=1x2x2 pad=0_0x2_1x1_1}, to_apply=max }",
      "ENTRY e { a = f32[1000] parameter(0) z = f32[] constant(0.5) ROOT p = f32[1000] "
      "reduce-window(a, z), window={size=5 pad=2_2}, to_apply=sum }",
      "ENTRY e { a = f32[40,100] parameter(0) z = f32[] constant(0) ROOT p = f32[40,100] "
      "reduce-window(a, z), window={size=15x15 pad=7_7x7_7}, to_apply=sum }"};
  for (const std::string& window : kWindows) {
    const std::string text = kBodies + window;
    for (const char* schedule :
         {"", "window vec=16 tile=1", "window vec=8 tile=1 grain=4096", "window vec=1 grain=4096"})
      EXPECT_EQ(CheckKernel(text, "x86", 2e-5, schedule), "") << schedule << window;
    EXPECT_EQ(CheckKernel(text, "x86:v2", 2e-5), "") << window;
  }
  for (const char* schedule : {"window vec=16 tile=8", "window vec=8 tile=2 grain=4096",
                               "window vec=32 tile=4", "window vec=1 tile=4"})
    EXPECT_EQ(CheckKernel(kBodies + kWindows[0], "x86", 2e-5, schedule), "") << schedule;
}

// Row by row, or group by group, neighbouring products read elements that lie apart. Written out
// for whole vectors, these loads took LLVM minutes (x86:v4 does not have to be this machine's).
TEST(OnX86, ProductsOfElementsThatLieApartAreShort) {
  const char* const kRows =
      "HloModule m\nENTRY e { a = @T[@B,@K] parameter(0) b = @T[@B,@K] parameter(1) ROOT d = "
      "@T[@B] "
      "dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
      "rhs_contracting_dims={1} }";
  const char* const kGroups =
      "HloModule m\nENTRY e { a = @T[1,7,8,12] parameter(0) w = @T[96,4,3,3] parameter(1) ROOT c = "
      "@T[1,7,8,96] convolution(a, w), window={size=3x3 pad=1_1x1_1}, "
      "dim_labels=b01f_oi01->b01f, feature_group_count=3 }";
  for (const char* type : {"f32", "f64", "bf16", "c64"}) {
    for (const char* k : {"5", "24", "97"}) {
      const std::string text = absl::StrReplaceAll(kRows, {{"@T", type}, {"@B", "101"}, {"@K", k}});
      EXPECT_EQ(CheckKernel(text, "x86", type[0] == 'b' ? 0.03 : 2e-5), "") << type << k;
    }
  }
  for (const char* target : {"x86:v3", "x86:v4"}) {
    for (const std::string& text :
         {absl::StrReplaceAll(kRows, {{"@T", "f32"}, {"@B", "1001"}, {"@K", "24"}}),
          absl::StrReplaceAll(kRows, {{"@T", "c64"}, {"@B", "1001"}, {"@K", "97"}}),
          absl::StrReplaceAll(kGroups, {{"@T", "bf16"}})}) {
      const auto reply = testing::CompileHlo(text, testing::InfoNamed(target), "", {}, true);
      ASSERT_TRUE(reply.ok()) << reply.status();
      const std::string& code = reply->dump.assembly;
      EXPECT_LT(std::count(code.begin(), code.end(), '\n'), 8000) << target << text;
    }
  }
}

// Returns a dot with up to two batch dimensions and two contracted ones, all in any order.
std::string RandomDot(std::mt19937_64& random) {
  const char* const kTypes[] = {"f32", "f64", "bf16", "s8", "c64"};
  const std::string type = kTypes[random() % std::size(kTypes)];
  const std::string sums = type == "s8" ? "s32" : type;
  // A dimension of each kind: its factors' places, and its size.
  struct Factor {
    std::vector<std::string> sizes, batch, contracted;
  } factors[2];
  std::string result;
  const auto add_to = [&](Factor& factor, const std::string& size) {
    factor.sizes.push_back(size);
    return absl::StrCat(factor.sizes.size() - 1);
  };
  const auto add_kind = [&](char kind) {
    const int64_t most[] = {3, 17, 100, 1001};
    const std::string size = absl::StrCat(1 + random() % most[random() % (kind == 'k' ? 3 : 4)]);
    for (int side = 0; side < 2; ++side) {
      if ((kind == 'm' && side == 1) || (kind == 'n' && side == 0)) continue;
      const std::string at = add_to(factors[side], size);
      if (kind == 'b') factors[side].batch.push_back(at);
      if (kind == 'k') factors[side].contracted.push_back(at);
    }
    return size;
  };
  std::string kinds = "k";
  for (const char* more : {"b", "bk", "m", "n"}) {
    if (random() % 2 == 0) kinds += more;
  }
  std::shuffle(kinds.begin(), kinds.end(), random);
  std::string batch, own[2];
  for (const char kind : kinds) {
    const std::string size = add_kind(kind);
    if (kind == 'b') absl::StrAppend(&batch, size, ",");
    if (kind == 'm') absl::StrAppend(&own[0], size, ",");
    if (kind == 'n') absl::StrAppend(&own[1], size, ",");
  }
  result = batch + own[0] + own[1];
  if (!result.empty()) result.pop_back();
  const auto list = [](const std::vector<std::string>& all) { return absl::StrJoin(all, ","); };
  return absl::StrCat(
      "HloModule m\nENTRY e { a = ", type, "[", list(factors[0].sizes), "] parameter(0) b = ", type,
      "[", list(factors[1].sizes), "] parameter(1) ROOT d = ", sums, "[", result,
      "] dot(a, b), lhs_batch_dims={", list(factors[0].batch), "}, rhs_batch_dims={",
      list(factors[1].batch), "}, lhs_contracting_dims={", list(factors[0].contracted),
      "}, rhs_contracting_dims={", list(factors[1].contracted), "} }");
}

TEST(OnX86, RandomProductsAreShort) {
  std::mt19937_64 random(31);
  for (int i = 0; i < (AllCases() ? 400 : 40); ++i) {
    const std::string text = RandomDot(random);
    const auto reply = testing::CompileHlo(text, testing::InfoNamed("x86:v4"), "", {}, true);
    ASSERT_TRUE(reply.ok()) << reply.status() << "\n" << text;
    const std::string& code = reply->dump.assembly;
    EXPECT_LT(std::count(code.begin(), code.end(), '\n'), 12000) << reply->schedule << text;
  }
}

TEST(Scan, BothWaysAlongAnyAxis) {
  for (const std::string& text : {
           Scan("1000", "size=1000 pad=999_0", "sum", "0"),
           Scan("1000", "size=1000 pad=0_999", "sum", "0"),
           Scan("5,333", "size=1x333 pad=0_0x332_0", "max", "-inf"),
           Scan("5,333", "size=1x333 pad=0_0x0_332", "max", "0.5"),
           Scan("200,37", "size=200x1 pad=199_0x0_0", "sum", "0"),
           Scan("200,37", "size=200x1 pad=0_199x0_0", "mul", "1"),
           Scan("3,50,17", "size=1x50x1 pad=0_0x49_0x0_0", "sum", "0"),
           Scan("2,16", "size=1x16 pad=0_0x15_0", "sum", "0"),
           Scan("6007", "size=6007 pad=6006_0", "sum", "0"),
           Scan("6007", "size=6007 pad=0_6006", "sum", "0"),
           Scan("8192", "size=8192 pad=8191_0", "max", "-inf"),
           Scan("70,1024", "size=1x1024 pad=0_0x1023_0", "sum", "0"),
           Scan("3,67,259", "size=1x1x259 pad=0_0x0_0x0_258", "sum", "0"),
           Scan("67,3,17", "size=1x1x17 pad=0_0x0_0x16_0", "mul", "1"),
       }) {
    for (const char* device : {"x86", "vulkan"}) {
      if (DeviceNamed(device) == nullptr) continue;
      EXPECT_EQ(CheckKernel(text, device, 2e-4), "") << device << "\n" << text;
    }
  }
}

TEST(Scan, Blocks) {
  const std::string text = Scan("3,5000", "size=1x5000 pad=0_0x4999_0", "sum", "0");
  for (const char* schedule :
       {"scan block=16 vec=4", "scan block=8192", "scan block=512 vec=1", "scan block=16 ways=1",
        "scan block=64 ways=32 vec=8", "scan block=128 ways=2 vec=32", "scan block=1024 ways=4"}) {
    EXPECT_EQ(CheckKernel(text, "x86", 2e-4, schedule), "") << schedule;
  }
  if (DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan driver";
  for (const char* schedule : {"scan block=4", "scan block=32 threads=64"}) {
    EXPECT_EQ(CheckKernel(text, "vulkan", 2e-4, schedule), "") << schedule;
  }
}

// The default's blocks for long rows are not powers of two, and such rows take the evaluator too
// long. So results are compared with those of short blocks.
TEST(Scan, LongRows) {
  for (const char* window : {"size=70001 pad=70000_0", "size=70001 pad=0_70000"}) {
    const std::string text = absl::StrCat(R"(HloModule m
sum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT s = s32[] add(a, b) }
ENTRY e { a = s32[70001] parameter(0) z = s32[] constant(0)
  ROOT w = s32[70001] reduce-window(a, z), window={)",
                                          window, "}, to_apply=sum }");
    const auto module = hlo_text::ParseModule(text, "kernel.hlo");
    ASSERT_TRUE(module.ok()) << module.status();
    std::vector<std::vector<hlo::Literal>> results;
    for (const char* schedule : {"", "scan block=16 ways=1"}) {
      const auto kernel = testing::CompileHlo(text, testing::InfoNamed("x86"), schedule);
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      auto result = testing::RunKernel(*kernel, *DeviceNamed("x86"), **module,
                                       testing::RandomInputs(**module, 7));
      ASSERT_TRUE(result.ok()) << result.status();
      results.push_back(*std::move(result));
    }
    const auto difference = hlo::Compare(results[0][0], results[1][0], 0, 0);
    ASSERT_TRUE(difference.ok()) << difference.status();
    EXPECT_TRUE(difference->within) << window << ": " << difference->count << " elements differ";
  }
}

// A sum that starts from another value contains it once for each place outside, so it is not a
// scan.
TEST(Scan, OtherStartsAreWindows) {
  const std::string text = Scan("40", "size=40 pad=39_0", "sum", "1");
  EXPECT_EQ(CheckKernel(text, "x86", 1e-5), "");
  EXPECT_NE(CheckKernel(text, "x86", 1e-5, "scan block=16"), "");
}

}  // namespace
}  // namespace halyard
