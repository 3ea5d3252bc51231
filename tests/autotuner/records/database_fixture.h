// A database in a folder of its own, and records for it.
#ifndef HALYARD_TESTS_AUTOTUNER_RECORDS_DATABASE_FIXTURE_H_
#define HALYARD_TESTS_AUTOTUNER_RECORDS_DATABASE_FIXTURE_H_

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "autotuner/records/database.h"
#include "autotuner/records/sqlite.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {

inline Record Good(const std::string& kernel, const std::string& schedule, double seconds) {
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

inline Record WithResources(const std::string& kernel, const std::string& schedule) {
  Record record = Good(kernel, schedule, 1);
  record.resources.registers = 64;
  record.resources.spilled_bytes = 16;
  return record;
}

}  // namespace halyard::autotuner

#endif  // HALYARD_TESTS_AUTOTUNER_RECORDS_DATABASE_FIXTURE_H_
