#include "client/cache/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/cache/store_limit.h"
#include "client/reports/warning.h"
#include "frontend/files/own_folders.h"
#include "frontend/files/read_file.h"
#include "frontend/files/system_error.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard {

namespace {

// An entry consists of this head, the key and the value. The checksum is XXH3 of key and value.
struct EntryHeader {
  char magic[8] = {'H', 'Y', 'C', 'A', 'C', 'H', 'E', '1'};
  uint64_t key_bytes = 0, value_bytes = 0, checksum = 0;
};

uint64_t ChecksumOf(absl::string_view key, absl::string_view value) {
  return XXH3_64bits_withSeed(value.data(), value.size(), XXH3_64bits(key.data(), key.size()));
}

std::string DefaultFolder() {
  if (const char* folder = getenv("HALYARD_CACHE_DIR"); folder != nullptr && *folder != '\0')
    return folder;
  return absl::StrCat(UserFolder("XDG_CACHE_HOME", ".cache"), "/halyard");
}

// With a slash at its end, a path names what a link points to, and is its own parent folder.
std::string WithoutEndSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool WriteAll(int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

}  // namespace

absl::StatusOr<Store> Store::Open(const std::string& folder) {
  Store store;
  absl::StatusOr<uint64_t> limit = CacheLimit();
  if (!limit.ok()) return limit.status();
  store.limit_ = *limit;
  store.folder_ = WithoutEndSlashes(folder.empty() ? DefaultFolder() : folder);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(store.folder_).parent_path(), error);
  if (mkdir(store.folder_.c_str(), 0700) != 0 && errno != EEXIST) {
    const bool full = errno == ENOSPC || errno == EDQUOT;
    const std::string what =
        absl::StrCat("cache folder ", store.folder_, " cannot be made: ", SystemErrorText(errno),
                     "; name another in HALYARD_CACHE_DIR");
    return full ? absl::ResourceExhaustedError(what) : absl::FailedPreconditionError(what);
  }
  struct stat info = {};
  if (lstat(store.folder_.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    // Whoever owns a link's folder could point it elsewhere after this check.
    const char* what = S_ISLNK(info.st_mode) ? "a symbolic link; name the folder itself in "
                                               "HALYARD_CACHE_DIR"
                                             : "not a folder";
    return absl::FailedPreconditionError(
        absl::StrCat("cache folder ", store.folder_, " is ", what));
  }
  if (info.st_uid != geteuid() || (info.st_mode & 077) != 0) {
    char mode[8];
    snprintf(mode, sizeof(mode), "%03o", static_cast<unsigned>(info.st_mode & 0777));
    return absl::FailedPreconditionError(absl::StrCat(
        "cache folder ", store.folder_,
        " holds code that will be run, so it must be yours alone (mode 700); it is mode ", mode,
        ", of user ", info.st_uid));
  }
  return store;
}

absl::StatusOr<Store> Store::OpenForCompile(const std::string& folder) {
  absl::StatusOr<Store> store = Open(folder);
  if (!absl::IsResourceExhausted(store.status())) return store;
  WarnOnce(absl::StrCat(store.status().message(), "; nothing is cached"));
  return Store();
}

std::string Store::PathOf(absl::string_view kind, absl::string_view key) const {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return absl::StrCat(folder_, "/", absl::Hex(hash.high64, absl::kZeroPad16),
                      absl::Hex(hash.low64, absl::kZeroPad16), ".", kind);
}

std::optional<std::string> Store::Read(absl::string_view kind, absl::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  // If a pipe were in an entry's place, opening it would wait for ever.
  const int fd = open(PathOf(kind, key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  struct stat info;
  const bool ours = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid();
  absl::StatusOr<std::string> read = absl::NotFoundError("");
  if (ours) {
    read = ReadToEnd(fd, folder_, kOwnFileLimits);
    NoteUse(fd, info.st_mtime);
  }
  close(fd);
  if (!read.ok() || read->size() < sizeof(EntryHeader)) return std::nullopt;
  const std::string& bytes = *read;
  EntryHeader header;
  const EntryHeader expected;
  memcpy(&header, bytes.data(), sizeof(header));
  if (memcmp(header.magic, expected.magic, sizeof(header.magic)) != 0 ||
      header.key_bytes != key.size() ||
      header.value_bytes != bytes.size() - sizeof(header) - header.key_bytes) {
    return std::nullopt;
  }
  const absl::string_view all(bytes);
  const absl::string_view value = all.substr(sizeof(header) + key.size());
  if (all.substr(sizeof(header), key.size()) != key || header.checksum != ChecksumOf(key, value))
    return std::nullopt;
  return std::string(value);
}

void Store::Write(absl::string_view kind, absl::string_view key, absl::string_view value) const {
  if (folder_.empty() || (limit_ != 0 && value.size() > limit_)) return;
  std::string temporary = absl::StrCat(folder_, "/tmp.XXXXXX");
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return;
  EntryHeader header;
  header.key_bytes = key.size();
  header.value_bytes = value.size();
  header.checksum = ChecksumOf(key, value);
  const bool good =
      WriteAll(fd, absl::string_view(reinterpret_cast<const char*>(&header), sizeof(header))) &&
      WriteAll(fd, key) && WriteAll(fd, value);
  close(fd);
  if (!good || rename(temporary.c_str(), PathOf(kind, key).c_str()) != 0) {
    unlink(temporary.c_str());
    return;
  }
  KeepWithinLimit(folder_, limit_, sizeof(header) + key.size() + value.size());
}

}  // namespace halyard
