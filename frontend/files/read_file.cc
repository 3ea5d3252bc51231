#include "frontend/files/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "absl/strings/str_cat.h"
#include "frontend/files/system_error.h"

namespace halyard {

namespace {

absl::Status Error(const std::string& path, int error) {
  const std::string message = absl::StrCat(path, ": ", SystemErrorText(error));
  return error == ENOENT ? absl::NotFoundError(message) : absl::FailedPreconditionError(message);
}

absl::Status TooLarge(const std::string& path, bool regular, int64_t limit) {
  return absl::ResourceExhaustedError(
      regular ? absl::StrCat(path, ": it holds more than ", limit, " bytes")
              : absl::StrCat(path, ": it gives more than ", limit,
                             " bytes, the most that is read of a pipe or a device"));
}

absl::Status NoFile(const std::string& path) {
  return absl::FailedPreconditionError(absl::StrCat(path, ": not a regular file"));
}

// Up to `limit` bytes, then one more, which is an error. `expected`: how many there probably are.
absl::Status Read(int fd, const std::string& path, bool regular, int64_t expected, int64_t limit,
                  std::string* bytes) {
  constexpr size_t kPiece = 1 << 16;
  const size_t likely = static_cast<size_t>(expected), most = static_cast<size_t>(limit) + 1;
  while (true) {
    const size_t had = bytes->size();
    const size_t wanted = had < likely ? likely + 1 : had + std::max(kPiece, had / 2);
    bytes->resize(std::min(wanted, most));
    const ssize_t got = read(fd, bytes->data() + had, bytes->size() - had);
    const int error = errno;
    bytes->resize(had + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && error == EINTR) continue;
    if (got < 0) return Error(path, error);
    if (got == 0) return absl::OkStatus();
    if (bytes->size() == most) return TooLarge(path, regular, limit);
  }
}

}  // namespace

absl::StatusOr<std::string> ReadToEnd(int fd, const std::string& name, const ReadLimits& limits) {
  struct stat about;
  if (fstat(fd, &about) != 0) return Error(name, errno);
  if (S_ISDIR(about.st_mode)) return Error(name, EISDIR);
  const bool regular = S_ISREG(about.st_mode);
  if (!regular && limits.stream_bytes == 0) return NoFile(name);
  const int64_t limit =
      regular ? std::min(limits.file_bytes, PhysicalMemoryBytes()) : limits.stream_bytes;
  if (regular && about.st_size > limit) return TooLarge(name, true, limit);
  std::string bytes;
  // Some of the system's files say that they are empty, and are not.
  const int64_t expected = regular ? static_cast<int64_t>(about.st_size) : 0;
  if (absl::Status s = Read(fd, name, regular, expected, limit, &bytes); !s.ok()) return s;
  return bytes;
}

absl::StatusOr<std::string> ReadWholeFile(const std::string& path, const ReadLimits& limits) {
  absl::StatusOr<int> fd = limits.stream_bytes == 0
                               ? OpenRegularFile(path)
                               : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (!fd.ok()) return fd.status();
  if (*fd < 0) return Error(path, errno);
  absl::StatusOr<std::string> bytes = ReadToEnd(*fd, path, limits);
  close(*fd);
  return bytes;
}

absl::StatusOr<int> OpenRegularFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return Error(path, errno);
  struct stat about;
  if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) return fd;
  const bool folder = S_ISDIR(about.st_mode);
  close(fd);
  return folder ? Error(path, EISDIR) : NoFile(path);
}

int64_t PhysicalMemoryBytes() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages <= 0 || page <= 0 ? std::numeric_limits<int64_t>::max() / 2 : pages * page;
}

}  // namespace halyard
