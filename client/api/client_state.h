// What a Client holds beside its options; shared by the files that implement it.
#ifndef HALYARD_CLIENT_API_CLIENT_STATE_H_
#define HALYARD_CLIENT_API_CLIENT_STATE_H_

#include "client/api/client.h"
#include "client/api/places.h"
#include "client/api/work_queue.h"
#include "runtime/execute/context.h"

namespace halyard {

struct Client::State {
  std::vector<runtime::Context*> contexts;  // empty for the reference evaluator
  std::vector<Place> places;                // one for each logical device; or empty
  int num_devices = 1;
  WorkQueue ready;  // waits for buffers of GPUs; see Client::OnReady
  bool is_reference() const { return contexts.empty(); }
  absl::Status CheckDevice(int device) const;
  void WaitForQueues() {
    for (runtime::Context* context : contexts) context->queue().WaitUntilIdle();
  }
  ~State() {
    // Callbacks run on threads of the contexts' queues and on that of `ready`, and either may give
    // the other work. The last buffer must not be released on a thread of the queue, because that
    // would end the queue.
    WaitForQueues();
    ready.WaitUntilIdle();
    WaitForQueues();
    ready.Stop();
    for (runtime::Context* context : contexts) context->Release();
  }
};

// Returns the next target for which "auto" stands if `unusable` cannot be opened.
absl::StatusOr<Target> NextTarget(const Target& unusable, const ClientOptions& options);

// Gives the module the grid of processes that the options name, if they name one.
absl::Status SetGrid(const CompileOptions& options, hlo::Module* module);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_CLIENT_STATE_H_
