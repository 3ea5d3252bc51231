// What Halyard offers to functions of XLA's foreign function interface (xla/ffi/api/c_api.h), which
// call it back.
#ifndef HALYARD_CLIENT_FFI_FFI_API_H_
#define HALYARD_CLIENT_FFI_FFI_API_H_

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "xla/ffi/api/c_api.h"

struct XLA_FFI_Error {
  explicit XLA_FFI_Error(absl::Status what) : status(std::move(what)), message(status.message()) {}
  absl::Status status;
  std::string message;  // ends with a zero, unlike that of the status
};

// Given to functions that finish later. The run waits for it and destroys it.
struct XLA_FFI_Future {
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
  absl::Status status;
};

// The context of one call.
struct XLA_FFI_ExecutionContext {
  int64_t run_id = 0;
};

namespace halyard::ffi {

// Returns the table of the functions that are offered, which lives as long as the process. Services
// that functions on the CPU have no use for (streams, states that outlive a call, data of the
// caller) return an error.
const XLA_FFI_Api* TheApi();

// Destroys the error that a function has returned, if any, and returns its status.
absl::Status TakeError(XLA_FFI_Error* error);
// Waits until the future that a function has returned is done, destroys it, and returns its status.
// Null is OK.
absl::Status TakeFuture(XLA_FFI_Future* future);

}  // namespace halyard::ffi

#endif  // HALYARD_CLIENT_FFI_FFI_API_H_
