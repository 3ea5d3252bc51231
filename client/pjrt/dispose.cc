#include "client/pjrt/dispose.h"

#include <utility>

#include "client/api/work_queue.h"

namespace halyard::pjrt {
namespace {

// Never destroyed: what it frees may be the last thing of the process.
WorkQueue& Queue() {
  static auto* queue = new WorkQueue();
  return *queue;
}

}  // namespace

void Dispose(std::shared_ptr<const void> last) {
  Queue().Push([last = std::move(last)]() mutable { last = nullptr; });
}

void WaitForDisposal() { Queue().WaitUntilIdle(); }

}  // namespace halyard::pjrt
