// Limits the address space of a process that runs what may take all memory.
#ifndef HALYARD_FRONTEND_FILES_ADDRESS_SPACE_H_
#define HALYARD_FRONTEND_FILES_ADDRESS_SPACE_H_

#include <cstdint>

namespace halyard {

// From now on, this process can map at most `bytes` beyond what it has mapped already (libraries,
// stacks of threads, a sanitizer's shadow of all memory). Allocations beyond fail. It cannot be
// undone.
void LimitAddressSpace(int64_t bytes);

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_ADDRESS_SPACE_H_
