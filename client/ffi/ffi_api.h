// What functions of XLA's foreign function interface (xla/ffi/api/c_api.h) call back into.
#ifndef HALYARD_CLIENT_FFI_FFI_API_H_
#define HALYARD_CLIENT_FFI_FFI_API_H_

#include <condition_variable>
#include <mutex>

#include "absl/status/status.h"
#include "xla/ffi/api/c_api.h"

struct XLA_FFI_Error {
  absl::Status status;
};

// Handed to functions that finish later; destroyed by the run, which waits for it.
struct XLA_FFI_Future {
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
  absl::Status status;
};

// Of one call.
struct XLA_FFI_ExecutionContext {
  int64_t run_id = 0;
};

namespace halyard::ffi {

// The table, which lives as long as the process. What functions on the CPU have no use for
// (streams, states that outlive a call, data of the caller) is an error when it is asked for.
const XLA_FFI_Api* TheApi();

// Takes over what a function has returned.
absl::Status TakeError(XLA_FFI_Error* error);
// Waits for what a function has promised, and frees it.
absl::Status TakeFuture(XLA_FFI_Future* future);

}  // namespace halyard::ffi

#endif  // HALYARD_CLIENT_FFI_FFI_API_H_
