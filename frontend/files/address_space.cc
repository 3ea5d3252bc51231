#include "frontend/files/address_space.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

namespace halyard {
namespace {

int64_t MappedBytes() {
  FILE* file = fopen("/proc/self/statm", "r");
  long pages = 0;
  if (file != nullptr) {
    if (fscanf(file, "%ld", &pages) != 1) pages = 0;
    fclose(file);
  }
  return static_cast<int64_t>(pages) * sysconf(_SC_PAGESIZE);
}

}  // namespace

void LimitAddressSpace(int64_t bytes) {
  const rlim_t limit = static_cast<rlim_t>(MappedBytes() + bytes);
  const rlimit memory = {limit, limit};
  setrlimit(RLIMIT_AS, &memory);
}

}  // namespace halyard
