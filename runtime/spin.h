// Busy waiting, for threads that expect news within microseconds. On a virtual machine, waking a
// sleeping thread costs the waker about ten microseconds, and the thread runs tens of microseconds
// later.
#ifndef HALYARD_RUNTIME_SPIN_H_
#define HALYARD_RUNTIME_SPIN_H_

#include <sched.h>

namespace halyard::runtime {

// Calls `ready` up to 2,000 times, for some tens of microseconds, and returns whether it returned
// true. Yields now and then, because a thread of the application, perhaps the one that prepares the
// news, may need this core.
template <typename Ready>
bool SpinUntil(Ready ready) {
  for (int i = 0; i < 2000; ++i) {
    if (ready()) return true;
    if (i % 32 == 31) {
      sched_yield();
    } else {
      __builtin_ia32_pause();
    }
  }
  return false;
}

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_SPIN_H_
