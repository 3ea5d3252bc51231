// Arrays of more than 2^31 bytes and elements. On x86 they run (with $HALYARD_NIGHTLY, because they
// take gigabytes), for CUDA their kernels compile, and on Vulkan an error names the device's limit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard {
namespace {

using hlo::Literal;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kRows = 70000, kColumns = 40000;  // 2.8e9 bytes

// Adds one to each element, reads the end of the array, and sums rows.
constexpr char kProgram[] = R"(HloModule large
sum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT s = s32[] add(a, b) }
ENTRY e {
  p = s8[70000,40000] parameter(0)
  one = s8[] constant(1)
  ones = s8[70000,40000] broadcast(one), dimensions={}
  next = s8[70000,40000] add(p, ones)
  last = s8[2,3] slice(next), slice={[69998:70000], [39997:40000]}
  row = s32[] constant(69999)
  column = s32[] constant(39990)
  found = s8[1,5] dynamic-slice(next, row, column), dynamic_slice_sizes={1,5}
  wide = s32[70000,40000] convert(next)
  zero = s32[] constant(0)
  sums = s32[70000] reduce(wide, zero), dimensions={1}, to_apply=sum
  ROOT t = (s8[70000,40000], s8[2,3], s8[1,5], s32[70000]) tuple(next, last, found, sums)
}
)";

std::unique_ptr<hlo::Module> Parse() {
  auto module = hlo_text::ParseModule(kProgram, "large.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST(LargeArrays, RunOnX86) {
  if (std::getenv("HALYARD_NIGHTLY") == nullptr) GTEST_SKIP() << "takes 6 GB: HALYARD_NIGHTLY=1";
  auto client = Client::Create({.target = "x86"});
  ASSERT_TRUE(client.ok()) << client.status();
  const auto module = Parse();
  auto executable = (*client)->Compile(*module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  Literal input(module->entry()->parameters()[0]->shape);
  auto at = [](int64_t row, int64_t column) { return static_cast<int8_t>(row * 3 + column); };
  auto bytes = input.mutable_bytes();
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t c = 0; c < kColumns; ++c)
      bytes[r * kColumns + c] = static_cast<std::byte>(at(r, c));
  }
  auto results = (*executable)->RunLiterals({input});
  ASSERT_TRUE(results.ok()) << results.status();
  auto next = [&](int64_t r, int64_t c) { return static_cast<int8_t>(at(r, c) + 1); };
  int64_t wrong = 0;
  for (int64_t r = 0; r < kRows; ++r) {
    int64_t sum = 0;
    for (int64_t c = 0; c < kColumns; ++c) {
      sum += next(r, c);
      wrong += static_cast<int8_t>((*results)[0].bytes()[r * kColumns + c]) != next(r, c);
    }
    wrong += (*results)[3].GetInt(r) != sum;
  }
  EXPECT_EQ(wrong, 0);
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ((*results)[1].GetInt(i), next(kRows - 2 + i / 3, kColumns - 3 + i % 3));
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ((*results)[2].GetInt(i), next(kRows - 1, 39990 + i));
}

TEST(LargeArrays, CompileForCuda) {
  auto target = ParseTarget("cuda:sm_90");
  ASSERT_TRUE(target.ok()) << target.status();
  ProgramCompiler compiler;
  compiler.client.use_cache = false;
  auto program = compiler.Compile(*Parse(), *target);
  EXPECT_TRUE(program.ok()) << program.status();
}

TEST(LargeArrays, VulkanNamesItsLimit) {
  auto client = Client::Create({.target = "vulkan"});
  if (!client.ok()) GTEST_SKIP() << client.status();
  if ((*client)->target().device.max_allocation_bytes > kRows * kColumns)
    GTEST_SKIP() << "holds it";
  auto executable = (*client)->Compile(*Parse());
  ASSERT_FALSE(executable.ok());
  EXPECT_THAT(std::string(executable.status().message()),
              AllOf(HasSubstr("large.hlo:4:"), HasSubstr("2800000000 bytes"),
                    HasSubstr("largest allocation")));
}

TEST(LargeArrays, OneLongDimensionIsAnError) {
  auto module = hlo_text::ParseModule(
      "HloModule m\nENTRY e {\n  p = u8[3000000001] parameter(0)\n  ROOT n = u8[3000000001] "
      "not(p)\n}",
      "long.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  auto client = Client::Create({.target = "x86"});
  ASSERT_TRUE(client.ok()) << client.status();
  auto executable = (*client)->Compile(**module);
  ASSERT_FALSE(executable.ok());
  EXPECT_THAT(std::string(executable.status().message()),
              AllOf(HasSubstr("long.hlo:4:"), HasSubstr("32 bits")));
}

// Loops over the longest dimension are rounded up to whole tiles, without an overflow. Compiled for
// x86 and CUDA, not run; on Vulkan the device's own limit comes first.
TEST(LargeArrays, TheLongestDimensionCompiles) {
  const std::string n = absl::StrCat(lowering::kMaxExtent);
  const auto compile = [](const std::string& body, const std::string& name) {
    auto module = hlo_text::ParseModule(
        "HloModule m\nadd { a = s8[] parameter(0) b = s8[] parameter(1) ROOT s = s8[] add(a, b) }\n"
        "ENTRY e {\n  z = s8[] constant(0)\n" +
            body + "}\n",
        "longest.hlo");
    EXPECT_TRUE(module.ok()) << module.status();
    auto target = ParseTarget(name);
    EXPECT_TRUE(target.ok()) << target.status();
    ProgramCompiler compiler;
    compiler.client.use_cache = false;
    return compiler.Compile(**module, *target).status();
  };
  const char* bodies[] = {
      "  p = s8[$] parameter(0)\n  ROOT n = s8[$] not(p)\n",
      "  ROOT b = s8[$] broadcast(z), dimensions={}\n",
      "  p = s8[$] parameter(0)\n  ROOT r = s8[$] reverse(p), dimensions={0}\n",
      "  p = s8[$] parameter(0)\n  ROOT r = s8[] reduce(p, z), dimensions={0}, to_apply=add\n",
      "  p = s8[3,$] parameter(0)\n  ROOT r = s8[3] reduce(p, z), dimensions={1}, to_apply=add\n",
      "  p = s8[3,$] parameter(0)\n  ROOT r = s8[$] reduce(p, z), dimensions={0}, to_apply=add\n",
      "  p = s8[$,2] parameter(0)\n  ROOT t = s8[2,$] transpose(p), dimensions={1,0}\n",
      "  p = s8[$] parameter(0)\n  i = s32[2,1] parameter(1)\n  ROOT g = s8[2] gather(p, i), "
      "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1}\n",
      "  p = s8[$] parameter(0)\n  u = s8[2] parameter(1)\n  i = s32[] parameter(2)\n  ROOT d = "
      "s8[$] dynamic-update-slice(p, u, i)\n",
  };
  for (const char* target : {"x86", "cuda:sm_90"}) {
    for (const char* body : bodies) {
      const absl::Status status = compile(absl::StrReplaceAll(body, {{"$", n}}), target);
      EXPECT_TRUE(status.ok()) << target << "\n" << body << status;
    }
    const std::string longer = absl::StrCat(lowering::kMaxExtent + 1);
    const absl::Status status = compile(absl::StrReplaceAll(bodies[0], {{"$", longer}}), target);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("longest.hlo:6:"), HasSubstr(n), HasSubstr("32 bits")));
  }
  // Two dimensions that are not told apart become one where it is not too long.
  for (const char* shape : {"s8[46341,46341]", "s8[46340,46340]", "s8[65536,65536]"}) {
    const absl::Status status = compile(
        absl::StrReplaceAll("  p = $ parameter(0)\n  ROOT n = $ not(p)\n", {{"$", shape}}), "x86");
    EXPECT_TRUE(status.ok()) << shape << status;
  }
}

// Row 1 of the first dimension lies 2^31 elements after row 0. What is read and what is written is
// compiled, not run.
TEST(LargeArrays, AStrideOfMoreThan32BitsIsAnError) {
  constexpr char kMax[] =
      "HloModule m\nmax { a = u8[] parameter(0) b = u8[] parameter(1) ROOT m = u8[] maximum(a, b) "
      "}\nENTRY e {\n";
  auto target = ParseTarget("x86");
  ASSERT_TRUE(target.ok()) << target.status();
  ProgramCompiler compiler;
  compiler.client.use_cache = false;
  auto compile = [&](const std::string& body) {
    auto module = hlo_text::ParseModule(kMax + body + "}\n", "wide.hlo");
    EXPECT_TRUE(module.ok()) << module.status();
    return compiler.Compile(**module, *target).status();
  };
  const absl::Status read = compile(
      "  p = u8[2,65536,32768] parameter(0)\n  z = u8[] constant(0)\n"
      "  ROOT r = u8[2,32768] reduce(p, z), dimensions={1}, to_apply=max\n");
  EXPECT_THAT(std::string(read.message()),
              AllOf(HasSubstr("wide.hlo:5:"), HasSubstr("a stride of 2147483648 elements")));
  const absl::Status written = compile(
      "  p = u8[2,32768] parameter(0)\n"
      "  ROOT b = u8[2,65536,32768] broadcast(p), dimensions={0,2}\n");
  EXPECT_THAT(std::string(written.message()),
              AllOf(HasSubstr("wide.hlo:5:"), HasSubstr("a stride of 2147483648 elements")));
  const absl::Status one_less = compile(
      "  p = u8[2,65536,32767] parameter(0)\n  z = u8[] constant(0)\n"
      "  ROOT r = u8[2,32767] reduce(p, z), dimensions={1}, to_apply=max\n");
  EXPECT_TRUE(one_less.ok()) << one_less;
  // Nothing tells the first two dimensions apart, so they are one in the kernel.
  const absl::Status joined =
      compile("  p = u8[2,65536,32768] parameter(0)\n  ROOT n = u8[2,65536,32768] not(p)\n");
  EXPECT_TRUE(joined.ok()) << joined;
}

}  // namespace
}  // namespace halyard
