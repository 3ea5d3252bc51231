#include "frontend/files/standard_streams.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace halyard {

void OpenStandardStreams() {
  // By descriptor. The system gives the lowest that is free, so lower ones come first.
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // Without /dev/null, nothing can be said anywhere.
    if (open("/dev/null", kModes[fd]) != fd) _exit(1);
  }
}

bool RaiseStackLimit(const char* command) {
  constexpr rlim_t kWanted = rlim_t{8} << 20, kLeast = rlim_t{256} << 10;
  rlimit stack = {};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kWanted) return true;
  stack.rlim_cur = stack.rlim_max < kWanted ? stack.rlim_max : kWanted;
  (void)setrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_cur >= kLeast) return true;
  fprintf(stderr, "%s: error: the stack is too small (ulimit -s is %llu KiB): it takes %llu KiB\n",
          command, static_cast<unsigned long long>(stack.rlim_cur / 1024),
          static_cast<unsigned long long>(kLeast / 1024));
  return false;
}

}  // namespace halyard
