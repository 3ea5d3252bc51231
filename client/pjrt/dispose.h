// Letting go of what must wait for runs, when the caller must not: it may have Python's lock, and
// runs may need that.
#ifndef HALYARD_CLIENT_PJRT_DISPOSE_H_
#define HALYARD_CLIENT_PJRT_DISPOSE_H_

#include <memory>

namespace halyard::pjrt {

// Drops the reference from another thread.
void Dispose(std::shared_ptr<const void> last);
// Returns when all that was given up so far is gone.
void WaitForDisposal();

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_DISPOSE_H_
