#include "ranks/shared_segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace halyard::ranks {
namespace {

constexpr uint64_t kMagic = 0x31594d454d59484c;
constexpr char kFileName[] = "halyard-ranks";
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

struct Header {
  uint64_t magic, bytes, token[2];
};
static_assert(sizeof(Header) <= SharedSegment::kHeaderBytes);

absl::Status Refused(const char* what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", strerror(errno)));
}

// Processes with the same number run on this machine only if the systems are the same.
std::string BootId() {
  char text[64] = {};
  FILE* file = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file == nullptr || fscanf(file, "%60s", text) != 1) text[0] = '\0';
  if (file != nullptr) fclose(file);
  return text[0] == '\0' ? "none" : text;
}

}  // namespace

absl::StatusOr<std::shared_ptr<SharedSegment>> SharedSegment::Map(int file, uint64_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (data == MAP_FAILED) {
    const absl::Status refused = Refused("mmap");
    close(file);
    return refused;
  }
  return std::shared_ptr<SharedSegment>(
      new SharedSegment(file, static_cast<uint8_t*>(data), bytes));
}

absl::StatusOr<std::shared_ptr<SharedSegment>> SharedSegment::Create(uint64_t bytes) {
  Header header = {kMagic, bytes, {}};
  if (bytes < kHeaderBytes) return absl::UnavailableError("no bytes to share");
  if (getrandom(header.token, sizeof(header.token), 0) != sizeof(header.token))
    return Refused("getrandom");
  const int file = memfd_create(kFileName, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return Refused("memfd_create");
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0 || fcntl(file, F_ADD_SEALS, kSeals) != 0) {
    const absl::Status refused = Refused("ftruncate");
    close(file);
    return refused;
  }
  absl::StatusOr<std::shared_ptr<SharedSegment>> made = Map(file, bytes);
  if (!made.ok()) return made;
  if (!(*made)->Commit(0, kHeaderBytes)) return Refused("fallocate");
  memcpy((*made)->data_, &header, sizeof(header));
  return made;
}

std::string SharedSegment::Name() const {
  Header header;
  memcpy(&header, data_, sizeof(header));
  return absl::StrFormat("%s %d %d %016x%016x", BootId(), getpid(), file_, header.token[0],
                         header.token[1]);
}

absl::StatusOr<std::shared_ptr<SharedSegment>> SharedSegment::Open(const std::string& name) {
  char boot[64];
  int process = 0, descriptor = 0;
  unsigned long long token[2];
  if (sscanf(name.c_str(), "%60s %d %d %16llx%16llx", boot, &process, &descriptor, &token[0],
             &token[1]) != 5) {
    return absl::InvalidArgumentError("this names no memory");
  }
  if (boot != BootId()) return absl::UnavailableError("it is on another machine");
  const std::string path = absl::StrCat("/proc/", process, "/fd/", descriptor);
  // Opening some other file could wait for ever, or do something.
  char target[PATH_MAX] = {};
  if (readlink(path.c_str(), target, sizeof(target) - 1) < 0) return Refused("readlink");
  if (!absl::StartsWith(target, absl::StrCat("/memfd:", kFileName)))
    return absl::UnavailableError("the process of that number is another one");
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return Refused("open");
  struct stat status = {};
  if (fstat(file, &status) != 0 || status.st_size < static_cast<off_t>(kHeaderBytes) ||
      (fcntl(file, F_GET_SEALS) & F_SEAL_SHRINK) == 0) {
    close(file);
    return absl::UnavailableError("the process of that number is another one");
  }
  const uint64_t bytes = static_cast<uint64_t>(status.st_size);
  absl::StatusOr<std::shared_ptr<SharedSegment>> made = Map(file, bytes);
  if (!made.ok()) return made;
  Header header;
  memcpy(&header, (*made)->data_, sizeof(header));
  if (header.magic != kMagic || header.bytes != bytes || header.token[0] != token[0] ||
      header.token[1] != token[1]) {
    return absl::UnavailableError("the process of that number is another one");
  }
  return made;
}

SharedSegment::~SharedSegment() {
  (void)munmap(data_, bytes_);
  close(file_);
}

bool SharedSegment::Commit(uint64_t offset, uint64_t bytes) {
  if (offset > bytes_ || bytes > bytes_ - offset) return false;
  int failed = -1;
  do {
    failed = fallocate(file_, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  } while (failed != 0 && errno == EINTR);
  return failed == 0;
}

}  // namespace halyard::ranks
