#include "autotuner/records/sqlite.h"

#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace halyard::autotuner {

namespace {

absl::Status ToStatus(const std::string& path, int code, const char* message) {
  const std::string what = absl::StrCat("tuning database ", path, ": ", message);
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return absl::DataLossError(what);
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return absl::FailedPreconditionError(what);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(
          absl::StrCat(what, "; another process has been writing for too long"));
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_IOERR:
      return absl::ResourceExhaustedError(what);
    default:
      return absl::InternalError(what);
  }
}

// Returns the path as a URI for SQLite. All but plain characters are percent-encoded.
std::string UriOf(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  std::string uri = "file://";
  for (const char c : error ? path : whole.string()) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
        absl::string_view("/-_.~").find(c) != absl::string_view::npos) {
      uri += c;
    } else {
      absl::StrAppend(&uri, "%", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    }
  }
  return uri;
}

}  // namespace

Statement& Statement::Text(absl::string_view value) {
  sqlite3_bind_text64(statement_.get(), next_++, value.data() == nullptr ? "" : value.data(),
                      value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::Integer(int64_t value) {
  sqlite3_bind_int64(statement_.get(), next_++, value);
  return *this;
}

Statement& Statement::Real(double value) {
  sqlite3_bind_double(statement_.get(), next_++, value);
  return *this;
}

absl::StatusOr<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return ToStatus(*path_, code, sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
}

absl::Status Statement::Run() {
  while (true) {
    absl::StatusOr<bool> row = Step();
    if (!row.ok()) return row.status();
    if (!*row) break;
  }
  Reset();
  return absl::OkStatus();
}

std::string Statement::TextAt(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return "";
  return std::string(reinterpret_cast<const char*>(text),
                     static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

void Statement::Reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  next_ = 1;
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const std::string& path, int flags) {
  // SQLite gives some names a meaning, such as ":memory:" and "file:…", but none with a folder.
  const bool relative = path.empty() || path[0] != '/';
  return OpenNamed(path, relative ? absl::StrCat("./", path) : path, flags);
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::OpenImmutable(const std::string& path) {
  return OpenNamed(path, UriOf(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

bool Connection::WasRefused() const {
  const int code = sqlite3_errcode(database_.get()) & 0xff;
  return code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM;
}

bool Connection::IsFull() const {
  const int code = sqlite3_errcode(database_.get()) & 0xff;
  return code == SQLITE_FULL || code == SQLITE_IOERR;
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::OpenNamed(const std::string& path,
                                                                  const std::string& name,
                                                                  int flags) {
  auto connection = std::make_unique<Connection>();
  connection->path_ = path;
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &database, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  connection->database_.reset(database);
  if (code != SQLITE_OK) {
    return ToStatus(path, code, database == nullptr ? "no memory" : sqlite3_errmsg(database));
  }
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, 30000);
  return connection;
}

absl::Status Connection::Execute(const char* sql) {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus()
                           : ToStatus(path_, code, sqlite3_errmsg(database_.get()));
}

absl::StatusOr<Statement> Connection::Prepare(absl::string_view sql) {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &prepared, nullptr);
  if (code != SQLITE_OK) return ToStatus(path_, code, sqlite3_errmsg(database_.get()));
  Statement statement;
  statement.path_ = &path_;
  statement.statement_.reset(prepared);
  return statement;
}

Transaction::~Transaction() {
  if (open_) (void)connection_.Execute("ROLLBACK");
}

absl::Status Transaction::Begin() {
  absl::Status status = connection_.Execute("BEGIN IMMEDIATE");
  open_ = status.ok();
  return status;
}

absl::Status Transaction::Commit() {
  absl::Status status = connection_.Execute("COMMIT");
  if (status.ok()) open_ = false;
  return status;
}

}  // namespace halyard::autotuner
