#include "ranks/free_memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace halyard::ranks {
namespace {

constexpr uint64_t kUnlimited = ~uint64_t{0};
constexpr uint64_t kMostShared = uint64_t{16} << 30;

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Returns the number after `name` in a text such as "name 5\nother: 7 kB\n", or 0.
uint64_t NumberOf(const std::string& text, absl::string_view name) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::ConsumePrefix(&line, name)) continue;
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    uint64_t number = 0;
    if (!words.empty() && absl::SimpleAtoi(words[0], &number)) return number;
  }
  return 0;
}

// Returns false if the file does not hold a number. "max" is one.
bool ReadNumber(const std::string& path, uint64_t* number) {
  const std::string text = ReadText(path);
  const absl::string_view word = absl::StripAsciiWhitespace(text);
  *number = kUnlimited;
  return word == "max" || absl::SimpleAtoi(word, number);
}

// The names of a control group's files differ between the two versions of control groups.
struct GroupFiles {
  const char *limit, *used, *cached;
};
constexpr GroupFiles kVersion1 = {"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                  "total_inactive_file "};
constexpr GroupFiles kVersion2 = {"/memory.max", "/memory.current", "inactive_file "};

uint64_t FreeInGroup(const std::string& folder, const GroupFiles& files) {
  uint64_t limit = 0, used = 0;
  if (!ReadNumber(folder + files.limit, &limit) || !ReadNumber(folder + files.used, &used))
    return kUnlimited;
  used -= std::min(used, NumberOf(ReadText(folder + "/memory.stat"), files.cached));
  return limit - std::min(limit, used);
}

// A group is limited by those above it, too. In a container, `path` may name folders above the one
// that is mounted. They are missing here, and the limit is the mounted folder's.
uint64_t FreeInGroups(const std::string& mounted, std::string path, const GroupFiles& files) {
  uint64_t free = FreeInGroup(mounted, files);
  while (!path.empty()) {
    free = std::min(free, FreeInGroup(mounted + path, files));
    path.resize(std::min(path.size() - 1, path.rfind('/')));
  }
  return free;
}

uint64_t Limit(int resource) {
  rlimit limit = {};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return kUnlimited;
  return limit.rlim_cur == RLIM_INFINITY ? kUnlimited : limit.rlim_cur;
}

}  // namespace

uint64_t FreeMemory(const std::string& root) {
  uint64_t free = NumberOf(ReadText(root + "/proc/meminfo"), "MemAvailable:") << 10;
  const std::string groups = ReadText(root + "/proc/self/cgroup");
  // Lines are "NUMBER:CONTROLLERS:PATH". Version 2 has number 0 and no controllers.
  for (const absl::string_view line : absl::StrSplit(groups, '\n')) {
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    if (parts[1].empty()) {
      free = std::min(free, FreeInGroups(root + "/sys/fs/cgroup", parts[2], kVersion2));
    } else if (parts[1] == "memory" || absl::StartsWith(parts[1], "memory,") ||
               absl::StrContains(parts[1], ",memory")) {
      free = std::min(free, FreeInGroups(root + "/sys/fs/cgroup/memory", parts[2], kVersion1));
    }
  }
  return free;
}

MemoryLimits OwnMemoryLimits() { return {FreeMemory(), Limit(RLIMIT_AS), Limit(RLIMIT_FSIZE)}; }

uint64_t ShareOfMemory(const MemoryLimits& limits, int ranks) {
  const uint64_t least = std::min(limits.free_memory, limits.address_space);
  const uint64_t share = least / 8 / static_cast<uint64_t>(std::max(ranks, 1));
  return std::min({share, limits.file_size, kMostShared});
}

}  // namespace halyard::ranks
