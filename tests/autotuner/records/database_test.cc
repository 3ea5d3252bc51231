#include "autotuner/records/database.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "absl/strings/str_cat.h"
#include "autotuner/records/sqlite.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Record Good(const std::string& kernel, const std::string& schedule, double seconds) {
  Record record;
  record.kernel = kernel;
  record.device = "a device";
  record.schedule = schedule;
  record.version = "plain 1 halide 21.0.0";
  record.seconds = seconds;
  record.spread = seconds / 10;
  record.rounds = 7;
  record.created = 1000;
  record.machine = "here";
  return record;
}

Record Later(Record record) {
  record.created += 1000;
  return record;
}

class DatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = absl::StrCat(::testing::TempDir(), "/db_", getpid(), "_",
                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    path_ = folder_ + "/sub/tuning.sqlite";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Database OpenIt() {
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
    EXPECT_TRUE(database.ok()) << database.status();
    return *std::move(database);
  }
  std::vector<Record> All(const Database& database, const Filter& filter = {}) {
    std::vector<Record> records;
    EXPECT_TRUE(database
                    .ForEach(filter,
                             [&](const Record& r) {
                               records.push_back(r);
                               return true;
                             })
                    .ok());
    return records;
  }

  std::string folder_, path_;
};

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

TEST_F(DatabaseTest, WrongFilesAreErrors) {
  EXPECT_EQ(Database::Open(path_, Database::Mode::kReadOnly).status().code(),
            absl::StatusCode::kNotFound);
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ + "/text") << std::string(5000, 'x');
  EXPECT_EQ(Database::Open(folder_ + "/text", Database::Mode::kReadWrite).status().code(),
            absl::StatusCode::kDataLoss);
  for (const auto mode : {Database::Mode::kReadOnly, Database::Mode::kReadWrite}) {
    EXPECT_THAT(std::string(Database::Open(folder_, mode).status().message()),
                HasSubstr(folder_ + " is a folder"));
  }
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

// The first to be measured is the default's.
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

// The default's template is of another version now, and those of other templates are beside it.
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
  // Until the default is measured anew.
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
  // Of a file's lines of one second, the later.
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

// As between the moments when a tuner makes the file and its tables.
TEST_F(DatabaseTest, AnEmptyFileIsAsNone) {
  std::filesystem::create_directories(folder_ + "/sub");
  std::ofstream(path_).close();
  for (const char* sql : {"", "PRAGMA journal_mode = WAL"}) {
    if (*sql != '\0') {
      ASSERT_TRUE((*Connection::Open(path_, SQLITE_OPEN_READWRITE))->Execute(sql).ok());
    }
    const absl::Status status = Database::Open(path_, Database::Mode::kReadOnly).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("is empty"));
  }
  ASSERT_TRUE(OpenIt().Put({Good("k", "plain vec=4", 3)}).ok());
  EXPECT_TRUE(Database::Open(path_, Database::Mode::kReadOnly).ok());
  // Somebody else's.
  const std::string other = folder_ + "/other.sqlite";
  ASSERT_TRUE((*Connection::Open(other, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE))
                  ->Execute("CREATE TABLE mine (x)")
                  .ok());
  EXPECT_THAT(std::string(Database::Open(other, Database::Mode::kReadOnly).status().message()),
              HasSubstr("not a tuning database"));
}

// While it lives, the folder and the files in it may be read, not written. Root may always: it
// becomes nobody.
class MayOnlyRead {
 public:
  explicit MayOnlyRead(const std::string& folder) : folder_(folder) {
    Permit(false);
    EXPECT_EQ(root_ ? seteuid(65534) : 0, 0);
  }
  ~MayOnlyRead() {
    EXPECT_EQ(root_ ? seteuid(0) : 0, 0);
    Permit(true);
  }

 private:
  void Permit(bool write) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      EXPECT_EQ(chmod(entry.path().c_str(), write ? 0644 : 0444), 0);
    EXPECT_EQ(chmod(folder_.c_str(), write ? 0755 : 0555), 0);
  }
  const std::string folder_;
  const bool root_ = geteuid() == 0;
};

TEST_F(DatabaseTest, IsReadWhereItMayNotBeWritten) {
  path_ = folder_ + "/sub ?#%/tuning 1%41.sqlite";
  ASSERT_TRUE(OpenIt().Put({Good("k", "plain vec=4", 3)}).ok());
  const MayOnlyRead may_only_read(folder_ + "/sub ?#%");
  if (faccessat(AT_FDCWD, path_.c_str(), R_OK, AT_EACCESS) != 0)
    GTEST_SKIP() << "nobody may not read the folder of temporary files";
  const absl::StatusOr<Database> reader = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_THAT(All(*reader), ElementsAre(Good("k", "plain vec=4", 3)));
  EXPECT_TRUE(reader->State().ok());
  EXPECT_THAT(*reader->Verify(), IsEmpty());
  for (const std::string& path : {path_, folder_ + "/sub ?#%/new.sqlite"}) {
    const absl::Status status = Database::Open(path, Database::Mode::kReadWrite).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(absl::StrCat("tuning database ", path, " cannot be written")));
  }
}

// What a killed writer left in its log is not in the file: to read that alone would lose it.
TEST_F(DatabaseTest, ALogThatCannotBeReadIsAnError) {
  { OpenIt(); }
  std::ofstream(path_ + "-wal") << std::string(4096, 'x');
  const MayOnlyRead may_only_read(folder_ + "/sub");
  if (faccessat(AT_FDCWD, path_.c_str(), R_OK, AT_EACCESS) != 0)
    GTEST_SKIP() << "nobody may not read the folder of temporary files";
  const absl::Status status = Database::Open(path_, Database::Mode::kReadOnly).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("-wal may hold records"));
}

TEST_F(DatabaseTest, VerifyFindsDamage) {
  {
    Database database = OpenIt();
    ASSERT_TRUE(database.Put({Good("k", "plain vec=4", 3), Good("k", "plain vec=8", 4)}).ok());
    EXPECT_THAT(*database.Verify(), IsEmpty());
  }
  // As a stray write would: another time in a record, the checksum as it was.
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

Record WithResources(const std::string& kernel, const std::string& schedule) {
  Record record = Good(kernel, schedule, 1);
  record.resources.registers = 64;
  record.resources.spilled_bytes = 16;
  return record;
}

TEST_F(DatabaseTest, ResourcesAreKept) {
  Database database = OpenIt();
  const Record known = WithResources("k", "plain vec=4"), unknown = Good("k", "plain vec=8", 2);
  ASSERT_TRUE(database.Put({known, unknown}).ok());
  EXPECT_THAT(All(database), ElementsAre(known, unknown));
  EXPECT_EQ((*database.Best({}))->resources, known.resources);
  EXPECT_THAT(*database.Verify(), IsEmpty());
  // A later record that does not know them replaces it as a whole.
  ASSERT_TRUE(database.Put({Good("k", "plain vec=4", 1)}).ok());
  EXPECT_THAT(All(database), ElementsAre(Good("k", "plain vec=4", 1), unknown));
}

// Files of older Halyards: 1 had no state, 2 no resources.
class OldDatabaseTest : public DatabaseTest, public ::testing::WithParamInterface<int> {
 protected:
  void MakeOld() {
    ASSERT_TRUE(OpenIt().Put({old_}).ok());
    absl::StatusOr<std::unique_ptr<Connection>> connection =
        Connection::Open(path_, SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(connection.ok()) << connection.status();
    std::string sql = "ALTER TABLE records DROP COLUMN resources;";
    if (GetParam() == 1) sql += "DROP TABLE state;";
    absl::StrAppend(&sql, "PRAGMA user_version = ", GetParam());
    ASSERT_TRUE((*connection)->Execute(sql.c_str()).ok());
  }
  const Record old_ = Good("k", "plain vec=4", 3), new_ = WithResources("k", "plain vec=8");
};
INSTANTIATE_TEST_SUITE_P(Versions, OldDatabaseTest, ::testing::Values(1, 2));

TEST_P(OldDatabaseTest, IsBroughtToThisVersion) {
  MakeOld();
  {
    Database database = OpenIt();
    EXPECT_THAT(All(database), ElementsAre(old_));
    EXPECT_THAT(*database.Verify(), IsEmpty());
    EXPECT_TRUE(database.State().ok());
    ASSERT_TRUE(database.Put({new_}).ok());
  }
  const absl::StatusOr<Database> again = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(All(*again), ElementsAre(old_, new_));
}

TEST_P(OldDatabaseTest, IsReadAsItIs) {
  MakeOld();
  const absl::StatusOr<Database> reader = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const absl::StatusOr<std::string> state = reader->State();  // compiles ask for it
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(*reader->State(), *state);
  EXPECT_THAT(All(*reader), ElementsAre(old_));
  EXPECT_THAT(*reader->Verify(), IsEmpty());
  // A tuner brings it to this version while it is being read.
  ASSERT_TRUE(OpenIt().Put({new_}).ok());
  EXPECT_THAT(All(*reader), ElementsAre(old_, new_));
  EXPECT_NE(*reader->State(), *state);
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
  EXPECT_THAT(std::string(FromJson("{").status().message()), HasSubstr("no JSON object"));
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
}

// A writer is killed at a random moment, 50 times over: what it said was written is there.
TEST_F(DatabaseTest, KilledWritersLoseNothing) {
  OpenIt();
  std::minstd_rand random(7);
  int64_t said = 0;
  for (int round = 0; round < 50; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
      if (!database.ok()) _exit(1);
      for (int i = 0;; ++i) {
        if (!database->Put({Good(absl::StrCat("k", round), absl::StrCat("plain vec=", i), 1)}).ok())
          _exit(1);
        if (write(pipe_ends[1], "x", 1) != 1) _exit(1);
      }
    }
    close(pipe_ends[1]);
    usleep(static_cast<useconds_t>(random() % 40000));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
    char buffer[4096];
    int64_t here = 0;
    for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof(buffer))) > 0;) here += n;
    close(pipe_ends[0]);
    said += here;
    const Database database = OpenIt();
    EXPECT_GE(*database.Count({.kernel = absl::StrCat("k", round)}), here);
  }
  const Database database = OpenIt();
  EXPECT_THAT(*database.Verify(), IsEmpty());
  EXPECT_GT(said, 0);
}

// Two processes write and one reads; $HALYARD_NIGHTLY: for a minute.
TEST_F(DatabaseTest, IsMadeByTwoWhileOthersRead) {
  for (int round = 0; round < 100; ++round) {
    std::filesystem::remove_all(folder_);
    std::atomic<bool> end = false;
    std::vector<std::string> wrong[3];
    auto read = [&](std::vector<std::string>* errors) {
      while (!end) {
        const absl::Status status = Database::Open(path_, Database::Mode::kReadOnly).status();
        if (!status.ok() && !absl::IsNotFound(status)) errors->push_back(status.ToString());
      }
    };
    auto write = [&](std::vector<std::string>* errors) {
      const absl::Status status = Database::Open(path_, Database::Mode::kReadWrite).status();
      if (!status.ok()) errors->push_back(status.ToString());
    };
    std::thread reader(read, &wrong[0]), one(write, &wrong[1]), other(write, &wrong[2]);
    one.join();
    other.join();
    end = true;
    reader.join();
    for (const auto& errors : wrong) ASSERT_THAT(errors, ::testing::IsEmpty()) << round;
  }
}

TEST_F(DatabaseTest, TwoWritersAndAReader) {
  OpenIt();
  const int seconds = std::getenv("HALYARD_NIGHTLY") != nullptr ? 60 : 2;
  pid_t writers[2];
  for (int w = 0; w < 2; ++w) {
    writers[w] = fork();
    if (writers[w] != 0) continue;
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
    if (!database.ok()) _exit(255);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    int written = 0;
    for (; std::chrono::steady_clock::now() < end; ++written) {
      if (!database->Put({Good(absl::StrCat("w", w), absl::StrCat("plain vec=", written), 1)}).ok())
        _exit(254);
    }
    std::ofstream(absl::StrCat(folder_, "/count", w)) << written;
    _exit(0);
  }
  absl::StatusOr<Database> reader = Database::Open(path_, Database::Mode::kReadOnly);
  ASSERT_TRUE(reader.ok()) << reader.status();
  int64_t last = 0, reads = 0;
  int status[2] = {-1, -1};
  while (status[0] < 0 || status[1] < 0) {
    const absl::StatusOr<int64_t> count = reader->Count({});
    ASSERT_TRUE(count.ok()) << count.status();
    EXPECT_GE(*count, last);
    last = *count;
    ++reads;
    for (int w = 0; w < 2; ++w) {
      int ended;
      if (status[w] < 0 && waitpid(writers[w], &ended, WNOHANG) == writers[w]) status[w] = ended;
    }
    usleep(1000);
  }
  EXPECT_THAT(status, ElementsAre(0, 0));
  EXPECT_GT(reads, 10);
  for (int w = 0; w < 2; ++w) {
    int64_t written = 0;
    std::ifstream(absl::StrCat(folder_, "/count", w)) >> written;
    EXPECT_GT(written, 0);
    EXPECT_EQ(*reader->Count({.kernel = absl::StrCat("w", w)}), written);
  }
  EXPECT_THAT(*reader->Verify(), IsEmpty());
}

}  // namespace
}  // namespace halyard::autotuner
