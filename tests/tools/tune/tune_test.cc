// Tests halyard tune, and what run, show and compile do with its records.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "autotuner/records/database.h"
#include "nlohmann/json.hpp"
#include "tests/tools/run_command.h"
#include "tests/tools/tune/tuned_database.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunHalyard;
using testing::WriteTestFile;

// Returns the best schedule of each kernel, from what --json wrote.
std::multiset<std::string> BestLines(const std::string& path) {
  std::multiset<std::string> lines;
  const nlohmann::json table = nlohmann::json::parse(testing::ReadTestFile(path));
  for (const nlohmann::json& kernel : table["kernels"]) lines.insert(kernel["best_schedule"]);
  return lines;
}

std::vector<std::string> ScheduleLines(const CommandResult& shown) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(shown.out, '\n', absl::SkipEmpty()))
    lines.emplace_back(line.substr(line.rfind(": ") + 2));
  return lines;
}

void TuneAndUse(const std::string& target) {
  const std::string program = WriteTestFile("small.hlo", kProgram);
  const std::string database = NewDatabase("small_" + target);
  const std::string json = TestFolder() + "/small.json", log = TestFolder() + "/small.jsonl";
  CommandResult result =
      RunHalyard({"tune", "--no-report", program, "--target=" + target, "--db=" + database,
                  "--trials=5", "--json=" + json, "--log=" + log});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernels of one run: "));
  EXPECT_THAT(result.out, HasSubstr("plan: "));
  EXPECT_THAT(testing::ReadTestFile(log), HasSubstr("\"outcome\":\"good\""));

  // The compile uses the records' schedules.
  result = RunHalyard(
      {"show", program, "--stage=schedule", "--target=" + target, "--db=" + database, "--locked"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::vector<std::string> lines = ScheduleLines(result);
  EXPECT_EQ(std::multiset<std::string>(lines.begin(), lines.end()), BestLines(json));
  result = RunHalyard({"run", program, "--target=" + target, "--random-inputs=3",
                       "--compare=reference", "--db=" + database, "--locked"});
  EXPECT_EQ(result.status, 0) << result.err << result.out;

  // Everything is tuned already, so nothing is measured.
  result = RunHalyard({"tune", "--no-report", "--no-program", program, "--target=" + target,
                       "--db=" + database, "--trials=5"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("; 0 trials in "), Not(HasSubstr("plan: "))));
}

TEST(Tune, RecordsAreUsedOnX86) { TuneAndUse("x86"); }

TEST(Tune, RecordsAreUsedOnVulkan) {
  if (RunHalyard(
          {"run", WriteTestFile("chain.hlo", kChain), "--target=vulkan", "--random-inputs=1"})
          .status != 0) {
    GTEST_SKIP() << "no Vulkan device";
  }
  TuneAndUse("vulkan");
}

TEST(Tune, LockedWithoutARecordSaysWhatToRun) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const CommandResult result = RunHalyard({"run", program, "--target=x86", "--random-inputs=1",
                                           "--db=" + NewDatabase("none"), "--locked"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("no record of it for "));
  EXPECT_THAT(result.err,
              HasSubstr(absl::StrCat("run `halyard tune ", program, " --target=x86 --kernel=")));
  EXPECT_EQ(RunHalyard({"run", program, "--locked", "--no-tuning"}).status, 2);
}

// Runs the command that --locked suggests, as a shell would.
CommandResult RunSuggested(const CommandResult& locked) {
  const size_t begin = locked.err.find("run `halyard tune") + 5;
  std::string command = locked.err.substr(begin, locked.err.find('`', begin) - begin);
  command = HALYARD_BIN_DIR "/" + command + " --no-report --trials=1";
  return testing::RunProgram({"sh", "-c", command});
}

TEST(Tune, WhatLockedSuggestsTunesIntoTheSameDatabase) {
  const std::string program =
      WriteTestFile("dynamic.mlir",
                    "func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> "
                    "{\n  %0 = stablehlo.add %x, %y : tensor<?x2xf32>\n"
                    "  return %0 : tensor<?x2xf32>\n}\n");
  const std::vector<std::string> run = {"run",
                                        program,
                                        "--target=x86",
                                        "--random-inputs=1",
                                        "--arg-shapes=f32[30,2];f32[30,2]",
                                        "--db=" + NewDatabase("suggested"),
                                        "--threads=2",
                                        "--locked"};
  const CommandResult locked = RunHalyard(run);
  EXPECT_EQ(locked.status, 1);
  EXPECT_THAT(locked.err, HasSubstr("--arg-shapes=\"f32[30,2];f32[30,2]\""));
  const CommandResult tuned = RunSuggested(locked);
  EXPECT_EQ(tuned.status, 0) << locked.err << tuned.err;
  EXPECT_EQ(RunHalyard(run).status, 0);
}

// Expects that nothing is tuned, and that there is no database afterwards.
void ExpectRefused(const std::vector<std::string>& arguments, int status,
                   const std::string& message) {
  const std::string path = NewDatabase("refused");
  std::vector<std::string> command = {"tune", WriteTestFile("chain.hlo", kChain), "--trials=1",
                                      "--db=" + path};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const CommandResult result = RunHalyard(command);
  EXPECT_EQ(result.status, status) << ::testing::PrintToString(arguments) << result.out;
  EXPECT_THAT(result.err, HasSubstr(message)) << ::testing::PrintToString(arguments);
  EXPECT_NE(access(path.c_str(), F_OK), 0) << ::testing::PrintToString(arguments);
}

TEST(Tune, TheReferenceHasNothingToTune) {
  const std::string message = "reference evaluates programs as they are";
  ExpectRefused({"--target=reference"}, 2, message);
  ExpectRefused({"--target=reference", "--plan", "-o", TestFolder() + "/none.bundle"}, 2, message);
}

TEST(Tune, OptionsThatWouldBeIgnoredAreRefused) {
  const std::string bundle = TestFolder() + "/none.bundle", file = TestFolder() + "/none";
  ExpectRefused({"--target=x86", "-o", bundle}, 2, "--plan");
  for (const std::string& option : {"--report=" + file, "--json=" + file, "--log=" + file,
                                    std::string("--minutes=1"), std::string("--cold")}) {
    ExpectRefused({"--target=x86", "--plan", "-o", bundle, option}, 2,
                  option.substr(0, option.find('=')));
  }
  ExpectRefused({"--target=x86", "--no-report", "--report=" + file}, 2, "--no-report");
  if (RunHalyard(
          {"run", WriteTestFile("chain.hlo", kChain), "--target=vulkan", "--random-inputs=1"})
          .status == 0) {
    ExpectRefused({"--target=vulkan", "--cold", "--no-report"}, 2, "--cold");
  }
}

TEST(Tune, FilesThatCannotBeWrittenAreFoundBeforeTuning) {
  const std::string nowhere = TestFolder() + "/no/such/folder";
  ExpectRefused({"--target=x86", "--report=" + nowhere}, 1, nowhere);
  ExpectRefused({"--target=x86", "--report=" + TestFolder()}, 1, "directory");
  ExpectRefused({"--target=x86", "--no-report", "--json=" + nowhere}, 1, nowhere);
  ExpectRefused({"--target=x86", "--no-report", "--log=" + nowhere}, 1, nowhere);
  // The report's default place is one where nobody may write.
  const CommandResult here = testing::RunProgram(
      {"env", "-C", "/proc", HALYARD_BIN_DIR "/halyard", "tune", WriteTestFile("chain.hlo", kChain),
       "--target=x86", "--db=" + NewDatabase("refused")});
  EXPECT_EQ(here.status, 1);
  EXPECT_THAT(here.err, AllOf(HasSubstr("chain.tuning.html"), HasSubstr("--report=FILE")));
  // A refusal leaves no files, and harms none.
  const std::string json = WriteTestFile("kept.json", "kept"), page = TestFolder() + "/new.html";
  ExpectRefused({"--target=x86", "--json=" + json, "--report=" + page, "--log=" + nowhere}, 1,
                nowhere);
  EXPECT_EQ(testing::ReadTestFile(json), "kept");
  EXPECT_NE(access(page.c_str(), F_OK), 0);
}

TEST(Tune, WhatCannotBeWrittenAtTheEndKeepsNothingElse) {
  const std::string path = NewDatabase("full"), page = TestFolder() + "/full.html";
  const CommandResult result = RunHalyard(
      {"tune", WriteTestFile("chain.hlo", kChain), "--target=x86", "--db=" + path, "--no-program",
       "--trials=2", "--json=/dev/full", "--log=/dev/full", "--report=" + page});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("cannot write /dev/full: No space left on device\n"),
                    HasSubstr("cannot write /dev/full: No space left on device; it has 0 of ")));
  EXPECT_THAT(result.out, HasSubstr("the report is in " + page));
  EXPECT_THAT(testing::ReadTestFile(page), HasSubstr("</html>"));
  EXPECT_GE(RecordsOf(path).size(), 2u);
}

TEST(Tune, NumbersAreAboveZero) {
  for (const char* option : {"--trials", "--minutes"}) {
    for (const char* value : {"0", "-1", "abc", "nan", "inf"}) {
      const CommandResult result = RunHalyard(
          {"tune", WriteTestFile("chain.hlo", kChain), absl::StrCat(option, "=", value)});
      EXPECT_EQ(result.status, 2) << value;
      EXPECT_THAT(result.err,
                  HasSubstr(absl::StrCat(option, ": must be a number above 0, not `", value, "`")));
    }
  }
}

// Makes a database with one record of kChain's kernel, with this schedule and version, which is the
// fastest.
std::string DatabaseWith(const std::string& name, const std::string& schedule,
                         const std::string& version) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const std::string path = NewDatabase(name);
  const CommandResult tuned = RunHalyard({"tune", "--no-report", "--no-program", program,
                                          "--target=x86", "--db=" + path, "--trials=1"});
  EXPECT_EQ(tuned.status, 0) << tuned.err;
  const std::vector<Record> records = RecordsOf(path);
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
  if (records.empty() || !database.ok()) return path;
  Record record = records[0];
  const std::vector<std::string> none = {"no version"};
  EXPECT_TRUE(database->Prune(1, none).ok());
  record.schedule = schedule.empty() ? record.schedule : schedule;
  if (!version.empty()) record.version = version;
  record.seconds /= 2;
  EXPECT_TRUE(database->Put({record}).ok());
  return path;
}

TEST(Tune, RecordsOfAnotherVersionAreIgnoredAndSaidSo) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const std::string path = DatabaseWith("old", "", "elementwise 0 halide 1.0");
  CommandResult result =
      RunHalyard({"run", program, "--target=x86", "--random-inputs=1", "--db=" + path});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("\"elementwise 0 halide 1.0\""));
  EXPECT_THAT(result.err, HasSubstr("no longer count"));
  result =
      RunHalyard({"run", program, "--target=x86", "--random-inputs=1", "--db=" + path, "--locked"});
  EXPECT_EQ(result.status, 1);
}

TEST(Tune, ARecordThatNoLongerCompilesGivesWayToTheDefault) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const std::string path = DatabaseWith("broken", "elementwise vec=7 grain=11", "");
  CommandResult result = RunHalyard(
      {"run", program, "--target=x86", "--random-inputs=1", "--compare=reference", "--db=" + path});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("warning: the record's schedule \"elementwise vec=7 grain=11\" "
                                    "no longer compiles, and the default is used"));
  result = RunHalyard(
      {"run", program, "--target=x86", "--random-inputs=1", "--db=" + path, "--no-tuning"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("no longer compiles")));
}

TEST(Tune, AnUnknownKernelIsAnErrorThatNamesThoseThereAre) {
  const CommandResult result =
      RunHalyard({"tune", "--no-report", WriteTestFile("chain.hlo", kChain), "--target=x86",
                  "--db=" + NewDatabase("names"), "--kernel=nothing"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("the program has no kernel nothing; it has "));
}

}  // namespace
}  // namespace halyard
