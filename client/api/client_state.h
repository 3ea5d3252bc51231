// What a Client holds beside its options; shared by the files that implement it.
#ifndef HALYARD_CLIENT_API_CLIENT_STATE_H_
#define HALYARD_CLIENT_API_CLIENT_STATE_H_

#include "client/api/client.h"
#include "client/api/work_queue.h"
#include "runtime/execute/context.h"

namespace halyard {

struct Client::State {
  runtime::Context* context = nullptr;  // null for the reference evaluator
  WorkQueue ready;                      // waits for buffers of GPUs; see Client::OnReady
  ~State() {
    // Callbacks run on threads of the context's queue and on that of `ready`, and either may give
    // the other work. The last buffer must not be released on a thread of the queue, because that
    // would end the queue.
    if (context != nullptr) context->queue().WaitUntilIdle();
    ready.WaitUntilIdle();
    if (context != nullptr) context->queue().WaitUntilIdle();
    ready.Stop();
    if (context != nullptr) context->Release();
  }
};

// Gives the module the grid of processes that the options name, if they name one.
absl::Status SetGrid(const CompileOptions& options, hlo::Module* module);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_CLIENT_STATE_H_
