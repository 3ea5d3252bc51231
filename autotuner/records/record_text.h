// Records as lines of JSON, for files that people compare, commit and merge. The text of a kernel
// is long and belongs to many records, so it has a line of its own, {"id": fingerprint, "kernel":
// text}, before the first record that names it by "id". Records that hold the text themselves
// (ToJson) can be read, too, so files may be joined end to end.
#ifndef HALYARD_AUTOTUNER_RECORDS_RECORD_TEXT_H_
#define HALYARD_AUTOTUNER_RECORDS_RECORD_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/records/record.h"

namespace halyard::autotuner {

class RecordTextWriter {
 public:
  // Appends the line of the record, preceded by that of its kernel if it has not been written yet.
  void Append(const Record& record, std::string* lines);

 private:
  std::set<std::string> written_;  // fingerprints
};

// Returns all records, or kInvalidArgument "FILE:LINE:1: error: …". `file` is for messages.
absl::StatusOr<std::vector<Record>> ReadRecordText(absl::string_view lines, absl::string_view file);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_RECORD_TEXT_H_
