#include "autotuner/records/schema.h"

#include <chrono>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"

namespace halyard::autotuner {
namespace {

constexpr int64_t kApplication = 0x48594c44;  // "HYLD", in the file's header
constexpr int64_t kSchema = 3;

constexpr char kTables[] = R"(
CREATE TABLE kernels (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE);
CREATE INDEX kernels_by_fingerprint ON kernels (fingerprint);
CREATE TABLE records (
  kernel INTEGER NOT NULL REFERENCES kernels (id),
  device TEXT NOT NULL,
  schedule TEXT NOT NULL,
  version TEXT NOT NULL,
  outcome TEXT NOT NULL,
  error TEXT NOT NULL,
  seconds REAL NOT NULL,
  spread REAL NOT NULL,
  rounds INTEGER NOT NULL,
  difference REAL NOT NULL,
  created INTEGER NOT NULL,
  machine TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (kernel, device, schedule, version)) WITHOUT ROWID;
)";
// The file has this table, with one row, since version 2.
constexpr char kStateTable[] = R"(
CREATE TABLE state (name TEXT NOT NULL, generation INTEGER NOT NULL);
INSERT INTO state VALUES (lower(hex(randomblob(8))), 0);
)";

// The file has this column since version 3.
constexpr char kResourcesColumn[] =
    "ALTER TABLE records ADD COLUMN resources TEXT NOT NULL DEFAULT ''";

absl::StatusOr<int64_t> ApplicationRead(Connection& connection, const std::string& path) {
  absl::StatusOr<int64_t> application = ReadNumber(connection, "PRAGMA application_id");
  if (!application.ok() || *application != 0) return application;
  absl::StatusOr<int64_t> tables = ReadNumber(connection, "SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return tables;
  if (*tables == 0) return absl::NotFoundError(absl::StrCat("tuning database ", path, " is empty"));
  return ReadNumber(connection, "PRAGMA application_id");  // another process may have made them
}

// Switches the file to WAL mode. While another process reads the file, SQLite refuses this at once
// instead of waiting, so this tries again for up to 30 s.
absl::Status UseLog(Connection& connection) {
  constexpr auto kPause = std::chrono::milliseconds(5);
  constexpr int kTimes = 6000;
  for (int i = 1;; ++i) {
    absl::Status status = connection.Execute("PRAGMA journal_mode = WAL");
    if (status.ok() || !connection.WasBusy() || i == kTimes) return status;
    std::this_thread::sleep_for(kPause);
  }
}

// Makes the tables of a new file. Returns its application_id.
absl::StatusOr<int64_t> MakeTables(Connection& connection) {
  if (absl::Status s = UseLog(connection); !s.ok()) return s;
  Transaction transaction(connection);
  if (absl::Status s = transaction.Begin(); !s.ok()) return s;
  // Another process may have made the tables already.
  absl::StatusOr<int64_t> application = ReadNumber(connection, "PRAGMA application_id");
  if (!application.ok()) return application;
  absl::StatusOr<int64_t> tables = ReadNumber(connection, "SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return tables;
  if (*application == 0 && *tables == 0) {
    const std::string marks =
        absl::StrCat("PRAGMA application_id = ", kApplication, "; PRAGMA user_version = ", kSchema);
    for (const char* sql : {kTables, kStateTable, kResourcesColumn, marks.c_str()}) {
      if (absl::Status s = connection.Execute(sql); !s.ok()) return s;
    }
    *application = kApplication;
  }
  if (absl::Status s = transaction.Commit(); !s.ok()) return s;
  return application;
}

// Converts a file of version 1, which had no state, or of version 2, which had no resources.
absl::Status Upgrade(Connection& connection) {
  Transaction transaction(connection);
  if (absl::Status s = transaction.Begin(); !s.ok()) return s;
  absl::StatusOr<int64_t> schema = ReadNumber(connection, "PRAGMA user_version");
  if (!schema.ok()) return schema.status();
  // Another process may have done so already.
  std::vector<std::string> changes;
  if (*schema == 1) changes.push_back(kStateTable);
  if (*schema < kSchema) {
    changes.push_back(kResourcesColumn);
    changes.push_back(absl::StrCat("PRAGMA user_version = ", kSchema));
  }
  for (const std::string& sql : changes) {
    if (absl::Status s = connection.Execute(sql.c_str()); !s.ok()) return s;
  }
  return transaction.Commit();
}

}  // namespace

absl::StatusOr<int64_t> ReadNumber(Connection& connection, absl::string_view sql) {
  absl::StatusOr<Statement> statement = connection.Prepare(sql);
  if (!statement.ok()) return statement.status();
  absl::StatusOr<bool> row = statement->Step();
  if (!row.ok()) return row.status();
  return *row ? statement->IntegerAt(0) : 0;
}

absl::Status PrepareSchema(Connection& connection, const std::string& path, bool writes) {
  absl::StatusOr<int64_t> application =
      writes ? ReadNumber(connection, "PRAGMA application_id") : ApplicationRead(connection, path);
  if (!application.ok()) return application.status();
  if (*application == 0 && writes) {
    application = MakeTables(connection);
    if (!application.ok()) return application.status();
  }
  if (*application != kApplication) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is a database, but not a tuning database"));
  }
  absl::StatusOr<int64_t> schema = ReadNumber(connection, "PRAGMA user_version");
  if (!schema.ok()) return schema.status();
  if (*schema >= 1 && *schema < kSchema && writes) {
    if (absl::Status s = Upgrade(connection); !s.ok()) return s;
    *schema = kSchema;
  }
  if (*schema < 1 || *schema > kSchema) {
    return absl::FailedPreconditionError(absl::StrCat(
        "tuning database ", path, " is of version ", *schema, "; this Halyard reads version ",
        kSchema, ": export it with the Halyard that wrote it, and import it here"));
  }
  // A commit survives the end of the process, whatever ends it. A power cut may lose the latest
  // commits, but never damages the file. Waiting for the disk after each commit would take a
  // quarter of the time of small kernels' trials.
  return writes ? connection.Execute("PRAGMA synchronous = NORMAL") : absl::OkStatus();
}

bool HasResources(int64_t schema) { return schema == kSchema; }

}  // namespace halyard::autotuner
