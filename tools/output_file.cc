#include "tools/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/files/system_error.h"

namespace halyard::tools {
namespace {

absl::Status FileError(const char* what, const std::string& path, int error) {
  const std::string message = absl::StrCat(what, " ", path, ": ", SystemErrorText(error));
  return error == ENOENT ? absl::NotFoundError(message) : absl::FailedPreconditionError(message);
}

// Returns an error number, or 0.
int WriteAndClose(FILE* file, absl::string_view bytes) {
  int error = fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
  if (fclose(file) != 0 && error == 0) error = errno;
  return error;
}

int WriteInPlace(const std::string& path, absl::string_view bytes) {
  FILE* file = fopen(path.c_str(), "wb");
  return file == nullptr ? errno : WriteAndClose(file, bytes);
}

// Returns the path of the file that can be replaced there, new or old, or "".
std::string Replaceable(const std::string& path) {
  // Behind /dev/stdout may be a file that others go on writing.
  if (absl::StartsWith(path, "/dev/") || absl::StartsWith(path, "/proc/")) return "";
  std::error_code error;
  const std::filesystem::file_status there = std::filesystem::symlink_status(path, error);
  if (there.type() == std::filesystem::file_type::not_found) return path;
  const std::filesystem::path whole = std::filesystem::canonical(path, error);
  return !error && std::filesystem::is_regular_file(whole, error) ? whole.string() : "";
}

// Opens another file in the folder of `path`, with its owner and mode.
int OpenBeside(const std::string& path, const std::string& temporary) {
  unlink(temporary.c_str());  // of a process that was killed
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  struct stat before;
  if (fd < 0 || stat(path.c_str(), &before) != 0) return fd;
  // If the owner cannot be the same, the file is still as good as a new one.
  if (fchown(fd, before.st_uid, before.st_gid) == 0) fchmod(fd, before.st_mode & 0777);
  return fd;
}

// Returns an error number, or 0, or kNoOtherFile. A full disk is an error: written in place, the
// file would lose what it has.
constexpr int kNoOtherFile = -1;
int WriteBeside(const std::string& path, absl::string_view bytes) {
  const std::string temporary = absl::StrCat(path, ".", getpid(), ".tmp");
  const int fd = OpenBeside(path, temporary);
  if (fd < 0) return errno == ENOSPC || errno == EDQUOT ? errno : kNoOtherFile;
  FILE* file = fdopen(fd, "wb");
  int error = file == nullptr ? errno : WriteAndClose(file, bytes);
  if (file == nullptr) close(fd);
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(temporary.c_str());
  return error;
}

}  // namespace

absl::Status WriteFile(const std::string& path, absl::string_view bytes) {
  // A file that may not be written is not replaced either, though its folder may allow that.
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT)
    return FileError("cannot write", path, errno);
  const std::string replaced = Replaceable(path);
  int error = replaced.empty() ? kNoOtherFile : WriteBeside(replaced, bytes);
  if (error == kNoOtherFile) error = WriteInPlace(path, bytes);
  return error == 0 ? absl::OkStatus() : FileError("cannot write", path, error);
}

absl::Status CheckWritable(const std::string& path) {
  struct stat there;
  const bool is_new = lstat(path.c_str(), &there) != 0 && errno == ENOENT;
  if (is_new) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      unlink(path.c_str());
      return absl::OkStatus();
    }
    // Another process may have created it since, perhaps to check the same.
    if (errno != EEXIST) return FileError("cannot write", path, errno);
  }
  if (stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode))
    return FileError("cannot write", path, EISDIR);
  // The file is not opened, because the other end of a pipe would notice. A link to a file that
  // does not exist yet is accepted.
  const bool writable = faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 || errno == ENOENT;
  return writable ? absl::OkStatus() : FileError("cannot write", path, errno);
}

absl::Status CheckArrayFile(const std::string& path) {
  if (absl::Status s = CheckWritable(path); !s.ok()) return s;
  struct stat there;
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot write ", path, ": arrays need a regular file"));
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string within = folder.empty() ? "." : folder.string();
  if (faccessat(AT_FDCWD, within.c_str(), W_OK, AT_EACCESS) == 0) return absl::OkStatus();
  return FileError("cannot write files beside", path, errno);
}

}  // namespace halyard::tools
