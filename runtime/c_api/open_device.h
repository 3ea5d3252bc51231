// Opens devices with what the application provides for them (hy_device_options).
#ifndef HALYARD_RUNTIME_C_API_OPEN_DEVICE_H_
#define HALYARD_RUNTIME_C_API_OPEN_DEVICE_H_

#include <stdint.h>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/linked_backends.h"
#include "runtime/device_info.h"
#include "runtime/execute/context.h"
#include "runtime/host.h"
#include "runtime/status.h"
#include "runtime/x86/thread_pool.h"

namespace halyard::runtime {

struct DeviceOptions {
  const char* kind = nullptr;
  uint32_t index = 0, threads = 0;
  Context* threads_of = nullptr;
  bool has_pool = false;
  x86::ApplicationThreads pool;
  TaskQueue::Application submit;
  Host host;
  BackendOptions backend;
  bool has_vulkan = false, has_cuda = false;  // devices of the application
};

// Checks the options, which may be null, and copies them.
Status ReadDeviceOptions(const hy_device_options* given, DeviceOptions* options);

// Opens a device of the kind. The thread's host must be options.host.
Status OpenContext(DeviceKind kind, const DeviceOptions& options, Context** context);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_OPEN_DEVICE_H_
