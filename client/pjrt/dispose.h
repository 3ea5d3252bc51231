// Drops references whose last owner must wait for runs, in cases where the caller must not wait:
// the caller may hold Python's lock, and runs may need that lock.
#ifndef HALYARD_CLIENT_PJRT_DISPOSE_H_
#define HALYARD_CLIENT_PJRT_DISPOSE_H_

#include <memory>

namespace halyard::pjrt {

// Drops the reference in another thread.
void Dispose(std::shared_ptr<const void> last);
// Returns when everything that was given to Dispose so far is gone.
void WaitForDisposal();

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_DISPOSE_H_
