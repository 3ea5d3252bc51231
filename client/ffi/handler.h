// Functions of XLA's foreign function interface, for custom calls of API_VERSION_TYPED_FFI.
//
// They are called on the CPU by programs on every target, like other custom calls
// (client/api/custom_call.h): a GPU's arrays are copied to host memory and back.
#ifndef HALYARD_CLIENT_FFI_HANDLER_H_
#define HALYARD_CLIENT_FFI_HANDLER_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/ffi/api/c_api.h"

namespace halyard {

// Lets programs that are compiled from now on call `handler` by this name. Returns
// FailedPrecondition if it was compiled for another version of the interface.
absl::Status RegisterFfiHandler(absl::string_view name, XLA_FFI_Handler* handler);

}  // namespace halyard

#endif  // HALYARD_CLIENT_FFI_HANDLER_H_
