// Calls a function of the C API in a process of its own, which it may end.
#ifndef HALYARD_TESTS_RUNTIME_C_API_IN_CHILD_H_
#define HALYARD_TESTS_RUNTIME_C_API_IN_CHILD_H_

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "runtime/c_api/halyard_rt.h"

namespace halyard::testing {

inline constexpr int kDied = -1;

// Runs the call in a child process and returns the code of its status, or kDied. Children end
// without running destructors, so what they leave open does not matter.
inline int CodeInChild(const std::function<hy_status()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const hy_status status = call();
    const int code = hy_status_code(status);
    if (code != HY_OK && std::strlen(hy_status_message(status)) == 0) _exit(100);
    hy_status_free(status);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kDied;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_RUNTIME_C_API_IN_CHILD_H_
