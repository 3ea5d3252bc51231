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

TEST_F(ProgramCommands, ErrorsNameTheFile) {
  for (const char* command : {"run", "bench", "info"}) {
    const CommandResult missing = RunRt({command, "/nonexistent.hybundle"});
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err,
                AllOf(StartsWith("halyard-rt: error: "), HasSubstr("/nonexistent.hybundle")));
    const CommandResult damaged = RunRt({command, WriteTestFile("damaged.hybundle", "text")});
    EXPECT_EQ(damaged.status, 1);
    EXPECT_THAT(damaged.err, HasSubstr("damaged.hybundle: "));
    EXPECT_EQ(RunRt({command}).status, 2);
  }
  const CommandResult target = RunRt({"run", Bundle(), "--target=tpu"});
  EXPECT_EQ(target.status, 1);
  EXPECT_THAT(target.err, HasSubstr("'tpu' is no target"));
}

}  // namespace
}  // namespace halyard
