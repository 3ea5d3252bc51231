// Reads whole files, up to a limit.
#ifndef HALYARD_FRONTEND_FILES_READ_FILE_H_
#define HALYARD_FRONTEND_FILES_READ_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard {

// What a path may name, and how much is read. A pipe or a device may have no end (/dev/zero), so
// less is read from it.
struct ReadLimits {
  int64_t file_bytes = 0;
  int64_t stream_bytes = 0;  // if 0, only regular files are read, and opening never waits
};

// For programs, with constants of any size.
inline constexpr ReadLimits kProgramLimits = {int64_t{64} << 30, int64_t{1} << 27};
// For schedules, choices and device files: text that people and small programs write.
inline constexpr ReadLimits kTextLimits = {int64_t{1} << 26, int64_t{1} << 26};
// For records: a line for each candidate that was ever measured.
inline constexpr ReadLimits kRecordLimits = {int64_t{16} << 30, int64_t{1} << 30};
// For files of our own, which nobody pipes.
inline constexpr ReadLimits kOwnFileLimits = {int64_t{64} << 30, 0};

// Returns all bytes of `path`. Errors name it: NotFound if nothing is there, ResourceExhausted if
// it holds more than `limits` or than this machine's memory, and FailedPrecondition for everything
// else.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, const ReadLimits& limits);
// Reads a descriptor that is open already. `name` stands for it in messages.
absl::StatusOr<std::string> ReadToEnd(int fd, const std::string& name, const ReadLimits& limits);

// Opens a regular file for reading. It opens nothing else, because a pipe would wait for its other
// end.
absl::StatusOr<int> OpenRegularFile(const std::string& path);

// Returns the size of this machine's memory. If a file asks for more, the file is wrong.
int64_t PhysicalMemoryBytes();

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_READ_FILE_H_
