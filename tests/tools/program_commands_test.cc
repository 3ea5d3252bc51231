// Tests `halyard-rt run`, `bench` and `info`: program files and bundles, on each device, from files
// and with made-up arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/arrays/npz.h"
#include "runtime/version.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::RunProgram;
using ::testing::StartsWith;
using testing::TestFolder;
using testing::WriteTestFile;

// The second argument and the result have layouts of their own.
constexpr char kProgram[] =
    R"(HloModule net, entry_computation_layout={(f32[4,8]{1,0}, f32[8,16]{0,1}, s32[])->(f32[4,16]{0,1}, s32[])}
ENTRY e {
  x = f32[4,8] parameter(0)
  y = f32[8,16] parameter(1)
  n = s32[] parameter(2)
  d = f32[4,16] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[16] constant({1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16})
  b = f32[4,16] broadcast(c), dimensions={1}
  r = f32[4,16] add(d, b)
  m = s32[] add(n, n)
  ROOT t = (f32[4,16], s32[]) tuple(r, m)
})";

CommandResult RunRt(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HALYARD_BIN_DIR "/halyard-rt");
  return RunProgram(arguments);
}

class ProgramCommands : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    source_ = new std::string(WriteTestFile("net.hlo", kProgram));
    for (const char* emit : {"bundle", "programs"}) {
      const CommandResult compiled =
          RunHalyard({"compile", *source_, "--target=x86:v2,vulkan", std::string("--emit=") + emit,
                      "-o", TestFolder(), "--name=net"});
      ASSERT_EQ(compiled.status, 0) << compiled.err;
    }
  }
  static void TearDownTestSuite() { delete source_; }
  static std::string Bundle() { return TestFolder() + "/net.hybundle"; }
  static bool HasVulkan() {
    return RunHalyard({"devices"}).out.find("vulkan") != std::string::npos;
  }

  static std::string* source_;
};
std::string* ProgramCommands::source_ = nullptr;

TEST_F(ProgramCommands, RunGivesTheResultsOfTheCompiler) {
  const CommandResult want = RunHalyard({"run", *source_, "--target=x86:v2", "--random-inputs=7",
                                         "--outputs=" + TestFolder() + "/want.npz"});
  ASSERT_EQ(want.status, 0) << want.err;
  std::vector<std::pair<std::string, std::string>> runs = {
      {Bundle(), "x86"}, {TestFolder() + "/net.x86-v2.hyprog", ""}};
  if (HasVulkan()) {
    runs.emplace_back(Bundle(), "vulkan,x86");
    runs.emplace_back(TestFolder() + "/net.vulkan.hyprog", "vulkan");
  }
  for (const auto& [file, targets] : runs) {
    std::vector<std::string> command = {"run", file, "--random-inputs=7",
                                        "--outputs=" + TestFolder() + "/got.npz"};
    if (!targets.empty()) command.push_back("--target=" + targets);
    const CommandResult got = RunRt(command);
    ASSERT_EQ(got.status, 0) << got.err;
    const bool vulkan = targets.rfind("vulkan", 0) == 0;
    EXPECT_THAT(got.err, HasSubstr(vulkan ? "vulkan: chosen, on " : "x86:v2: chosen, on ")) << file;
    EXPECT_THAT(got.out, AllOf(HasSubstr("out0: f32[4,16] {"), HasSubstr("out1: s32[] ")));
    const auto want_arrays = ReadNpz(TestFolder() + "/want.npz");
    const auto got_arrays = ReadNpz(TestFolder() + "/got.npz");
    ASSERT_TRUE(want_arrays.ok() && got_arrays.ok());
    ASSERT_EQ(got_arrays->size(), 2u);
    for (const auto& [name, value] : *want_arrays) {
      const auto same = hlo::Compare(got_arrays->at(name), value, 1e-5, 1e-5);
      ASSERT_TRUE(same.ok()) << same.status();
      EXPECT_TRUE(same->within) << file << " " << name << " " << same->max_abs;
    }
  }
}

TEST_F(ProgramCommands, ArgumentsComeFromAFile) {
  const std::string inputs = TestFolder() + "/inputs.npz";
  hlo::Literal x(hlo::Shape::Array(hlo::ElementType::kF32, {4, 8}));
  hlo::Literal y(hlo::Shape::Array(hlo::ElementType::kF32, {8, 16}));
  x.SetFloat(0, 1);  // x[0,0]
  for (int i = 0; i < 128; ++i) y.SetFloat(i, i);
  const hlo::Literal n =
      hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS32, {}, {int64_t{21}});
  ASSERT_TRUE(WriteNpz(inputs, {{"arg0", x}, {"arg1", y}, {"arg2", n}}).ok());
  const CommandResult got = RunRt({"run", Bundle(), "--target=x86", "--inputs=" + inputs});
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_THAT(got.out,
              AllOf(HasSubstr("out0: f32[4,16] {1, 3, 5, 7, "), HasSubstr("out1: s32[] 42")));
  EXPECT_THAT(got.err, Not(HasSubstr("made up")));

  ASSERT_TRUE(WriteNpz(inputs, {{"arg0", y}}).ok());
  const CommandResult wrong = RunRt({"run", Bundle(), "--target=x86", "--inputs=" + inputs});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.err, HasSubstr("arg0 has the wrong shape"));
}

TEST_F(ProgramCommands, BenchAndInfo) {
  const CommandResult bench = RunRt({"bench", Bundle(), "--target=x86", "--repeat=5"});
  EXPECT_EQ(bench.status, 0) << bench.err;
  EXPECT_THAT(bench.out, AllOf(StartsWith("x86:v2: create "), HasSubstr("of 5 runs\n")));
  EXPECT_THAT(bench.err, HasSubstr("made up from the seed 0"));

  const CommandResult info = RunRt({"info", Bundle()});
  EXPECT_EQ(info.status, 0) << info.err;
  EXPECT_THAT(info.out,
              AllOf(HasSubstr("format " HALYARD_TEXT(HALYARD_PROGRAM_FORMAT) ", 2 targets\n"),
                    HasSubstr("arg1: f32[8,16], 512 bytes\n"), HasSubstr("out1: s32[], 4 bytes\n"),
                    HasSubstr("x86:v2: for x86-64-v2; "), HasSubstr("\nvulkan: for "),
                    HasSubstr("constants 256 bytes")));
}

constexpr char kEntries[] = R"(module @two {
  func.func public @twice(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = stablehlo.add %x, %x : tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
  func.func public @minus(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.negate %x : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
})";

TEST_F(ProgramCommands, EntriesAndSizesAreOptions) {
  const CommandResult compiled = RunHalyard(
      {"compile", WriteTestFile("two.mlir", kEntries), "--target=x86:v2,x86:v3", "--emit=bundle",
       "--entry=twice,minus", "--dim=rows=x.0:1..8@2,8", "-o", TestFolder(), "--name=two"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const std::string file = TestFolder() + "/two.hybundle";
  EXPECT_THAT(RunRt({"info", file}).out,
              AllOf(HasSubstr(", 2 targets, each with 4 programs\n"
                              "entry twice: 3 programs, here with the largest sizes\n"
                              "  size rows: 1..8, with programs for 1, 2, 8\n"
                              "  arg0: f32[8,4], 128 bytes\n  out0: f32[8,4], 128 bytes\n"
                              "entry minus: 1 program\n  arg0: f32[3], 12 bytes\n"),
                    HasSubstr("\nx86:v2: for x86-64-v2; 4 kernels of ")));

  const CommandResult plain = RunRt({"run", file, "--target=x86:v2"});
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("out0: f32[8,4] {"));
  EXPECT_THAT(plain.err, AllOf(HasSubstr("entry: twice, the first of twice, minus; --entry=NAME"),
                               HasSubstr("sizes: rows=8, the largest; --sizes=NAME=N,...")));
  const std::string inputs = TestFolder() + "/rows.npz";
  hlo::Literal x(hlo::Shape::Array(hlo::ElementType::kF32, {3, 4}));
  for (int i = 0; i < 12; ++i) x.SetFloat(i, i);
  ASSERT_TRUE(WriteNpz(inputs, {{"arg0", x}}).ok());
  const CommandResult three = RunRt(
      {"run", file, "--target=x86:v2", "--entry=twice", "--sizes=rows=3", "--inputs=" + inputs});
  EXPECT_THAT(three.out, HasSubstr("out0: f32[3,4] {0, 2, 4, 6, 8, 10, 12, 14, ...}"));
  EXPECT_THAT(three.err, AllOf(Not(HasSubstr("entry: ")), Not(HasSubstr("sizes: "))));
  EXPECT_THAT(RunRt({"bench", file, "--target=x86:v2", "--entry=minus", "--repeat=3"}).out,
              HasSubstr("of 3 runs\n"));
}

TEST_F(ProgramCommands, WrongEntriesAndSizesAreNamed) {
  const CommandResult compiled = RunHalyard(
      {"compile", WriteTestFile("two.mlir", kEntries), "--target=x86:v2", "--emit=bundle",
       "--entry=twice,minus", "--dim=rows=x.0:1..8@8", "-o", TestFolder(), "--name=wrong"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const std::string file = TestFolder() + "/wrong.hybundle";
  for (const auto& [options, words] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--entry=thrice"}, "it has no entry 'thrice'; it has twice, minus"},
           {{"--sizes=rows=9"}, "rows is 9; it is in 1..8"},
           {{"--sizes=cols=4"}, "--sizes=cols: there is no such size; there are rows"},
           {{"--sizes=rows"}, "--sizes=rows: a size is NAME=N, such as batch=8"},
           {{"--sizes=rows=2,rows=3"}, "--sizes=rows=3: it is there twice"},
           {{"--entry=minus", "--sizes=rows=2"}, "--sizes=rows: there is no such size"}}) {
    std::vector<std::string> command = {"run", file};
    command.insert(command.end(), options.begin(), options.end());
    const CommandResult result = RunRt(command);
    EXPECT_EQ(result.status, 1) << words;
    EXPECT_THAT(result.err, HasSubstr(words));
    EXPECT_THAT(result.err, Not(HasSubstr("hy_run")));
  }
}

TEST_F(ProgramCommands, OutputsAreCheckedBeforeTheRun) {
  for (const std::string path : {"/dev/null", "/no/such/folder/out.npz"}) {
    const CommandResult result = RunRt({"run", Bundle(), "--target=x86", "--outputs=" + path});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, StartsWith("halyard-rt: error: cannot write " + path + ": "));
  }
}

TEST_F(ProgramCommands, ErrorsNameTheFile) {
  for (const char* command : {"run", "bench", "info"}) {
    const CommandResult missing = RunRt({command, "/nonexistent.hybundle"});
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err,
                AllOf(StartsWith("halyard-rt: error: "), HasSubstr("/nonexistent.hybundle")));
    const CommandResult damaged = RunRt({command, WriteTestFile("damaged.hybundle", "text")});
    EXPECT_EQ(damaged.status, 1);
    EXPECT_THAT(damaged.err, HasSubstr("damaged.hybundle: "));
    const CommandResult text =
        RunRt({command, WriteTestFile("text.hybundle", std::string(4096, 'a'))});
    EXPECT_EQ(text.status, 1);
    EXPECT_THAT(text.err,
                HasSubstr("text.hybundle: neither a program file nor a bundle of Halyard\n"));
    EXPECT_EQ(RunRt({command}).status, 2);
  }
  const CommandResult target = RunRt({"run", Bundle(), "--target=tpu"});
  EXPECT_EQ(target.status, 1);
  EXPECT_THAT(target.err, HasSubstr("'tpu' is no target"));
}

}  // namespace
}  // namespace halyard
