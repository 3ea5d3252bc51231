// The tuning database is one SQLite file in WAL mode, on a local disk. Several tuners may write and
// others read at once. The database holds a record as a whole or not at all, whatever ends the
// process.
#ifndef HALYARD_AUTOTUNER_RECORDS_DATABASE_H_
#define HALYARD_AUTOTUNER_RECORDS_DATABASE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "autotuner/records/record.h"

namespace halyard::autotuner {

// Selects records. An empty field matches anything.
struct Filter {
  std::string kernel;  // the whole key, or the beginning of its fingerprint (at least 8 digits)
  std::string device;
  std::string version;
  bool good_only = false;
};

class Database {
 public:
  // Returns $HALYARD_TUNING_DB, else $XDG_DATA_HOME/halyard/tuning.sqlite, else
  // ~/.local/share/halyard/tuning.sqlite.
  static std::string DefaultPath();
  enum class Mode { kReadOnly, kReadWrite };
  // With kReadWrite, makes the file and folders that do not exist. With kReadOnly, returns
  // kNotFound if the file does not exist or is empty (as it is while another process makes it).
  // Returns kFailedPrecondition if it is not a tuning database, is of a newer Halyard, is a folder,
  // cannot be opened or, for kReadWrite, cannot be written; and kDataLoss if it is damaged.
  // kReadOnly needs no right to write the file or its folder, unless another process that writes
  // was killed and its log (PATH-wal) is still there.
  static absl::StatusOr<Database> Open(const std::string& path, Mode mode);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  const std::string& path() const;

  // Puts all records or none, in one transaction. Once it returns, the records survive whatever
  // ends this process. A power cut may lose them, but does not damage the file.
  absl::Status Put(absl::Span<const Record> records);
  // Like Put, but skips records that are older than the record of the same candidate in the
  // database. Returns how many were put.
  absl::StatusOr<int64_t> PutUnlessOlder(absl::Span<const Record> records);
  // Returns the fastest good record, if there is one.
  absl::StatusOr<std::optional<Record>> Best(const Filter& filter) const;
  // Visits records in the order of kernel, device, schedule and version, so two databases with the
  // same records give the same sequence. `visit` returns false to stop. If `damaged` is not null,
  // it receives the number of records that were left out because they are damaged.
  absl::Status ForEach(const Filter& filter, const std::function<bool(const Record&)>& visit,
                       int64_t* damaged = nullptr) const;
  // Visits good records, the fastest first.
  absl::Status ForEachBest(const Filter& filter,
                           const std::function<bool(const Record&)>& visit) const;
  // Returns a name and a number that grows. It changes with each change of the records, and differs
  // between databases.
  absl::StatusOr<std::string> State() const;
  absl::StatusOr<int64_t> Count(const Filter& filter) const;
  // Returns the versions of all records, sorted.
  absl::StatusOr<std::vector<std::string>> Versions() const;
  absl::StatusOr<std::vector<std::string>> Devices() const;
  // Adds the records of `other` that are missing here or newer there, and returns their number.
  // `*damaged` receives the number of damaged records in `other`, as in ForEach.
  absl::StatusOr<int64_t> Merge(const Database& other, int64_t* damaged = nullptr);
  // Removes failed records and all but the `keep` fastest good records of each kernel, device and
  // version. If `current` is not empty, also removes all records whose version is not in it. The
  // first good record of a kernel is that of the default, and the seconds of the other records are
  // on its scale. So Prune also keeps the good records that are as old, to the second, as the
  // oldest of their kernel, device and version. If the version of the oldest of a kernel and device
  // is not in `current`, it stays as long as the kernel has good records whose version is, and none
  // of these is of the same template. Returns how many records were removed.
  absl::StatusOr<int64_t> Prune(int64_t keep, absl::Span<const std::string> current);
  // Returns what is wrong with the file, by SQLite's own check and the checksum of every record.
  // Empty if nothing is wrong.
  absl::StatusOr<std::vector<std::string>> Verify() const;

 private:
  struct Rep;
  explicit Database(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_DATABASE_H_
