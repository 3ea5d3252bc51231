// Tests the command under every limit of the process (ulimit), from nothing to enough: it gives the
// results, or an error that names the limit, and never crashes. Also tests names with any bytes and
// lengths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using ::testing::AnyOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

std::string NegateProgram() {
  return WriteTestFile(
      "negate.hlo", "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] negate(x) }\n");
}

struct Limit {
  const char* name;
  const char* option;
  std::vector<int> values;  // the first is too small, the last is large enough
};

class Limits : public ::testing::TestWithParam<Limit> {
 protected:
  // Runs a program whose kernel is not compiled yet.
  static CommandResult Run(const std::string& option, int value) {
    static const std::string program = NegateProgram();
    const std::string cache = TestFolder() + "/limits";
    std::filesystem::remove_all(cache);
    // Uses pipes, which no limit on files stops.
    const std::string out = TestFolder() + "/out", err = TestFolder() + "/err";
    const std::string line =
        absl::StrCat("(ulimit ", option, " ", value, "; HALYARD_CACHE_DIR=", cache, " exec ",
                     HALYARD_BIN_DIR "/halyard run ", program,
                     " --target=x86 --random-inputs=1 2>&1; ) | cat; ", "exit ${PIPESTATUS[0]}");
    return testing::RunProgram({"bash", "-c", line});
  }
};

TEST_P(Limits, GiveResultsOrErrorsThatNameThem) {
  const Limit& limit = GetParam();
  if (testing::kSanitized && std::string(limit.option) == "-v")
    GTEST_SKIP() << "a sanitizer takes all of the address space itself";
  for (const int value : limit.values) {
    SCOPED_TRACE(absl::StrCat("ulimit ", limit.option, " ", value));
    const CommandResult result = Run(limit.option, value);
    EXPECT_THAT(result.status, AnyOf(0, 1)) << result.out;
    if (result.status == 0) {
      EXPECT_THAT(result.out, HasSubstr("out0: f32[8] {"));
    } else {
      EXPECT_THAT(result.out, HasSubstr("halyard: error: "));
      EXPECT_THAT(result.out, HasSubstr(absl::StrCat("ulimit ", limit.option, " is ")));
    }
    if (value == limit.values.front()) {
      EXPECT_EQ(result.status, 1) << result.out;
    }
    if (value == limit.values.back()) {
      EXPECT_EQ(result.status, 0) << result.out;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Limits,
                         ::testing::Values(Limit{"Files", "-n", {4, 5, 6, 7, 8, 9, 10, 64}},
                                           Limit{"Memory", "-v", {60000, 200000, 400000, 4000000}},
                                           Limit{"FileSizes", "-f", {0, 1, 10000}},
                                           Limit{"Stack", "-s", {64, 1024, 8192}}),
                         [](const auto& info) { return std::string(info.param.name); });

// Runs `halyard` with an empty cache and with these variables.
CommandResult RunWith(const std::vector<std::string>& variables,
                      const std::vector<std::string>& arguments) {
  const std::string cache = TestFolder() + "/seconds";
  std::filesystem::remove_all(cache);
  std::vector<std::string> command = {"env", "HALYARD_CACHE_DIR=" + cache};
  command.insert(command.end(), variables.begin(), variables.end());
  command.push_back(HALYARD_BIN_DIR "/halyard");
  command.insert(command.end(), arguments.begin(), arguments.end());
  return testing::RunProgram(command);
}

// The code generator hangs with the default schedule.
TEST(CompileSeconds, AfterThemAKernelIsCompiledQuickly) {
  const CommandResult result =
      RunWith({"HALYARD_CODEGEN_FAULT=hang:schedule \n", "HALYARD_COMPILE_SECONDS=2"},
              {"run", "--target=x86", "--no-tuning", NegateProgram(), "--random-inputs=1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("out0: f32[8] {"));
  EXPECT_THAT(result.err, HasSubstr("warning: a kernel is compiled as with --O0"));
  EXPECT_THAT(result.err, HasSubstr("negate.hlo:2"));
  EXPECT_THAT(result.err, HasSubstr("more than 2 s"));
  EXPECT_THAT(result.err, HasSubstr("$HALYARD_COMPILE_SECONDS"));
}

// A schedule that was asked for is never replaced.
TEST(CompileSeconds, AfterThemAScheduleThatWasAskedForIsAnError) {
  const CommandResult shown =
      RunHalyard({"show", "--stage=schedule", "--target=x86", "--no-tuning", NegateProgram()});
  ASSERT_EQ(shown.status, 0) << shown.err;
  const std::string schedules = WriteTestFile("hang.schedules", shown.out);
  const CommandResult result = RunWith(
      {"HALYARD_CODEGEN_FAULT=hang:negate", "HALYARD_COMPILE_SECONDS=2"},
      {"run", "--target=x86", NegateProgram(), "--random-inputs=1", "--schedules=" + schedules});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("compiling took more than 2 s"));
}

TEST(CompileSeconds, MustBeSeconds) {
  for (const std::string wrong : {"0", "-1", "2s", "nan", "1e9"}) {
    const CommandResult result =
        RunWith({absl::StrCat("HALYARD_COMPILE_SECONDS=", wrong)},
                {"run", "--target=x86", NegateProgram(), "--random-inputs=1"});
    EXPECT_EQ(result.status, 1) << wrong;
    EXPECT_THAT(result.err,
                HasSubstr(absl::StrCat("error: HALYARD_COMPILE_SECONDS is \"", wrong, "\"")));
  }
}

// Descriptors that the test's runner has left open must not count for the command. It would fail as
// bash does, without any output.
TEST(Limits, CountNoFilesOfTheTest) {
  std::vector<int> inherited;
  for (int i = 0; i < 5; ++i) inherited.push_back(dup(STDIN_FILENO));
  const CommandResult result = testing::RunProgram({"bash", "-c", "ulimit -n 4; echo made 2>&1"});
  for (const int descriptor : inherited) close(descriptor);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "made\n");
}

// A requested file is not lost silently either: if it cannot be written, this is an error.
TEST(Limits, OfAFileThatIsAskedFor) {
  const std::string program = WriteTestFile(
      "constant.hlo", "HloModule m\nENTRY e { ROOT i = f32[100000] iota(), iota_dimension=0 }\n");
  const std::string out = TestFolder() + "/large.npz";
  const CommandResult result = testing::RunProgram(
      {"bash", "-c",
       absl::StrCat("(ulimit -f 4; exec ", HALYARD_BIN_DIR "/halyard run ", program,
                    " --target=reference --outputs=", out, " 2>&1) | cat; exit ${PIPESTATUS[0]}")});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("large.npz"));
  EXPECT_THAT(result.out, HasSubstr("File too large (ulimit -f is 4 KiB)"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

// What a file had before is not lost either.
TEST(Limits, AnEarlierFileStays) {
  std::string program = "HloModule m\nENTRY e {\n  x0 = f32[8] parameter(0)\n";
  for (int i = 1; i < 400; ++i)
    absl::StrAppend(&program, "  x", i, " = f32[8] negate(x", i - 1, ")\n");
  const std::string file =
      WriteTestFile("chain.hlo", program + "  ROOT r = f32[8] negate(x399)\n}\n");
  const std::string folder = TestFolder() + "/earlier", out = folder + "/out.mlir";
  std::filesystem::create_directory(folder);
  WriteTestFile("earlier/out.mlir", "earlier");
  const CommandResult result =
      testing::RunProgram({"bash", "-c",
                           absl::StrCat("(ulimit -f 4; exec ", HALYARD_BIN_DIR "/halyard convert ",
                                        file, " -o ", out, " 2>&1) | cat; exit ${PIPESTATUS[0]}")});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("out.mlir: File too large (ulimit -f is 4 KiB)"));
  EXPECT_EQ(testing::ReadTestFile(out), "earlier");
  const std::filesystem::directory_iterator files(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "and nothing beside it";
}

// A zero in a name is a byte like any other. But names end there in a program file, so it is
// replaced there.
TEST(Names, WithZeros) {
  const std::string program = WriteTestFile("zeros.mlir", R"(module @"mo\00d" {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %r = stablehlo.negate %x : tensor<4xf32> loc("a\00b":1:2)
    return %r : tensor<4xf32> loc("na\00me")
  }
}
)");
  for (const std::string target : {"reference", "x86", "vulkan"}) {
    const CommandResult result =
        RunHalyard({"run", program, "--target=" + target, "--random-inputs=1"});
    EXPECT_EQ(result.status, 0) << target << result.err;
    EXPECT_THAT(result.out, HasSubstr("out0: f32[4] {"));
  }
  const CommandResult compiled = RunHalyard(
      {"compile", program, "--target=x86:v2", "--name=zeros", "-o", TestFolder() + "/zeros"});
  EXPECT_EQ(compiled.status, 0) << compiled.err;
}

// Messages are for reading, so the middle of a word of megabytes is left out.
TEST(Names, LongOnesAreCutInMessages) {
  const std::string name(1 << 20, 'n');
  const std::string op =
      WriteTestFile("op.hlo", "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] " +
                                  name + "(x) }\n");
  const std::string call = WriteTestFile(
      "call.hlo",
      "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] custom-call(x), "
      "custom_call_target=\"" +
          name + "\" }\n");
  const std::string greek = WriteTestFile(
      "greek.mlir", "func.func @main() { \"stablehlo." + [] {
        std::string many;
        for (int i = 0; i < 10000; ++i) many += "\u03bb";
        return many;
      }() + "\"() : () -> () return }\n");
  for (const std::string& file : {op, call, greek}) {
    const CommandResult result = RunHalyard({"run", file, "--target=x86", "--random-inputs=1"});
    EXPECT_EQ(result.status, 1);
    EXPECT_LT(result.err.size(), 2000u);
    EXPECT_THAT(result.err, HasSubstr(file + ":"));
    EXPECT_THAT(result.err, HasSubstr(" bytes ...]"));
  }
  // Names outside of messages are kept whole.
  const std::string fine =
      WriteTestFile("fine.hlo", "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT " + name +
                                    " = f32[8] negate(x) }\n");
  EXPECT_THAT(RunHalyard({"convert", fine}).out, HasSubstr(name));
  EXPECT_EQ(RunHalyard({"run", fine, "--target=x86", "--random-inputs=1"}).status, 0);
}

}  // namespace
}  // namespace halyard
