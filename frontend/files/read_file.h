// Files that are read whole, with an end to what is read.
#ifndef HALYARD_FRONTEND_FILES_READ_FILE_H_
#define HALYARD_FRONTEND_FILES_READ_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard {

// What a path may name, and how much is read. A pipe or a device may have no end (/dev/zero), so
// less is read of it.
struct ReadLimits {
  int64_t file_bytes = 0;
  int64_t stream_bytes = 0;  // 0: nothing but a regular file is read, and opening never waits
};

// Programs, with constants of any size.
inline constexpr ReadLimits kProgramLimits = {int64_t{64} << 30, int64_t{1} << 27};
// Schedules, choices, device files: text that people and small programs write.
inline constexpr ReadLimits kTextLimits = {int64_t{1} << 26, int64_t{1} << 26};
// Records: a line for each candidate that was ever measured.
inline constexpr ReadLimits kRecordLimits = {int64_t{16} << 30, int64_t{1} << 30};
// Files of our own, which nobody pipes.
inline constexpr ReadLimits kOwnFileLimits = {int64_t{64} << 30, 0};

// All bytes of `path`. Errors name it: NotFound, if nothing is there; ResourceExhausted, if it holds
// more than `limits` or than this machine's memory; FailedPrecondition for all else.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, const ReadLimits& limits);
// The same of what is open already; `name` stands for it in messages.
absl::StatusOr<std::string> ReadToEnd(int fd, const std::string& name, const ReadLimits& limits);

// Opens a regular file to read. Nothing else is opened: a pipe would wait for its other end.
absl::StatusOr<int> OpenRegularFile(const std::string& path);

// Of this machine's memory; memory that a file asks for above it is a mistake of the file's.
int64_t PhysicalMemoryBytes();

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_READ_FILE_H_
