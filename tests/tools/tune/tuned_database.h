// Databases that `halyard tune` has written.
#ifndef HALYARD_TESTS_TOOLS_TUNE_TUNED_DATABASE_H_
#define HALYARD_TESTS_TOOLS_TUNE_TUNED_DATABASE_H_

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "autotuner/records/database.h"
#include "nlohmann/json.hpp"
#include "tests/tools/run_command.h"

namespace halyard {

using autotuner::Database;
using autotuner::Record;
using testing::TestFolder;

constexpr char kChain[] = R"(HloModule chain

ENTRY e {
  a = f32[64,256] parameter(0)
  b = f32[64,256] parameter(1)
  s = f32[64,256] add(a, b)
  m = f32[64,256] multiply(s, a)
  ROOT r = f32[64,256] exponential(m)
}
)";

// A product, and a softmax of its rows.
constexpr char kProgram[] = R"(HloModule small

max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] maximum(a, b) }
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }

ENTRY e {
  x = f32[48,64] parameter(0)
  y = f32[64,80] parameter(1)
  p = f32[48,80] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[48] reduce(p, low), dimensions={1}, to_apply=max
  mb = f32[48,80] broadcast(m), dimensions={0}
  d = f32[48,80] subtract(p, mb)
  n = f32[48,80] exponential(d)
  s = f32[48] reduce(n, zero), dimensions={1}, to_apply=sum
  sb = f32[48,80] broadcast(s), dimensions={0}
  ROOT r = f32[48,80] divide(n, sb)
}
)";

inline std::string NewDatabase(const std::string& name) {
  const std::string path = TestFolder() + "/" + name + ".sqlite";
  for (const char* end : {"", "-wal", "-shm"}) unlink((path + end).c_str());
  return path;
}

inline std::vector<Record> RecordsOf(const std::string& path) {
  std::vector<Record> records;
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadOnly);
  EXPECT_TRUE(database.ok()) << database.status();
  if (!database.ok()) return records;
  const absl::Status status = database->ForEach({}, [&records](const Record& record) {
    records.push_back(record);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status;
  return records;
}

}  // namespace halyard

#endif  // HALYARD_TESTS_TOOLS_TUNE_TUNED_DATABASE_H_
