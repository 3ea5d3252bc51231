#include "autotuner/records/database.h"

#include <fcntl.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "autotuner/records/sqlite.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/records/database_fixture.h"

namespace halyard::autotuner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Record Later(Record record) {
  record.created += 1000;
  return record;
}

TEST_F(DatabaseTest, BestIsTheFastestGoodRecord) {
  Database database = OpenIt();
  Record wrong = Good("k1", "plain vec=16", 0.1);
  wrong.outcome = Outcome::kWrongResult;
  wrong.error = "differs by 3";
  Record elsewhere = Good("k1", "plain vec=32", 0.2);
  elsewhere.device = "another device";
  ASSERT_TRUE(database
                  .Put({Good("k1", "plain vec=4", 3), Good("k1", "plain vec=8", 2), wrong,
                        elsewhere, Good("k2", "plain vec=8", 1)})
                  .ok());
  const auto best = database.Best({.kernel = "k1", .device = "a device"});
  ASSERT_TRUE(best.ok() && best->has_value());
  EXPECT_EQ(**best, Good("k1", "plain vec=8", 2));
  EXPECT_EQ((*database.Best({.kernel = "k1"}))->device, "another device");
  EXPECT_FALSE(database.Best({.kernel = "k3"})->has_value());
  EXPECT_FALSE(database.Best({.kernel = "k1", .version = "plain 2"})->has_value());
  EXPECT_EQ(*database.Count({.kernel = KernelFingerprint("k1").substr(0, 8)}), 4);
}

TEST_F(DatabaseTest, ALaterRecordReplacesAnEarlierOne) {
  Database database = OpenIt();
  ASSERT_TRUE(database.Put({Good("k", "plain vec=4", 3)}).ok());
  ASSERT_TRUE(database.Put({Good("k", "plain vec=4", 5)}).ok());
  EXPECT_THAT(All(database), ElementsAre(Good("k", "plain vec=4", 5)));
}

TEST_F(DatabaseTest, StaysWhenClosed) {
  { ASSERT_TRUE(OpenIt().Put({Good("k", "plain vec=4", 3)}).ok()); }
  absl::StatusOr<Database> again = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(All(*again), SizeIs(1));
  EXPECT_EQ(again->Put({Good("k", "plain vec=8", 3)}).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(DatabaseTest, MergeTakesWhatIsNewOrNewer) {
  Database here = OpenIt();
  path_ = folder_ + "/other.sqlite";
  Database there = OpenIt();
  Record newer = Good("k", "plain vec=4", 2), older = Good("k", "plain vec=8", 9);
  newer.created = 2000;
  older.created = 500;
  ASSERT_TRUE(here.Put({Good("k", "plain vec=4", 3), Good("k", "plain vec=8", 1)}).ok());
  ASSERT_TRUE(there.Put({newer, older, Good("k2", "plain vec=8", 1)}).ok());
  EXPECT_EQ(*here.Merge(there), 2);
  EXPECT_THAT(All(here),
              ElementsAre(newer, Good("k", "plain vec=8", 1), Good("k2", "plain vec=8", 1)));
  EXPECT_EQ(*here.Merge(there), 0);
}

TEST_F(DatabaseTest, PruneKeepsTheFastest) {
  Database database = OpenIt();
  Record bad = Good("k", "plain vec=1", 0);
  bad.outcome = Outcome::kCrash;
  bad.created = 900;
  Record old = Good("k", "plain vec=2", 0.5);
  old.version = "plain 0 halide 20";
  old.created = 1;
  const Record second = Later(Good("k", "plain vec=16", 1)), third = Good("k", "plain vec=8", 2);
  ASSERT_TRUE(database.Put({Later(Good("k", "plain vec=4", 3)), third, second, bad, old}).ok());
  EXPECT_EQ(*database.Prune(2, {"plain 1 halide 21.0.0"}), 3);
  EXPECT_THAT(All(database), ElementsAre(second, third));
}

// The first record to be measured is that of the default.
TEST_F(DatabaseTest, PruneKeepsWhatTheScaleHangsOn) {
  Database database = OpenIt();
  const Record slow_default = Good("k", "plain vec=1", 9);
  const Record best = Later(Good("k", "plain vec=16", 1));
  Record elsewhere = Good("k", "plain vec=1", 7);
  elsewhere.device = "another device";
  ASSERT_TRUE(
      database.Put({slow_default, Later(Good("k", "plain vec=4", 3)), best, elsewhere}).ok());
  EXPECT_EQ(*database.Prune(1, {}), 1);
  EXPECT_THAT(All(database), ElementsAre(slow_default, best, elsewhere));
  EXPECT_EQ(*database.Prune(1, {}), 0);
}

// The default's template now has another version, and records of other templates exist beside it.
TEST_F(DatabaseTest, PruneKeepsAnOldDefaultWhileOthersAreOnItsScale) {
  Database database = OpenIt();
  Record old_default = Good("k", "row lanes=1", 9), old = Later(Good("k", "row lanes=2", 8));
  old_default.version = old.version = "row 0 halide 20";
  Record alone = old_default;
  alone.kernel = "no other records";
  const Record current = Later(Good("k", "plain vec=16", 1));
  ASSERT_TRUE(database.Put({old_default, old, alone, current}).ok());
  EXPECT_EQ(*database.Prune(9, {current.version}), 2);
  EXPECT_THAT(All(database), ElementsAre(current, old_default));
  // This holds until the default is measured again.
  Record new_default = Later(Good("k", "row lanes=1", 9));
  new_default.version = "row 1 halide 21.0.0";
  ASSERT_TRUE(database.Put({new_default}).ok());
  EXPECT_EQ(*database.Prune(9, {current.version, new_default.version}), 1);
  EXPECT_THAT(All(database), ElementsAre(current, new_default));
}

TEST_F(DatabaseTest, OlderRecordsAreNotImported) {
  Database database = OpenIt();
  const Record first = Good("k", "plain vec=4", 3), newer = Later(Good("k", "plain vec=4", 2));
  Record same_second = newer;
  same_second.seconds = 5;
  ASSERT_TRUE(database.Put({newer}).ok());
  EXPECT_EQ(*database.PutUnlessOlder({first, Good("k", "plain vec=8", 4)}), 1);
  EXPECT_THAT(All(database), ElementsAre(newer, Good("k", "plain vec=8", 4)));
  // If lines of a file have the same second, the later line counts.
  EXPECT_EQ(*database.PutUnlessOlder({newer, same_second}), 2);
  EXPECT_THAT(All(database), ElementsAre(same_second, Good("k", "plain vec=8", 4)));
}

TEST_F(DatabaseTest, VersionsAndDevicesAreThoseOfRecords) {
  Database database = OpenIt();
  Record other = Good("k2", "row lanes=1", 1);
  other.device = "a CPU";
  other.version = "row 3";
  ASSERT_TRUE(database.Put({Good("k", "plain vec=4", 3), Good("k", "plain vec=8", 3), other}).ok());
  EXPECT_THAT(*database.Versions(), ElementsAre("plain 1 halide 21.0.0", "row 3"));
  EXPECT_THAT(*database.Devices(), ElementsAre("a CPU", "a device"));
}

TEST_F(DatabaseTest, VerifyFindsDamage) {
  {
    Database database = OpenIt();
    ASSERT_TRUE(database.Put({Good("k", "plain vec=4", 3), Good("k", "plain vec=8", 4)}).ok());
    EXPECT_THAT(*database.Verify(), IsEmpty());
  }
  // Acts like a stray write: changes the time in a record, but not the checksum.
  ASSERT_EQ(system(absl::StrCat("python3 -c \"import sqlite3; d = sqlite3.connect('", path_,
                                "'); d.execute('UPDATE records SET seconds = 0.001 WHERE seconds "
                                "= 4.0'); d.commit()\"")
                       .c_str()),
            0);
  const Database database = OpenIt();
  EXPECT_THAT(*database.Verify(), ElementsAre(HasSubstr("\"plain vec=8\": the record is damaged")));
  EXPECT_EQ((*database.Best({.kernel = "k"}))->schedule, "plain vec=4");
  int64_t damaged = -1;
  ASSERT_TRUE(database
                  .ForEach(
                      {}, [](const Record&) { return true; }, &damaged)
                  .ok());
  EXPECT_EQ(damaged, 1);
  path_ = folder_ + "/other.sqlite";
  damaged = -1;
  EXPECT_EQ(*OpenIt().Merge(database, &damaged), 1);
  EXPECT_EQ(damaged, 1);
}

TEST_F(DatabaseTest, ResourcesAreKept) {
  Database database = OpenIt();
  const Record known = WithResources("k", "plain vec=4"), unknown = Good("k", "plain vec=8", 2);
  ASSERT_TRUE(database.Put({known, unknown}).ok());
  EXPECT_THAT(All(database), ElementsAre(known, unknown));
  EXPECT_EQ((*database.Best({}))->resources, known.resources);
  EXPECT_THAT(*database.Verify(), IsEmpty());
  // A later record without resources replaces it as a whole.
  ASSERT_TRUE(database.Put({Good("k", "plain vec=4", 1)}).ok());
  EXPECT_THAT(All(database), ElementsAre(Good("k", "plain vec=4", 1), unknown));
}

TEST(Records, JsonAndBack) {
  Record record = Good("device kind=1\nENTRY e \"{}\" \\", "row lanes=64", 1.25e-5);
  record.outcome = Outcome::kWrongResult;
  record.error = "tab\tand line\n";
  const std::string line = ToJson(record);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const absl::StatusOr<Record> back = FromJson(line);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, record);
  const Record known = WithResources("k", "plain vec=4");
  EXPECT_THAT(ToJson(known), HasSubstr("\"resources\":\"registers=64 spills=16\""));
  EXPECT_EQ(*FromJson(ToJson(known)), known);
}

TEST(Records, WrongJsonIsNamed) {
  EXPECT_THAT(std::string(FromJson("{").status().message()), HasSubstr("not a JSON object"));
  EXPECT_THAT(
      FromJson("{\"a\":" + std::string(101, '[') + std::string(101, ']') + "}").status().message(),
      HasSubstr("the line nests more than 100 deep"));
  EXPECT_THAT(std::string(FromJson("{}").status().message()), HasSubstr("\"kernel\""));
  std::string line = ToJson(Good("k", "plain vec=4", 1));
  line.replace(line.find("\"good\""), 6, "\"fine\"");
  EXPECT_THAT(std::string(FromJson(line).status().message()), HasSubstr("\"fine\""));
  line = ToJson(Good("k", "plain vec=4", 1));
  line.replace(line.find("\"rounds\":7"), 10, "\"rounds\":-7");
  EXPECT_THAT(std::string(FromJson(line).status().message()), HasSubstr("\"rounds\""));
  line = ToJson(WithResources("k", "plain vec=4"));
  line.replace(line.find("spills=16"), 9, "spills=-6");
  EXPECT_THAT(std::string(FromJson(line).status().message()), HasSubstr("\"spills=-6\""));
  const std::string whole = ToJson(Good("k", "plain vec=4", 1));
  // Numbers that the record's type does not hold; a damaged file had one of 1.8e19.
  for (const char* number : {"18446744073709551615", "1.8e19", "-1", "2.5", "1e300"}) {
    for (const char* name : {"\"rounds\":", "\"created\":"}) {
      const size_t begin = whole.find(name) + std::string(name).size();
      const size_t end = whole.find_first_of(",}", begin);
      const std::string damaged = whole.substr(0, begin) + number + whole.substr(end);
      EXPECT_THAT(std::string(FromJson(damaged).status().message()), HasSubstr("whole number"))
          << damaged;
    }
  }
}

}  // namespace
}  // namespace halyard::autotuner
