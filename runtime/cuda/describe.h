// Describes a device by the attributes that the driver reports.
#ifndef HALYARD_RUNTIME_CUDA_DESCRIBE_H_
#define HALYARD_RUNTIME_CUDA_DESCRIBE_H_

#include "runtime/cuda/api.h"
#include "runtime/device_info.h"

namespace halyard::runtime::cuda {

// Needs no context. `has_pools` says whether the device has memory pools (stream-ordered
// allocation).
Status DescribeDevice(const Api& api, CUdevice device, DeviceInfo* info, bool* has_pools);

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_DESCRIBE_H_
