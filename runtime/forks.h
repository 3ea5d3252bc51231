// A process that fork() has made has none of its parent's threads: what owns threads asks here
// whether they are still there.
#ifndef HALYARD_RUNTIME_FORKS_H_
#define HALYARD_RUNTIME_FORKS_H_

#include <stdint.h>

namespace halyard::runtime {

// How many forks lie between this process and the one that first called this. A child of a fork has
// another number than its parent.
uint32_t ForkCount();

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_FORKS_H_
