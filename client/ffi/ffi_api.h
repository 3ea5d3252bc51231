// The functions that functions of XLA's foreign function interface (xla/ffi/api/c_api.h) call back.
#ifndef HALYARD_CLIENT_FFI_FFI_API_H_
#define HALYARD_CLIENT_FFI_FFI_API_H_

#include <condition_variable>
#include <mutex>

#include "absl/status/status.h"
#include "xla/ffi/api/c_api.h"

struct XLA_FFI_Error {
  absl::Status status;
};

// Given to functions that finish later. The run waits for it, and destroys it.
struct XLA_FFI_Future {
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
  absl::Status status;
};

// Belongs to one call.
struct XLA_FFI_ExecutionContext {
  int64_t run_id = 0;
};

namespace halyard::ffi {

// Returns the table, which lives as long as the process. Entries that functions on the CPU have no
// use for (streams, states that outlive a call, the caller's data) return errors.
const XLA_FFI_Api* TheApi();

// Takes ownership of what a function has returned.
absl::Status TakeError(XLA_FFI_Error* error);
// Waits for what a function has promised, and frees the future.
absl::Status TakeFuture(XLA_FFI_Future* future);

}  // namespace halyard::ffi

#endif  // HALYARD_CLIENT_FFI_FFI_API_H_
