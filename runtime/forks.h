// A child of fork() has none of its parent's threads. Objects that own threads use this to find out
// whether the threads still exist.
#ifndef HALYARD_RUNTIME_FORKS_H_
#define HALYARD_RUNTIME_FORKS_H_

#include <stdint.h>

namespace halyard::runtime {

// Returns the number of forks between this process and the one that first called this. The number
// of a child differs from that of its parent.
uint32_t ForkCount();

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_FORKS_H_
