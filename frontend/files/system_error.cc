#include "frontend/files/system_error.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace halyard {

namespace {

// As the shell's ulimit prints them.
struct Limit {
  int error;
  __rlimit_resource resource;
  const char* option;
  rlim_t unit;
  const char* unit_name;
};
constexpr Limit kLimits[] = {
    {EMFILE, RLIMIT_NOFILE, "-n", 1, ""},
    {EFBIG, RLIMIT_FSIZE, "-f", 1024, " KiB"},
    {ENOMEM, RLIMIT_AS, "-v", 1024, " KiB"},
    {EAGAIN, RLIMIT_NPROC, "-u", 1, ""},
};

}  // namespace

std::string SystemErrorText(int error) { return strerror(error) + SystemErrorNote(error); }

std::string SystemErrorNote(int error) {
  std::string text;
  for (const Limit& limit : kLimits) {
    rlimit set = {};
    if (limit.error != error || getrlimit(limit.resource, &set) != 0 ||
        set.rlim_cur == RLIM_INFINITY) {
      continue;
    }
    absl::StrAppend(&text, " (ulimit ", limit.option, " is ", set.rlim_cur / limit.unit,
                    limit.unit_name, ")");
  }
  // A thread's stack is memory too.
  if (error == EAGAIN) text += MemoryLimitNote();
  return text;
}

std::string MemoryLimitNote() {
  rlimit set = {};
  if (getrlimit(RLIMIT_AS, &set) != 0 || set.rlim_cur == RLIM_INFINITY) return "";
  return absl::StrCat(" (ulimit -v is ", set.rlim_cur / 1024, " KiB)");
}

std::string LowLimitsNote() {
  constexpr rlim_t kFewFiles = 64, kFewProcesses = 64;
  std::string notes;
  for (const Limit& limit : kLimits) {
    const rlim_t low = limit.resource == RLIMIT_NOFILE  ? kFewFiles
                       : limit.resource == RLIMIT_NPROC ? kFewProcesses
                                                        : RLIM_INFINITY;
    rlimit set = {};
    if (getrlimit(limit.resource, &set) != 0 || set.rlim_cur >= low) continue;
    absl::StrAppend(&notes, notes.empty() ? " (" : ", ", "ulimit ", limit.option, " is ",
                    set.rlim_cur / limit.unit, limit.unit_name);
  }
  return notes.empty() ? notes : notes + ")";
}

}  // namespace halyard
