// The tuning database: one SQLite file in WAL mode, on a local disk. Several tuners may write and
// others read at once; a record is in it as a whole or not at all, whatever ends the process.
#ifndef HALYARD_AUTOTUNER_DATABASE_H_
#define HALYARD_AUTOTUNER_DATABASE_H_

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
#include "autotuner/record.h"

namespace halyard::autotuner {

// What to look at; an empty field is any.
struct Filter {
  std::string kernel;  // the whole key, or its fingerprint's beginning (8 digits at least)
  std::string device;
  std::string version;
  bool good_only = false;
};

class Database {
 public:
  // $HALYARD_TUNING_DB, else $XDG_DATA_HOME/halyard/tuning.sqlite, else
  // ~/.local/share/halyard/tuning.sqlite.
  static std::string DefaultPath();
  enum class Mode { kReadOnly, kReadWrite };
  // kReadWrite makes the file, and folders, that are not there. kNotFound: a file to read is not
  // there, or empty, as one is that is being made; kFailedPrecondition: no database of ours, of a
  // newer Halyard, a folder, not to be opened, or, for kReadWrite, not to be written; kDataLoss:
  // damaged. kReadOnly needs no right to write the file or its folder, unless another process that
  // writes was killed and its log (PATH-wal) is still there.
  static absl::StatusOr<Database> Open(const std::string& path, Mode mode);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  const std::string& path() const;

  // In one transaction: all of them, or none. Once it returns, nothing that ends this process takes
  // them away; a power cut may, but leaves the file whole.
  absl::Status Put(absl::Span<const Record> records);
  // As Put, but for those that are older than the record of the same candidate that is here.
  // Returns how many were put.
  absl::StatusOr<int64_t> PutUnlessOlder(absl::Span<const Record> records);
  // The fastest good record; none if there is none.
  absl::StatusOr<std::optional<Record>> Best(const Filter& filter) const;
  // In the order of kernel, device, schedule, version: two databases of the same records give the
  // same sequence. `visit` returns false to stop. `*damaged` (if not null): how many were left out
  // as they are damaged.
  absl::Status ForEach(const Filter& filter, const std::function<bool(const Record&)>& visit,
                       int64_t* damaged = nullptr) const;
  // Good records, the fastest first.
  absl::Status ForEachBest(const Filter& filter,
                           const std::function<bool(const Record&)>& visit) const;
  // Another after each change of the records, and for each database: a name and a number that
  // grows.
  absl::StatusOr<std::string> State() const;
  absl::StatusOr<int64_t> Count(const Filter& filter) const;
  // That records have, sorted.
  absl::StatusOr<std::vector<std::string>> Versions() const;
  absl::StatusOr<std::vector<std::string>> Devices() const;
  // Adds the records of `other` that are not here, or are newer there. Returns how many. `*damaged`
  // as of ForEach, of `other`.
  absl::StatusOr<int64_t> Merge(const Database& other, int64_t* damaged = nullptr);
  // Removes all but the `keep` fastest good records of each kernel, device and version, the failed
  // ones among them, and, with `current` not empty, all records whose version is not in it. The
  // first good record to be measured of a kernel is the default's, and the others' seconds are on
  // its scale: so those of the oldest second of each kernel, device and version stay, too, and of a
  // version not in `current` those of the oldest second of the kernel and device, while records on
  // their scale stay and none of these is of the same template. Returns how many are gone.
  absl::StatusOr<int64_t> Prune(int64_t keep, absl::Span<const std::string> current);
  // What is wrong: SQLite's own check of the file, and every record's checksum. Empty: nothing.
  absl::StatusOr<std::vector<std::string>> Verify() const;

 private:
  struct Rep;
  explicit Database(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_DATABASE_H_
