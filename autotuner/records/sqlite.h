// Wraps a small part of SQLite, with errors as Status.
#ifndef HALYARD_AUTOTUNER_RECORDS_SQLITE_H_
#define HALYARD_AUTOTUNER_RECORDS_SQLITE_H_

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::autotuner {

// A compiled statement. Bind values in order, step, and read columns. Reset it to use it again.
class Statement {
 public:
  Statement& Text(absl::string_view value);
  Statement& Integer(int64_t value);
  Statement& Real(double value);
  // Returns true if there is a row.
  absl::StatusOr<bool> Step();
  absl::Status Run();  // runs to the end without looking at rows

  std::string TextAt(int column) const;
  int64_t IntegerAt(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  double RealAt(int column) const { return sqlite3_column_double(statement_.get(), column); }

  void Reset();

 private:
  friend class Connection;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  const std::string* path_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_ = 1;
};

class Connection {
 public:
  // `flags` are SQLITE_OPEN_…. Statements wait up to 30 s while another process writes.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const std::string& path, int flags);
  // Opens a file that nobody writes while it is open, for reading. Takes no locks, and makes no
  // files beside it.
  static absl::StatusOr<std::unique_ptr<Connection>> OpenImmutable(const std::string& path);
  absl::Status Execute(const char* sql);
  absl::StatusOr<Statement> Prepare(absl::string_view sql);
  int64_t LastRow() const { return sqlite3_last_insert_rowid(database_.get()); }
  int64_t Changes() const { return sqlite3_changes64(database_.get()); }
  const std::string& path() const { return path_; }
  // True if the file cannot be written, whatever it was opened for.
  bool IsReadOnly() const { return sqlite3_db_readonly(database_.get(), "main") == 1; }
  // True if the last call failed because the system does not let this user write or make a file.
  bool WasRefused() const;
  // True if the last call failed: IsFull, because the disk is full or does not work; WasBusy,
  // because another process reads or writes.
  bool IsFull() const;
  bool WasBusy() const { return (sqlite3_errcode(database_.get()) & 0xff) == SQLITE_BUSY; }

 private:
  // `name` is the path, or a URI of it.
  static absl::StatusOr<std::unique_ptr<Connection>> OpenNamed(const std::string& path,
                                                               const std::string& name, int flags);
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

// BEGIN IMMEDIATE … COMMIT. The destructor rolls back what is not committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection) : connection_(connection) {}
  ~Transaction();
  absl::Status Begin();
  absl::Status Commit();

 private:
  Connection& connection_;
  bool open_ = false;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_SQLITE_H_
