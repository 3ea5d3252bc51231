// Tests `halyard tune`: its report, and --plan, whose bundle halyard-rt alone measures in another
// folder; the records are brought back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "autotuner/records/database.h"
#include "tests/tools/device_machine.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using testing::DeviceMachine;
using testing::Execute;
using ::testing::HasSubstr;
using testing::kElementwise;
using testing::kTwoKernels;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

CommandResult RunWell(const std::vector<std::string>& arguments) {
  const CommandResult result = RunHalyard(arguments);
  EXPECT_EQ(result.status, 0) << absl::StrJoin(arguments, " ") << "\n" << result.err;
  return result;
}

std::vector<autotuner::Record> Imported(const std::string& database) {
  std::vector<autotuner::Record> records;
  absl::StatusOr<autotuner::Database> db =
      autotuner::Database::Open(database, autotuner::Database::Mode::kReadOnly);
  EXPECT_TRUE(db.ok()) << db.status();
  EXPECT_TRUE(db->ForEach({}, [&records](const autotuner::Record& record) {
                  records.push_back(record);
                  return true;
                }).ok());
  return records;
}

TEST(Plan, IsMeasuredWithoutACompilerAndImported) {
  const std::string file = WriteTestFile("two.hlo", kTwoKernels);
  const std::string bundle = TestFolder() + "/two.bundle", db = TestFolder() + "/two.sqlite";
  const std::string out =
      RunWell({"tune", "--plan", file, "--target=x86", "--trials=4", "-o", bundle, "--db=" + db})
          .out;
  EXPECT_THAT(out, AllOf(HasSubstr("2 kernels, "), HasSubstr("halyard-rt measure ")));
  const DeviceMachine machine("x86", bundle);
  const std::string measured = Execute(machine.Command({})).out;
  EXPECT_THAT(measured, AllOf(HasSubstr("8 candidates measured, 0 of them failed"),
                              HasSubstr("kernels of one run: ")));
  // What has been measured is not measured again.
  EXPECT_THAT(Execute(machine.Command({})).out, HasSubstr("0 candidates measured"));
  RunWell({"db", "import", machine.records(), "--db=" + db});
  const std::vector<autotuner::Record> records = Imported(db);
  EXPECT_EQ(records.size(), 8u);
  for (const autotuner::Record& record : records)
    EXPECT_EQ(record.outcome, autotuner::Outcome::kGood) << record.schedule << record.error;
  // The records serve a compile: every kernel has one.
  setenv("HALYARD_TUNING_DB", db.c_str(), 1);
  RunWell({"run", file, "--target=x86", "--random-inputs=1", "--locked"});
  unsetenv("HALYARD_TUNING_DB");
}

TEST(Report, ShowsWhatWasDone) {
  const std::string file = WriteTestFile("two.hlo", kTwoKernels);
  const std::string page = TestFolder() + "/page.html";
  const std::string out = RunWell({"tune", file, "--target=x86", "--trials=4",
                                   "--db=" + TestFolder() + "/report.sqlite", "--report=" + page})
                              .out;
  EXPECT_THAT(out, HasSubstr("the report is in " + page));
  const std::string html = ReadTestFile(page);
  EXPECT_THAT(html, AllOf(HasSubstr("<h2>Roofline</h2>"), HasSubstr("whole program, measured"),
                          HasSubstr("The best schedule as Halide calls"), HasSubstr(".vectorize("),
                          HasSubstr("contraction tile_n="), HasSubstr("8</b><span>trials, ")));
}

TEST(Plan, WrongUsesAreNamed) {
  const std::string file = WriteTestFile("one.hlo", kElementwise);
  const CommandResult no_bundle = RunHalyard({"tune", "--plan", file, "--target=x86"});
  EXPECT_EQ(no_bundle.status, 2);
  EXPECT_THAT(no_bundle.err, HasSubstr("-o"));
  const std::string damaged = WriteTestFile("damaged", "HYBUNDL1 and then nothing of use at all");
  const CommandResult result = RunHalyard({"measure", damaged, "-o", TestFolder() + "/none.jsonl"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("damaged"));
  EXPECT_FALSE(std::filesystem::exists(TestFolder() + "/none.jsonl"));
}

}  // namespace
}  // namespace halyard
