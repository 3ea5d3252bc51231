// Busy waiting, for threads that expect news within microseconds: to wake a sleeping thread costs
// the waker about ten of them on a virtual machine, and takes tens until it runs.
#ifndef HALYARD_RUNTIME_SPIN_H_
#define HALYARD_RUNTIME_SPIN_H_

#include <sched.h>

namespace halyard::runtime {

// Looks up to 2,000 times, for some tens of microseconds, whether `ready()`. Gives way now and
// then: a thread of the application, which may be what prepares the news, can need this core.
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
