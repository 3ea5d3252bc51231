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
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "autotuner/records/database.h"
#include "autotuner/records/sqlite.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/records/database_fixture.h"

namespace halyard::autotuner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

// SQLite would keep the first two in memory, and take the third for a file called "b".
TEST_F(DatabaseTest, EveryNameIsThatOfAFile) {
  std::filesystem::create_directories(folder_);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  for (const char* name : {":memory:", "file:a?mode=memory", "file:b", "plain"}) {
    SCOPED_TRACE(name);
    {
      absl::StatusOr<Database> database = Database::Open(name, Database::Mode::kReadWrite);
      ASSERT_TRUE(database.ok()) << database.status();
      EXPECT_EQ(database->path(), name);
      ASSERT_TRUE(database->Put({Good("k", "plain vec=4", 3)}).ok());
    }
    EXPECT_TRUE(std::filesystem::exists(folder_ + "/" + name));
    absl::StatusOr<Database> database = Database::Open(name, Database::Mode::kReadOnly);
    ASSERT_TRUE(database.ok()) << database.status();
    EXPECT_EQ(All(*database).size(), 1u);
  }
  std::filesystem::current_path(before);
}

TEST_F(DatabaseTest, AnEmptyHomeIsNone) {
  const char* const names[] = {"HALYARD_TUNING_DB", "XDG_DATA_HOME", "HOME"};
  std::map<std::string, std::optional<std::string>> before;
  for (const char* name : names) {
    const char* value = getenv(name);
    before[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
    ASSERT_EQ(setenv(name, "", 1), 0);
  }
  EXPECT_EQ(Database::DefaultPath(), "/tmp/.local/share/halyard/tuning.sqlite");
  for (const auto& [name, value] : before) {
    if (value.has_value()) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
}

// The file is in this state between the moments when a tuner makes it and its tables.
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
  // A database of another program.
  const std::string other = folder_ + "/other.sqlite";
  ASSERT_TRUE((*Connection::Open(other, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE))
                  ->Execute("CREATE TABLE mine (x)")
                  .ok());
  EXPECT_THAT(std::string(Database::Open(other, Database::Mode::kReadOnly).status().message()),
              HasSubstr("not a tuning database"));
}

// While it lives, this process may read the folder and its files, but not write them. Root may
// always write, so it becomes the user "nobody".
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
    GTEST_SKIP() << "the user nobody may not read the folder of temporary files";
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

// The file lacks what a killed writer left in its log, so reading the file alone would lose it.
TEST_F(DatabaseTest, ALogThatCannotBeReadIsAnError) {
  { OpenIt(); }
  std::ofstream(path_ + "-wal") << std::string(4096, 'x');
  const MayOnlyRead may_only_read(folder_ + "/sub");
  if (faccessat(AT_FDCWD, path_.c_str(), R_OK, AT_EACCESS) != 0)
    GTEST_SKIP() << "the user nobody may not read the folder of temporary files";
  const absl::Status status = Database::Open(path_, Database::Mode::kReadOnly).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("-wal may hold records"));
}

// Files of older Halyards: version 1 had no state, version 2 no resources.
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
  // A tuner converts it to this version while it is being read.
  ASSERT_TRUE(OpenIt().Put({new_}).ok());
  EXPECT_THAT(All(*reader), ElementsAre(old_, new_));
  EXPECT_NE(*reader->State(), *state);
}

// Kills a writer at a random moment, 50 times. Everything that it reported as written must be
// there.
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

// Two processes write and one reads, with $HALYARD_NIGHTLY for a minute.
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
