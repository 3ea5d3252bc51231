#include "client/cache/store_limit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace halyard {
namespace {

constexpr uint64_t kUsualLimit = uint64_t{5} << 30;
constexpr int64_t kHour = 3600, kDay = 24 * kHour;
// Its modification time tells when the entries were last looked at.
constexpr char kStamp[] = "/limit";

struct Entry {
  int64_t modified;
  uint64_t bytes;
  std::string path;
};

// Returns the entries. Removes what writers that were killed have left.
std::vector<Entry> Entries(const std::string& folder, int64_t now) {
  std::vector<Entry> entries;
  std::error_code error;
  for (auto it = std::filesystem::directory_iterator(folder, error);
       !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    const std::string path = it->path().string(), extension = it->path().extension().string();
    struct stat info;
    if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    if (it->path().stem() == "tmp") {
      if (info.st_mtime < now - kDay) unlink(path.c_str());
    } else if (extension == ".kernel" || extension == ".program") {
      entries.push_back({info.st_mtime, static_cast<uint64_t>(info.st_blocks) * 512, path});
    }
  }
  return entries;
}

void Trim(const std::string& folder, uint64_t limit, int64_t now) {
  std::vector<Entry> entries = Entries(folder, now);
  uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  if (total <= limit) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.modified < b.modified; });
  for (const Entry& entry : entries) {
    if (total <= limit / 10 * 9) return;
    if (unlink(entry.path.c_str()) == 0) total -= entry.bytes;
  }
}

}  // namespace

absl::StatusOr<uint64_t> CacheLimit() {
  const char* text = getenv("HALYARD_CACHE_LIMIT");
  if (text == nullptr || *text == '\0') return kUsualLimit;
  absl::string_view digits = text;
  const size_t unit = absl::string_view("KMG").find(digits.back());
  if (unit != absl::string_view::npos) digits.remove_suffix(1);
  const unsigned shift =
      unit == absl::string_view::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  uint64_t limit = 0;
  if (!absl::SimpleAtoi(digits, &limit) || limit > UINT64_MAX >> shift) {
    return absl::InvalidArgumentError(
        absl::StrCat("HALYARD_CACHE_LIMIT is \"", text,
                     "\"; it must be a number of bytes, with K, M or G behind it or none, or 0 for "
                     "no limit"));
  }
  return limit << shift;
}

void KeepWithinLimit(const std::string& folder, uint64_t limit, uint64_t bytes) {
  if (limit == 0) return;
  static std::mutex mutex;
  static uint64_t added = 0;  // by this process, since it last looked at the entries
  const std::lock_guard<std::mutex> lock(mutex);
  added += bytes;
  const int64_t now = time(nullptr);
  const std::string stamp = folder + kStamp;
  struct stat info;
  const bool recent = stat(stamp.c_str(), &info) == 0 && info.st_mtime > now - kHour;
  if (recent && added < limit / 64) return;
  added = 0;
  const int fd = open(stamp.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0) {
    (void)futimens(fd, nullptr);
    close(fd);
  }
  Trim(folder, limit, now);
}

void NoteUse(int fd, int64_t modified) {
  // Within an hour, it makes no difference to the order that matters.
  if (modified < time(nullptr) - kHour) (void)futimens(fd, nullptr);
}

}  // namespace halyard
