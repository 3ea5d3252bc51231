#include "client/pjrt/dispose.h"

#include <cstdlib>
#include <utility>

#include "client/api/work_queue.h"

namespace halyard::pjrt {
namespace {

// The queue is never destroyed, because what it frees may be the last thing of the process. But the
// end of the process waits for it, before drivers are unloaded: exit handlers run in reverse order,
// and drivers were loaded before the first call of this function.
WorkQueue& Queue() {
  static WorkQueue* const queue = [] {
    std::atexit(WaitForDisposal);
    return new WorkQueue();
  }();
  return *queue;
}

}  // namespace

void Dispose(std::shared_ptr<const void> last) {
  Queue().Push([last = std::move(last)]() mutable { last = nullptr; });
}

void WaitForDisposal() { Queue().WaitUntilIdle(); }

}  // namespace halyard::pjrt
