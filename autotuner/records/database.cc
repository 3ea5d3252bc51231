#include "autotuner/records/database.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "autotuner/records/rows.h"
#include "autotuner/records/schema.h"
#include "autotuner/records/sqlite.h"
#include "frontend/files/own_folders.h"

namespace halyard::autotuner {

namespace {

// When to replace the record that a candidate already has.
constexpr char kReplace[] = "";
constexpr char kUnlessOlder[] = " WHERE excluded.created >= records.created";
constexpr char kIfNewer[] = " WHERE excluded.created > records.created";

absl::Status CannotBeWritten(const std::string& path) {
  return absl::FailedPreconditionError(
      absl::StrCat("tuning database ", path,
                   " cannot be written: it or its folder is read-only, or another user's; name one "
                   "that can by --db or $HALYARD_TUNING_DB"));
}

}  // namespace

struct Database::Rep {
  std::string path;
  std::unique_ptr<Connection> connection;
  mutable std::mutex mutex;  // held during each statement and transaction

  absl::Status Connect(Mode mode);
  absl::Status ReadImmutable(const absl::Status& refused);
  // Like Select, for the Columns of the file's version, which is read each time, because another
  // process may have converted the file meanwhile.
  absl::StatusOr<Statement> SelectRecords(const Filter& filter, absl::string_view rest);
  absl::Status Changed();
  absl::StatusOr<int64_t> KernelId(const std::string& key);
  // `condition` is kReplace, kUnlessOlder or kIfNewer.
  absl::Status PutOne(const Record& record, const char* condition, int64_t* changed);
  // Runs in one transaction, and returns how many records were put.
  absl::StatusOr<int64_t> PutAll(absl::Span<const Record> records, const char* condition);
  absl::StatusOr<std::vector<std::string>> Values(const char* column);
};

Database::Database(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;
const std::string& Database::path() const { return rep_->path; }

std::string Database::DefaultPath() {
  if (const char* path = getenv("HALYARD_TUNING_DB"); path != nullptr && *path != '\0') return path;
  return absl::StrCat(UserFolder("XDG_DATA_HOME", ".local/share"), "/halyard/tuning.sqlite");
}

absl::StatusOr<Database> Database::Open(const std::string& path, Mode mode) {
  auto rep = std::make_unique<Rep>();
  rep->path = path;
  std::error_code error;
  const std::filesystem::file_status there = std::filesystem::status(path, error);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "tuning database ", path, " is ",
        std::filesystem::is_directory(there) ? "a folder" : "a pipe or a device", "; name a file"));
  }
  if (mode == Mode::kReadWrite) {
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
  } else if (!std::filesystem::exists(path, error)) {
    return absl::NotFoundError(absl::StrCat("tuning database ", path, " does not exist"));
  }
  if (absl::Status s = rep->Connect(mode); !s.ok()) return s;
  return Database(std::move(rep));
}

absl::Status Database::Rep::Connect(Mode mode) {
  const bool reads = mode == Mode::kReadOnly;
  absl::StatusOr<std::unique_ptr<Connection>> opened = Connection::Open(
      path, reads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!opened.ok()) {
    const bool refused = absl::IsFailedPrecondition(opened.status());
    return refused && !reads ? CannotBeWritten(path) : opened.status();
  }
  connection = *std::move(opened);
  // SQLite opens a file that it may not write for reading instead.
  if (!reads && connection->IsReadOnly()) return CannotBeWritten(path);
  absl::Status status = PrepareSchema(*connection, path, !reads);
  if (status.ok()) return status;
  if (connection->WasRefused()) return reads ? ReadImmutable(status) : CannotBeWritten(path);
  return reads && connection->IsFull() ? ReadImmutable(status) : status;
}

// Opens the file as one that nobody writes. In WAL mode, readers write, too: to the index of the
// log, beside the file. If they may not write, or the disk is full, and there is no log, then the
// file alone is the database.
absl::Status Database::Rep::ReadImmutable(const absl::Status& refused) {
  const std::string log = path + "-wal";
  std::error_code error;
  if (std::filesystem::exists(log, error) && std::filesystem::file_size(log, error) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        refused.message(), "; ", log,
        " may hold records that are not in the file yet; they will be once `halyard tune` or "
        "`halyard db import` of a user who may write there has run"));
  }
  absl::StatusOr<std::unique_ptr<Connection>> opened = Connection::OpenImmutable(path);
  if (!opened.ok()) return opened.status();
  connection = *std::move(opened);
  return PrepareSchema(*connection, path, /*writes=*/false);
}

absl::StatusOr<Statement> Database::Rep::SelectRecords(const Filter& filter,
                                                       absl::string_view rest) {
  absl::StatusOr<int64_t> schema = ReadNumber(*connection, "PRAGMA user_version");
  if (!schema.ok()) return schema.status();
  return Select(*connection, Columns(HasResources(*schema)), filter, rest);
}

// Notes that records have changed. Call it inside the transaction that changes them.
absl::Status Database::Rep::Changed() {
  return connection->Execute("UPDATE state SET generation = generation + 1");
}

absl::StatusOr<int64_t> Database::Rep::KernelId(const std::string& key) {
  absl::StatusOr<Statement> find = connection->Prepare("SELECT id FROM kernels WHERE key = ?");
  if (!find.ok()) return find.status();
  absl::StatusOr<bool> row = find->Text(key).Step();
  if (!row.ok()) return row.status();
  if (*row) return find->IntegerAt(0);
  absl::StatusOr<Statement> add =
      connection->Prepare("INSERT INTO kernels (fingerprint, key) VALUES (?, ?)");
  if (!add.ok()) return add.status();
  if (absl::Status s = add->Text(KernelFingerprint(key)).Text(key).Run(); !s.ok()) return s;
  return connection->LastRow();
}

absl::Status Database::Rep::PutOne(const Record& r, const char* condition, int64_t* changed) {
  absl::StatusOr<int64_t> kernel = KernelId(r.kernel);
  if (!kernel.ok()) return kernel.status();
  absl::StatusOr<Statement> put = connection->Prepare(absl::StrCat(
      "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (kernel, device, schedule, version) DO UPDATE SET outcome = excluded.outcome, "
      "error = excluded.error, seconds = excluded.seconds, spread = excluded.spread, "
      "rounds = excluded.rounds, difference = excluded.difference, created = excluded.created, "
      "machine = excluded.machine, checksum = excluded.checksum, resources = excluded.resources",
      condition));
  if (!put.ok()) return put.status();
  put->Integer(*kernel).Text(r.device).Text(r.schedule).Text(r.version);
  put->Text(OutcomeName(r.outcome)).Text(r.error).Real(r.seconds).Real(r.spread);
  put->Integer(r.rounds).Real(r.difference).Integer(r.created).Text(r.machine);
  put->Integer(static_cast<int64_t>(ChecksumOf(r))).Text(r.resources.ToText());
  if (absl::Status s = put->Run(); !s.ok()) return s;
  *changed += connection->Changes();
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Database::Rep::PutAll(absl::Span<const Record> records,
                                              const char* condition) {
  const std::lock_guard<std::mutex> lock(mutex);
  Transaction transaction(*connection);
  if (absl::Status s = transaction.Begin(); !s.ok()) return s;
  int64_t changed = 0;
  for (const Record& record : records) {
    if (absl::Status s = PutOne(record, condition, &changed); !s.ok()) return s;
  }
  if (absl::Status s = Changed(); !s.ok()) return s;
  if (absl::Status s = transaction.Commit(); !s.ok()) return s;
  return changed;
}

absl::Status Database::Put(absl::Span<const Record> records) {
  return rep_->PutAll(records, kReplace).status();
}

absl::StatusOr<int64_t> Database::PutUnlessOlder(absl::Span<const Record> records) {
  return rep_->PutAll(records, kUnlessOlder);
}

absl::StatusOr<std::optional<Record>> Database::Best(const Filter& filter) const {
  std::optional<Record> best;
  absl::Status status = ForEachBest(filter, [&best](const Record& record) {
    best = record;
    return false;
  });
  if (!status.ok()) return status;
  return best;
}

absl::Status Database::ForEachBest(const Filter& filter,
                                   const std::function<bool(const Record&)>& visit) const {
  const std::lock_guard<std::mutex> lock(rep_->mutex);
  Filter good = filter;
  good.good_only = true;
  absl::StatusOr<Statement> select = rep_->SelectRecords(good, "ORDER BY seconds, schedule");
  if (!select.ok()) return select.status();
  int64_t damaged = 0;  // damaged records never win, and Verify reports them
  return VisitRows(*select, visit, &damaged);
}

absl::StatusOr<std::string> Database::State() const {
  const std::lock_guard<std::mutex> lock(rep_->mutex);
  absl::StatusOr<int64_t> schema = ReadNumber(*rep_->connection, "PRAGMA user_version");
  if (!schema.ok()) return schema.status();
  // A file of version 1 keeps no state, so a number computed from all its records takes its place.
  absl::StatusOr<Statement> select = rep_->connection->Prepare(
      *schema == 1 ? "SELECT 'version 1, ' || count(*), total(checksum & 0x7fffffff) FROM records"
                   : "SELECT name, generation FROM state");
  if (!select.ok()) return select.status();
  absl::StatusOr<bool> row = select->Step();
  if (!row.ok()) return row.status();
  if (!*row) return absl::DataLossError(absl::StrCat(rep_->path, ": no row of its state"));
  return absl::StrCat(select->TextAt(0), " ", select->IntegerAt(1));
}

absl::Status Database::ForEach(const Filter& filter,
                               const std::function<bool(const Record&)>& visit,
                               int64_t* damaged) const {
  int64_t uncounted = 0;
  if (damaged == nullptr) damaged = &uncounted;
  *damaged = 0;
  const std::lock_guard<std::mutex> lock(rep_->mutex);
  absl::StatusOr<Statement> select =
      rep_->SelectRecords(filter, "ORDER BY kernels.key, device, schedule, version");
  if (!select.ok()) return select.status();
  return VisitRows(*select, visit, damaged);
}

absl::StatusOr<int64_t> Database::Count(const Filter& filter) const {
  const std::lock_guard<std::mutex> lock(rep_->mutex);
  absl::StatusOr<Statement> select = Select(
      *rep_->connection, "SELECT count(*) FROM records JOIN kernels ON kernels.id = records.kernel",
      filter, "");
  if (!select.ok()) return select.status();
  absl::StatusOr<bool> row = select->Step();
  if (!row.ok()) return row.status();
  return select->IntegerAt(0);
}

absl::StatusOr<std::vector<std::string>> Database::Rep::Values(const char* column) {
  const std::lock_guard<std::mutex> lock(mutex);
  absl::StatusOr<Statement> select = connection->Prepare(
      absl::StrCat("SELECT DISTINCT ", column, " FROM records ORDER BY ", column));
  if (!select.ok()) return select.status();
  std::vector<std::string> values;
  while (true) {
    absl::StatusOr<bool> row = select->Step();
    if (!row.ok()) return row.status();
    if (!*row) return values;
    values.push_back(select->TextAt(0));
  }
}

absl::StatusOr<std::vector<std::string>> Database::Versions() const {
  return rep_->Values("version");
}

absl::StatusOr<std::vector<std::string>> Database::Devices() const {
  return rep_->Values("device");
}

absl::StatusOr<int64_t> Database::Merge(const Database& other, int64_t* damaged) {
  std::vector<Record> records;
  absl::Status status = other.ForEach(
      {},
      [&](const Record& record) {
        records.push_back(record);
        return true;
      },
      damaged);
  if (!status.ok()) return status;
  return rep_->PutAll(records, kIfNewer);
}

namespace {

// Returns a statement that deletes the records whose version is none of the values to bind
// (`versions` of them), except the records of a default that others need.
std::string DeleteOthers(size_t versions) {
  std::vector<std::string> marks;
  for (size_t i = 1; i <= versions; ++i) marks.push_back(absl::StrCat("?", i));
  const std::string current = absl::StrCat("version IN (", absl::StrJoin(marks, ", "), ")");
  const std::string good_beside =
      " FROM records WHERE kernel = r.kernel AND device = r.device AND outcome = 'good'";
  return absl::StrCat(
      "DELETE FROM records WHERE (kernel, device, schedule, version) IN (SELECT kernel, device, "
      "schedule, version FROM records AS r WHERE NOT (",
      current, ") AND NOT (outcome = 'good' AND created = (SELECT min(created)", good_beside,
      ") AND EXISTS (SELECT 1", good_beside, " AND ", current, ") AND NOT EXISTS (SELECT 1",
      good_beside, " AND ", current,
      " AND substr(version, 1, instr(version, ' ')) = "
      "substr(r.version, 1, instr(r.version, ' ')))))");
}

}  // namespace

absl::StatusOr<int64_t> Database::Prune(int64_t keep, absl::Span<const std::string> current) {
  const std::lock_guard<std::mutex> lock(rep_->mutex);
  Connection& connection = *rep_->connection;
  Transaction transaction(connection);
  if (absl::Status s = transaction.Begin(); !s.ok()) return s;
  int64_t gone = 0;
  if (!current.empty()) {
    absl::StatusOr<Statement> old = connection.Prepare(DeleteOthers(current.size()));
    if (!old.ok()) return old.status();
    for (const std::string& version : current) old->Text(version);
    if (absl::Status s = old->Run(); !s.ok()) return s;
    gone += connection.Changes();
  }
  // Failed candidates are sorted behind all good ones.
  absl::StatusOr<Statement> slow = connection.Prepare(
      "DELETE FROM records WHERE (kernel, device, schedule, version) IN (SELECT kernel, device, "
      "schedule, version FROM (SELECT *, row_number() OVER (PARTITION BY kernel, device, version "
      "ORDER BY outcome != 'good', seconds, schedule) AS place, min(CASE WHEN outcome = 'good' "
      "THEN created END) OVER (PARTITION BY kernel, device, version) AS oldest FROM records) "
      "WHERE (place > ? AND created > oldest) OR outcome != 'good')");
  if (!slow.ok()) return slow.status();
  if (absl::Status s = slow->Integer(keep).Run(); !s.ok()) return s;
  gone += connection.Changes();
  if (absl::Status s =
          connection.Execute("DELETE FROM kernels WHERE id NOT IN (SELECT kernel FROM records)");
      !s.ok()) {
    return s;
  }
  if (absl::Status s = rep_->Changed(); !s.ok()) return s;
  if (absl::Status s = transaction.Commit(); !s.ok()) return s;
  return gone;
}

absl::StatusOr<std::vector<std::string>> Database::Verify() const {
  const std::lock_guard<std::mutex> lock(rep_->mutex);
  std::vector<std::string> wrong;
  absl::StatusOr<Statement> check = rep_->connection->Prepare("PRAGMA integrity_check");
  if (!check.ok()) return check.status();
  while (true) {
    absl::StatusOr<bool> row = check->Step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    if (check->TextAt(0) != "ok") wrong.push_back(check->TextAt(0));
  }
  absl::StatusOr<Statement> select = rep_->SelectRecords({}, "");
  if (!select.ok()) return select.status();
  while (true) {
    absl::StatusOr<bool> row = select->Step();
    if (!row.ok()) return row.status();
    if (!*row) return wrong;
    Record record;
    if (ReadRow(*select, &record)) continue;
    wrong.push_back(absl::StrCat("kernel ", KernelFingerprint(record.kernel), ", schedule \"",
                                 record.schedule, "\": the record is damaged"));
  }
}

}  // namespace halyard::autotuner
