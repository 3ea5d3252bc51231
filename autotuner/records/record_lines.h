// Appends records to a file, as lines of JSON.
#ifndef HALYARD_AUTOTUNER_RECORDS_RECORD_LINES_H_
#define HALYARD_AUTOTUNER_RECORDS_RECORD_LINES_H_

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "autotuner/records/record.h"

namespace halyard::autotuner {

class RecordLines {
 public:
  // Reads the existing lines. Cuts off a last line without an end, which a killed process left.
  // Returns kDataLoss if a line is not a record, or if the last one is not the beginning of one.
  // The file is then left as it is.
  static absl::StatusOr<RecordLines> Open(const std::string& path);

  const std::vector<Record>& found() const { return found_; }
  // When it returns, the record is on the disk.
  absl::Status Append(const Record& record);

 private:
  struct Close {
    void operator()(FILE* file) const { fclose(file); }
  };
  RecordLines() = default;

  std::string path_;
  std::unique_ptr<FILE, Close> file_;
  std::vector<Record> found_;
};

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_RECORDS_RECORD_LINES_H_
