// Custom calls of the form that tells types and shapes (hy_call).
#ifndef HALYARD_RUNTIME_C_API_CUSTOM_CALLS_H_
#define HALYARD_RUNTIME_C_API_CUSTOM_CALLS_H_

#include <stddef.h>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/execute/context.h"
#include "runtime/status.h"

namespace halyard::runtime {

Status RegisterCall(Context* context, const char* name, hy_call_function function, void* user);
// Registers the calls of hy_choose_options. kInvalidArgument if a pointer is missing.
Status RegisterCalls(Context* context, const hy_named_call* calls, size_t count);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_CUSTOM_CALLS_H_
