#include "client/tuning/tuned_schedules.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "autotuner/records/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard {
namespace {

using autotuner::Database;
using autotuner::Record;
using lowering::KernelRequest;
using ::testing::AllOf;
using ::testing::HasSubstr;

class TunedSchedulesTest : public ::testing::Test {
 protected:
  TunedSchedulesTest()
      : path_(absl::StrCat(::testing::TempDir(), "/tuned_schedules_", getpid(), ".sqlite")) {
    Remove();
  }
  ~TunedSchedulesTest() override { Remove(); }
  void Remove() {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
  }
  static KernelRequest Request(int number, const char* device = "this CPU") {
    KernelRequest request;
    request.hlo = absl::StrCat("ENTRY e {\n  ROOT r = f32[", number, "] parameter(0)\n}\n");
    strcpy(request.device.name, device);
    return request;
  }
  static Record RecordOf(const KernelRequest& request, const std::string& schedule,
                         double seconds) {
    Record record;
    record.kernel = request.KernelKey();
    record.device = request.device.name;
    record.schedule = schedule;
    record.version = autotuner::VersionOfLine(schedule);
    record.seconds = seconds;
    return record;
  }
  void Put(const std::vector<Record>& records) {
    absl::StatusOr<Database> database = Database::Open(path_, Database::Mode::kReadWrite);
    ASSERT_TRUE(database.ok()) << database.status();
    ASSERT_TRUE(database->Put(records).ok());
  }
  std::string Find(const KernelRequest& request) {
    absl::StatusOr<TunedSchedules> tuned = TunedSchedules::Open(path_);
    EXPECT_TRUE(tuned.ok()) << tuned.status();
    const auto line = tuned->Find(request);
    EXPECT_TRUE(line.ok()) << line.status();
    return line->value_or("none");
  }

  const std::string path_;
};

TEST_F(TunedSchedulesTest, TheFastestOfThisKernelDeviceAndVersion) {
  EXPECT_EQ(Find(Request(1)), "none");  // no database
  Record old = RecordOf(Request(1), "row lanes=2 grain=4", 1e-9);
  old.version = "row 0 halide 1.0";
  Record failed = RecordOf(Request(1), "row lanes=8 grain=4", 0);
  failed.outcome = autotuner::Outcome::kCrash;
  Put({RecordOf(Request(1), "row lanes=4 grain=8", 2e-6),
       RecordOf(Request(1), "row lanes=4 grain=16", 1e-6), old, failed,
       RecordOf(Request(1, "another"), "row lanes=1 grain=1", 1e-7)});
  EXPECT_EQ(Find(Request(1)), "row lanes=4 grain=16");
  EXPECT_EQ(Find(Request(1, "another")), "row lanes=1 grain=1");
  EXPECT_EQ(Find(Request(2)), "none");
}

// Records that remain after a template's version was raised are not known to be faster than the
// default.
TEST_F(TunedSchedulesTest, WithoutItsDefaultARecordDoesNotCount) {
  Record first = RecordOf(Request(1), "row lanes=2 grain=4", 2e-6);
  first.version = "row 0 halide 1.0";
  first.created = 1000;
  Record best = first;
  best.schedule = "row lanes=8 grain=4";
  best.seconds = 1e-6;
  best.created = 1001;
  Record other = RecordOf(Request(1), "reduction lanes=16 parts=1 vec=1", 9e-6);
  other.created = 1001;
  Put({first, best, other});
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(Find(Request(1)), "none");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::AnyOf("", ::testing::HasSubstr("\"row 0 halide 1.0\"")));  // reported once
  // The old records are slower, so this one has been compared with the default and was faster.
  other.seconds = 5e-7;
  Put({other});
  EXPECT_EQ(Find(Request(1)), "reduction lanes=16 parts=1 vec=1");
  // After new tuning, the default is known again.
  other.seconds = 9e-6;
  Record again = RecordOf(Request(1), "row lanes=2 grain=4", 3e-6);
  again.created = 2000;
  Put({other, again});
  EXPECT_EQ(Find(Request(1)), "row lanes=2 grain=4");
}

TEST_F(TunedSchedulesTest, TheStateChangesWithTheRecords) {
  Put({RecordOf(Request(1), "row lanes=4 grain=8", 2e-6)});
  const std::string before = TunedSchedules::Open(path_)->state();
  EXPECT_EQ(TunedSchedules::Open(path_)->state(), before);
  Put({RecordOf(Request(1), "row lanes=4 grain=16", 1e-6)});
  const std::string after = TunedSchedules::Open(path_)->state();
  EXPECT_NE(after, before);
  Remove();  // another database of the same name
  Put({RecordOf(Request(1), "row lanes=4 grain=8", 2e-6)});
  EXPECT_NE(TunedSchedules::Open(path_)->state(), before);
}

TEST_F(TunedSchedulesTest, WhatIsNoDatabaseIsAnError) {
  FILE* file = fopen(path_.c_str(), "wb");
  fputs("this is no database, but it is long enough to be taken for one by its size alone", file);
  fclose(file);
  EXPECT_FALSE(TunedSchedules::Open(path_).ok());
}

// A compilation continues without a database that cannot be read.
TEST_F(TunedSchedulesTest, WhatIsNoDatabaseStopsNoCompile) {
  std::ofstream(path_) << std::string(8192, 'x');
  EXPECT_FALSE(TunedSchedules::OpenForCompile(path_, /*locked=*/true).ok());
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    auto tuned = TunedSchedules::OpenForCompile(path_, /*locked=*/false);
    ASSERT_TRUE(tuned.ok()) << tuned.status();
    EXPECT_TRUE(tuned->failed());
    EXPECT_EQ(tuned->path(), path_);
    const auto line = tuned->Find(Request(1));
    ASSERT_TRUE(line.ok()) << line.status();
    EXPECT_EQ(*line, std::nullopt);
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, AllOf(HasSubstr("halyard: warning: tuning database " + path_),
                          HasSubstr("--no-tuning")));
  EXPECT_EQ(said.find("warning", said.find("warning") + 1), std::string::npos) << "said once";
}

// Damage that is found only when a record is looked up.
TEST_F(TunedSchedulesTest, DamageInTheMiddleStopsNoCompile) {
  std::vector<Record> records;
  for (int kernel = 0; kernel < 400; ++kernel)
    records.push_back(RecordOf(Request(kernel), "row lanes=4 grain=8", 1e-6));
  Put(records);
  // Overwrites every page after the first, except the one that holds the state.
  std::string bytes;
  {
    std::ifstream in(path_, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  constexpr size_t kPage = 4096;
  ASSERT_GT(bytes.size(), 10 * kPage);
  const std::string state = TunedSchedules::Open(path_)->state();
  const std::string name = state.substr(0, state.find(' '));
  for (size_t page = kPage; page < bytes.size(); page += kPage) {
    const std::string old = bytes.substr(page, kPage);
    if (old.find(name) == std::string::npos) bytes.replace(page, kPage, kPage, '\xa5');
  }
  std::ofstream(path_, std::ios::binary) << bytes;
  for (const bool locked : {true, false}) {
    auto tuned = TunedSchedules::OpenForCompile(path_, locked);
    ASSERT_TRUE(tuned.ok()) << tuned.status();
    EXPECT_FALSE(tuned->failed());
    const auto line = tuned->Find(Request(7));
    EXPECT_EQ(line.ok(), !locked) << line.status();
    EXPECT_EQ(tuned->failed(), !locked);
  }
}

// SQLite also writes next to the file when reading. If there is no room for that, readers must read
// the file itself.
TEST_F(TunedSchedulesTest, AFullDiskHidesNoRecord) {
  Put({RecordOf(Request(1), "row lanes=4 grain=8", 2e-6)});
  for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(path_ + end);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    auto tuned = TunedSchedules::OpenForCompile(path_, /*locked=*/true);
    if (!tuned.ok()) _exit(1);
    const auto line = tuned->Find(Request(1));
    _exit(line.ok() && *line == "row lanes=4 grain=8" ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// A lookup finds its records by an index: with 100 times as many in the database, it takes far less
// than 100 times as long. Other load on the machine slows both down.
TEST_F(TunedSchedulesTest, ALookupDoesNotReadTheWholeDatabase) {
  auto fill = [&](int grains) {
    std::vector<Record> records;
    for (int kernel = 0; kernel < 200; ++kernel) {
      for (int grain = 1; grain <= grains; ++grain) {
        records.push_back(
            RecordOf(Request(kernel), absl::StrCat("row lanes=4 grain=", grain), 1e-6 * grain));
      }
    }
    Put(records);
  };
  auto least_seconds = [&] {
    double least = 1e9;
    for (int round = 0; round < 10; ++round) {
      absl::StatusOr<TunedSchedules> tuned = TunedSchedules::Open(path_);
      EXPECT_TRUE(tuned.ok());
      const auto start = std::chrono::steady_clock::now();
      for (int kernel = 0; kernel < 50; ++kernel)
        EXPECT_EQ(tuned->Find(Request(kernel))->value_or(""), "row lanes=4 grain=1");
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      least = std::min(least, took.count() / 50);
    }
    return least;
  };
  fill(1);
  const double few = least_seconds();
  fill(100);
  const double many = least_seconds();
  RecordProperty("ratio", absl::StrCat(many / few));
  EXPECT_LT(many / few, 30);
}

}  // namespace
}  // namespace halyard
