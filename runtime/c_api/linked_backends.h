// The backends for GPUs that the application has been linked with. The C API refers to them weakly,
// which pulls nothing out of an archive, so that an application without GPUs does not carry them.
// What needs one refers to its OpenDevice strongly: the objects of models for GPUs
// (archive/static_library.h), and `-u` of the installed packages.
#ifndef HALYARD_RUNTIME_C_API_LINKED_BACKENDS_H_
#define HALYARD_RUNTIME_C_API_LINKED_BACKENDS_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/cuda/cuda.h"
#include "runtime/device_info.h"
#include "runtime/status.h"
#include "runtime/vulkan/vulkan.h"

namespace halyard::runtime {

// What the application provides. Devices without handles are not the application's.
struct BackendOptions {
  const char* pipeline_cache_folder = nullptr;
  vulkan::ApplicationDevice vulkan;
  cuda::ApplicationDevice cuda;
};

// Both return kUnavailable if the backend is not linked in, or has no device. `kind` is that of a
// GPU.
Status OpenLinkedBackend(DeviceKind kind, uint32_t index, const BackendOptions& options,
                         Device** device);
// Describes the device without opening it.
Status DescribeLinkedBackend(DeviceKind kind, uint32_t index, const BackendOptions& options,
                             DeviceInfo* info);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_LINKED_BACKENDS_H_
