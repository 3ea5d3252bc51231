// The driver API's functions, found at run time: no link to libcuda.
#ifndef HALYARD_RUNTIME_CUDA_API_H_
#define HALYARD_RUNTIME_CUDA_API_H_

#include <cuda.h>

#include "runtime/status.h"

namespace halyard::runtime::cuda {

// cuda.h's macros turn some of these into the newest version of their name; each is looked up under
// that.
#define HY_CUDA_FUNCTIONS(X)        \
  X(cuInit)                         \
  X(cuDriverGetVersion)             \
  X(cuGetErrorName)                 \
  X(cuGetErrorString)               \
  X(cuDeviceGetCount)               \
  X(cuDeviceGet)                    \
  X(cuDeviceGetName)                \
  X(cuDeviceGetAttribute)           \
  X(cuDeviceTotalMem)               \
  X(cuDevicePrimaryCtxRetain)       \
  X(cuDevicePrimaryCtxRelease)      \
  X(cuCtxPushCurrent)               \
  X(cuCtxPopCurrent)                \
  X(cuStreamCreate)                 \
  X(cuStreamDestroy)                \
  X(cuStreamSynchronize)            \
  X(cuEventCreate)                  \
  X(cuEventDestroy)                 \
  X(cuEventRecord)                  \
  X(cuEventQuery)                   \
  X(cuEventSynchronize)             \
  X(cuMemAlloc)                     \
  X(cuMemFree)                      \
  X(cuMemAllocAsync)                \
  X(cuMemFreeAsync)                 \
  X(cuDeviceGetDefaultMemPool)      \
  X(cuMemPoolSetAttribute)          \
  X(cuMemHostAlloc)                 \
  X(cuMemHostGetDevicePointer)      \
  X(cuMemFreeHost)                  \
  X(cuMemcpyHtoDAsync)              \
  X(cuMemcpyDtoHAsync)              \
  X(cuModuleLoadDataEx)             \
  X(cuModuleUnload)                 \
  X(cuModuleGetFunction)            \
  X(cuFuncGetAttribute)             \
  X(cuFuncSetAttribute)             \
  X(cuGraphCreate)                  \
  X(cuGraphDestroy)                 \
  X(cuGraphAddKernelNode)           \
  X(cuGraphAddMemcpyNode)           \
  X(cuGraphInstantiate)             \
  X(cuGraphExecDestroy)             \
  X(cuGraphExecKernelNodeSetParams) \
  X(cuGraphExecMemcpyNodeSetParams) \
  X(cuGraphLaunch)

struct Api {
  void* library = nullptr;
#define X(name) decltype(&::name) name = nullptr;
  HY_CUDA_FUNCTIONS(X)
#undef X
};

// Loads the library, starts the driver and checks its version. kNotFound: no library; kUnavailable:
// too old, or it does not start (the message says what to do).
Status LoadDriver(const char* library, Api* api);
void UnloadDriver(Api* api);

// What to tell about `result` of `call` (OK for CUDA_SUCCESS).
Status ToStatus(const Api& api, CUresult result, const char* call);

// Makes a context current for the calling thread while it lives; what was current before comes
// back.
class ContextScope {
 public:
  ContextScope(const Api& api, CUcontext context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  Status TakeStatus() { return static_cast<Status&&>(status_); }

 private:
  const Api& api_;
  Status status_;
  bool pushed_ = false;
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_API_H_
