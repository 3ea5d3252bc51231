// CUDA devices, through whatever driver (libcuda.so.1) the machine has.
#ifndef HALYARD_RUNTIME_CUDA_CUDA_H_
#define HALYARD_RUNTIME_CUDA_CUDA_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/status.h"

namespace halyard::runtime::cuda {

// Devices are in the driver's order ($CUDA_VISIBLE_DEVICES applies). Returns 0 with OK if there is
// no driver or no device.
Status CountDevices(uint32_t* count);

// The application's own context and stream, as hy_cuda_device has them (c_api/halyard_rt.h).
struct ApplicationDevice {
  void* context = nullptr;  // CUcontext; null: the primary one of the device with the index
  void* stream = nullptr;   // CUstream, to which all work goes; null: streams of the backend
};

struct Options {
  const char* library =
      nullptr;  // the driver's file; null stands for $HALYARD_LIBCUDA if set, else libcuda.so.1
  ApplicationDevice application;
};

Status OpenDevice(uint32_t index, const Options& options, Device** device);

// Describes the device that OpenDevice would open, without opening it.
Status DescribeDevice(uint32_t index, const Options& options, DeviceInfo* info);

// Returns why CountDevices returned 0, or "" if there are devices. Valid until this thread asks
// again.
const char* DescribeAbsence();

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_CUDA_H_
