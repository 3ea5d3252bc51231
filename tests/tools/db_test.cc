// halyard db.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "autotuner/record.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using autotuner::Record;
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
  record.version = "elementwise 1 halide 21.0.0";
  record.seconds = seconds;
  record.rounds = 5;
  record.created = 1790000000;
  record.machine = "host";
  return record;
}

// A database of two records of one kernel, by import. Returns its path.
std::string MakeDatabase(const std::string& name) {
  const std::string path = TestFolder() + "/" + name + ".sqlite";
  const std::string lines =
      WriteTestFile(name + ".jsonl", ToJson(Example("elementwise vec=8", 2e-6)) + "\n" +
                                         ToJson(Example("elementwise vec=16", 1e-6)) + "\n");
  const CommandResult result = RunHalyard({"db", "import", lines, "--db", path});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 records imported"));
  return path;
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
  EXPECT_THAT(RunHalyard({"db", "prune", "--db", path}).out, HasSubstr("1 records removed"));
  EXPECT_THAT(RunHalyard({"db", "list", "--db", path}).out, Not(HasSubstr("vec=8")));
  EXPECT_THAT(RunHalyard({"db", "verify", "--db", path}).out, HasSubstr("1 records, none damaged"));
}

TEST(Db, WrongInputsHavePlaces) {
  const std::string lines = WriteTestFile(
      "bad.jsonl", ToJson(Example("elementwise vec=8", 2e-6)) + "\n{\"kernel\": 3}\n");
  const std::string path = TestFolder() + "/bad.sqlite";
  CommandResult result = RunHalyard({"db", "import", lines, "--db", path});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("bad.jsonl:2:1: error: \"kernel\""));
  EXPECT_EQ(RunHalyard({"db", "list", "--db", path}).status, 1) << "nothing was imported";
  result =
      RunHalyard({"db", "verify", "--db", WriteTestFile("text.sqlite", std::string(4096, 'a'))});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("not a database"));
  EXPECT_EQ(RunHalyard({"db"}).status, 2);
}

}  // namespace
}  // namespace halyard
