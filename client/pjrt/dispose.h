// Releases what must wait for runs on behalf of callers that must not wait. Such a caller may hold
// Python's lock, and the runs may need it.
#ifndef HALYARD_CLIENT_PJRT_DISPOSE_H_
#define HALYARD_CLIENT_PJRT_DISPOSE_H_

#include <memory>

namespace halyard::pjrt {

// Drops the reference on another thread.
void Dispose(std::shared_ptr<const void> last);
// Returns when everything that was passed to Dispose so far is released.
void WaitForDisposal();

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_DISPOSE_H_
