// What of shared memory wgmma sees (PTX ISA 8.x, "Proxies"): threads write it by the generic
// proxy, and wgmma reads it by the async proxy. A thread's writes reach that one after
// fence.proxy.async by this thread, and then a barrier. cp.async is complete at its thread's wait.
#ifndef HALYARD_TESTS_FAKES_PTX_PROXY_H_
#define HALYARD_TESTS_FAKES_PTX_PROXY_H_

#include <cstdint>
#include <string>

#include "tests/fakes/ptx/warp.h"

namespace halyard::testing::ptx {

// Notes that a lane has written the bytes at `at`, counted from kSharedBase. Only for blocks whose
// shared memory tracks proxies.
void NoteGenericWrite(Warp& warp, int lane, uint32_t at, uint32_t bytes);
// fence.proxy.async.
void FenceProxy(Warp& warp, const Instruction& i, uint32_t mask);
// Returns "", or why wgmma does not see what was written to these bytes.
std::string CheckProxies(const SharedMemory& shared, uint32_t at, uint32_t bytes);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_PROXY_H_
