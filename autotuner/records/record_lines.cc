#include "autotuner/records/record_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/records/record_text.h"
#include "frontend/files/read_file.h"
#include "frontend/files/system_error.h"
#include "nlohmann/json.hpp"

namespace halyard::autotuner {

namespace {

// Returns whether `tail`, an unfinished line, may be what a killed process left of one of our
// lines. `found` says whether there are records before it.
bool IsCutOff(absl::string_view tail, bool found) {
  // The line must begin as ToJson's lines do. After other records, the beginning of any object is
  // enough.
  const absl::string_view begins = found ? "{" : "{\"kernel\":\"";
  const size_t common = std::min(begins.size(), tail.size());
  if (tail.substr(0, common) != begins.substr(0, common)) return false;
  return !nlohmann::json::accept(tail.begin(), tail.end()) || ReadRecordText(tail, "").ok();
}

}  // namespace

absl::StatusOr<RecordLines> RecordLines::Open(const std::string& path) {
  auto system = [&path] {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": cannot be written: ", SystemErrorText(errno)));
  };
  RecordLines lines;
  lines.path_ = path;
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0) return system();
  lines.file_.reset(fdopen(fd, "r+"));
  if (lines.file_ == nullptr) {
    close(fd);
    return system();
  }
  // Records are appended and cut off, which only works with regular files.
  constexpr ReadLimits kLimits = {kRecordLimits.file_bytes, /*stream_bytes=*/0};
  const absl::StatusOr<std::string> bytes = ReadToEnd(fd, path, kLimits);
  if (!bytes.ok()) return bytes.status();
  const size_t end = bytes->rfind('\n') + 1;  // 0: no line has an end
  const absl::string_view whole(bytes->data(), end), tail = absl::string_view(*bytes).substr(end);
  absl::StatusOr<std::vector<Record>> found = ReadRecordText(whole, path);
  if (!found.ok()) return absl::DataLossError(found.status().message());
  if (!tail.empty()) {
    if (!IsCutOff(tail, !found->empty())) {
      return absl::DataLossError(absl::StrCat(
          path, ":", std::count(whole.begin(), whole.end(), '\n') + 1,
          ":1: error: the line is no record, nor the beginning of one; name another file"));
    }
    if (ftruncate(fd, static_cast<off_t>(end)) != 0) return system();
  }
  lines.found_ = *std::move(found);
  if (fseek(lines.file_.get(), 0, SEEK_END) != 0) return system();
  return lines;
}

absl::Status RecordLines::Append(const Record& record) {
  const std::string line = ToJson(record) + "\n";
  if (fwrite(line.data(), 1, line.size(), file_.get()) != line.size() || fflush(file_.get()) != 0 ||
      fdatasync(fileno(file_.get())) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(path_, ": cannot be written: ", SystemErrorText(errno)));
  }
  return absl::OkStatus();
}

}  // namespace halyard::autotuner
