// Tests halyard db.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "autotuner/records/record.h"
#include "autotuner/records/sqlite.h"
#include "autotuner/records/version.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using autotuner::Record;
using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

Record Example(const std::string& schedule, double seconds) {
  Record record;
  record.kernel = "device kind=1\naliases \nENTRY e {\n  ROOT %v1 = f32[8] add(%p0, %p0)\n}";
  record.device = "x86-64-v3";
  record.schedule = schedule;
  record.version = autotuner::VersionOfLine(schedule);
  record.seconds = seconds;
  record.rounds = 5;
  record.created = 1790000000;
  record.machine = "host";
  return record;
}

// Makes a database with two records of one kernel, by import. Returns its path.
std::string MakeDatabase(const std::string& name) {
  const std::string path = TestFolder() + "/" + name + ".sqlite";
  Record second = Example("elementwise vec=16", 1e-6);
  second.created += 60;
  const std::string lines = WriteTestFile(
      name + ".jsonl", ToJson(Example("elementwise vec=8", 2e-6)) + "\n" + ToJson(second) + "\n");
  const CommandResult result = RunHalyard({"db", "import", lines, "--db", path});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 records imported"));
  return path;
}

CommandResult Import(const std::string& path, const std::vector<Record>& records) {
  std::string lines;
  for (const Record& record : records) lines += ToJson(record) + "\n";
  const CommandResult result =
      RunHalyard({"db", "import", WriteTestFile("import.jsonl", lines), "--db", path});
  EXPECT_EQ(result.status, 0) << result.err;
  return result;
}

TEST(Db, ListShowBest) {
  const std::string path = MakeDatabase("list");
  CommandResult result = RunHalyard({"db", "list", "--db", path});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("%v1 = f32[8] add(%p0, %p0)"));
  EXPECT_THAT(result.out, HasSubstr("elementwise vec=16"));
  const std::string kernel = result.out.substr(result.out.find('\n') + 1, 12);
  result = RunHalyard({"db", "show", kernel, "--db", path});
  EXPECT_LT(result.out.find("elementwise vec=16"), result.out.find("elementwise vec=8"));
  result = RunHalyard({"db", "best", kernel, "--db", path});
  EXPECT_EQ(result.out, "elementwise vec=16\n");
  result = RunHalyard({"db", "best", "00000000", "--db", path});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("no good record of kernel 00000000"));
}

TEST(Db, ExportImportMergePruneVerify) {
  const std::string path = MakeDatabase("first"), file = TestFolder() + "/out.jsonl";
  ASSERT_EQ(RunHalyard({"db", "export", "--db", path, "-o", file}).status, 0);
  const std::string other = TestFolder() + "/second.sqlite";
  ASSERT_EQ(RunHalyard({"db", "import", file, "--db", other}).status, 0);
  EXPECT_EQ(RunHalyard({"db", "export", "--db", other}).out, ReadTestFile(file));
  EXPECT_THAT(RunHalyard({"db", "merge", other, "--db", path}).out, HasSubstr("0 records of"));
  // The second slowest. The slowest is the first that was measured.
  Record third = Example("elementwise vec=4", 1.5e-6);
  third.created += 30;
  Import(path, {third});
  EXPECT_THAT(RunHalyard({"db", "prune", "--db", path}).out, HasSubstr("1 records removed"));
  const std::string left = RunHalyard({"db", "export", "--db", path}).out;
  EXPECT_THAT(left, AllOf(HasSubstr("vec=8"), HasSubstr("vec=16"), Not(HasSubstr("vec=4"))));
  EXPECT_THAT(RunHalyard({"db", "verify", "--db", path}).out, HasSubstr("2 records, none damaged"));
}

TEST(Db, ImportKeepsTheNewer) {
  const std::string path = MakeDatabase("newer");
  Record older = Example("elementwise vec=8", 9e-6), newer = Example("elementwise vec=16", 7e-6);
  older.created -= 1;
  newer.created += 100;
  const std::string out = Import(path, {older, newer}).out;
  EXPECT_THAT(out, HasSubstr("1 records imported"));
  EXPECT_THAT(out, HasSubstr("1 are older than those that it has, and left out"));
  const std::string lines = RunHalyard({"db", "export", "--db", path}).out;
  EXPECT_THAT(lines, AllOf(Not(HasSubstr("9e-06")), HasSubstr("7e-06")));
}

TEST(Db, ImportsStandardInput) {
  const std::string path = TestFolder() + "/standard.sqlite";
  const std::string lines =
      WriteTestFile("standard.jsonl", ToJson(Example("elementwise vec=8", 2e-6)) + "\nno record\n");
  const auto import = [&](const std::string& filter) {
    return testing::RunProgram({"sh", "-c",
                                filter + " '" + lines +
                                    "' | '" HALYARD_BIN_DIR "/halyard' db import - --db '" + path +
                                    "'"});
  };
  const CommandResult wrong = import("cat");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.err, HasSubstr("<stdin>:2:1: error: "));
  const CommandResult right = import("head -n 1");
  EXPECT_EQ(right.status, 0) << right.err;
  EXPECT_THAT(right.out, HasSubstr("1 records imported"));
}

// The records have versions of other Halyards.
TEST(Db, StaleRecordsDoNotCount) {
  const std::string path = MakeDatabase("stale");
  Record old = Example("elementwise vec=32", 1e-9), alone = old;
  old.version = alone.version = "elementwise 0 halide 1.0";
  alone.kernel = "another";
  Import(path, {old, alone});
  const std::string list = RunHalyard({"db", "list", "--db", path}).out;
  EXPECT_THAT(list, AllOf(HasSubstr("stale"), HasSubstr("vec=16"), Not(HasSubstr("vec=32"))));
  const std::string kernel = autotuner::KernelFingerprint(old.kernel);
  EXPECT_EQ(RunHalyard({"db", "best", kernel, "--db", path}).out, "elementwise vec=16\n");
  EXPECT_THAT(RunHalyard({"db", "show", kernel, "--db", path}).out,
              HasSubstr("elementwise 0 halide 1.0 (stale)"));
  CommandResult result =
      RunHalyard({"db", "best", autotuner::KernelFingerprint("another"), "--db", path});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("\"elementwise 0 halide 1.0\" is \"" +
                                    Example("elementwise vec=8", 1).version + "\" now"));
  result = RunHalyard({"db", "prune", "--keep=9", "--version-is=foo", "--db", path});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("no record is of version \"foo\""),
                                HasSubstr("elementwise 0 halide 1.0")));
  result = RunHalyard({"db", "prune", "--keep=9", "--stale", "--db", path});
  EXPECT_THAT(result.out, HasSubstr("2 records removed"));
  EXPECT_THAT(RunHalyard({"db", "verify", "--db", path}).out, HasSubstr("2 records, none"));
  EXPECT_EQ(RunHalyard({"db", "prune", "--stale", "--version-is=foo", "--db", path}).status, 2);
}

TEST(Db, DamagedRecordsAreToldOf) {
  const std::string path = MakeDatabase("damaged"), other = TestFolder() + "/undamaged.sqlite";
  {
    auto connection = autotuner::Connection::Open(path, SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(connection.ok()) << connection.status();
    ASSERT_TRUE(
        (*connection)
            ->Execute("UPDATE records SET seconds = 1 WHERE schedule = 'elementwise vec=16'")
            .ok());
  }
  const std::string kernel = autotuner::KernelFingerprint(Example("", 1).kernel);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"db", "list"}, {"db", "show", kernel}, {"db", "export"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--db", path});
    const CommandResult result = RunHalyard(arguments);
    EXPECT_EQ(result.status, command[1] == "export" ? 1 : 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("vec=8"), Not(HasSubstr("vec=16"))));
    EXPECT_THAT(result.err, AllOf(HasSubstr("1 damaged records left out"), HasSubstr("db verify")));
  }
  const CommandResult merged = RunHalyard({"db", "merge", path, "--db", other});
  EXPECT_THAT(merged.out, HasSubstr("1 records of"));
  EXPECT_THAT(merged.err, HasSubstr("1 damaged records left out"));
}

TEST(Db, DevicesWithoutRecordsAreErrors) {
  const std::string path = MakeDatabase("devices");
  for (const char* command : {"list", "export"}) {
    const CommandResult result = RunHalyard({"db", command, "--on=nodevice", "--db", path});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("no records of device nodevice"));
    EXPECT_THAT(result.err, HasSubstr("it has those of x86-64-v3"));
    EXPECT_EQ(RunHalyard({"db", command, "--on=x86-64-v3", "--db", path}).status, 0);
  }
}

TEST(Db, PruneMakesNoDatabase) {
  const std::string path = TestFolder() + "/mistyped.sqlite";
  const CommandResult result = RunHalyard({"db", "prune", "--db", path});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("mistyped.sqlite does not exist"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Db, FoldersAndEmptyFilesAreNamed) {
  EXPECT_THAT(RunHalyard({"db", "list", "--db", TestFolder()}).err, HasSubstr("is a folder"));
  const std::string path = TestFolder() + "/folder.sqlite";
  EXPECT_THAT(RunHalyard({"db", "merge", TestFolder(), "--db", path}).err,
              HasSubstr("is a folder"));
  const CommandResult empty = RunHalyard({"db", "list", "--db", WriteTestFile("empty.sqlite", "")});
  EXPECT_EQ(empty.status, 1);
  EXPECT_THAT(empty.err, HasSubstr("empty.sqlite is empty"));
}

// Printing a value calls itself for each level, and such lines are short enough to be read.
TEST(Db, LinesThatNestAreErrors) {
  std::string line;
  for (int i = 0; i < 100'000; ++i) line += "{\"a\":";
  line += "1" + std::string(100'000, '}');
  const CommandResult result = RunHalyard(
      {"db", "import", WriteTestFile("deep.jsonl", line), "--db", TestFolder() + "/deep.sqlite"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("deep.jsonl:1:1: error: the line nests more than 100 deep"));
}

TEST(Db, WrongInputsHavePlaces) {
  const std::string lines = WriteTestFile(
      "bad.jsonl", ToJson(Example("elementwise vec=8", 2e-6)) + "\n{\"kernel\": 3}\n");
  const std::string path = TestFolder() + "/bad.sqlite";
  CommandResult result = RunHalyard({"db", "import", lines, "--db", path});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("bad.jsonl:2:1: error: \"kernel\""));
  EXPECT_EQ(RunHalyard({"db", "list", "--db", path}).status, 1) << "nothing was imported";
  const Record good = Example("elementwise vec=8", 2e-6);
  Record nowhere = good, other_template = good, choices = good;
  nowhere.device = "";
  other_template.schedule = "row lanes=4";
  choices.schedule = "store v0";
  choices.version = "choices 1";
  Import(TestFolder() + "/choices.sqlite", {choices});
  for (const auto& [record, message] :
       {std::pair(nowhere, "\"device\" is empty"),
        {other_template, "\"row lanes=4\" is not of \"version\""}}) {
    result = RunHalyard({"db", "import",
                         WriteTestFile("bad.jsonl", ToJson(good) + "\n" + ToJson(record) + "\n"),
                         "--db", path});
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.err, AllOf(HasSubstr("bad.jsonl:2:1: error: "), HasSubstr(message)));
  }
  result =
      RunHalyard({"db", "verify", "--db", WriteTestFile("text.sqlite", std::string(4096, 'a'))});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("not a database"));
  EXPECT_EQ(RunHalyard({"db"}).status, 2);
}

}  // namespace
}  // namespace halyard
