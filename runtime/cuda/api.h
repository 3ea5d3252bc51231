// Loads the functions of the driver API at run time, so that nothing links to libcuda.
#ifndef HALYARD_RUNTIME_CUDA_API_H_
#define HALYARD_RUNTIME_CUDA_API_H_

#include <cuda.h>

#include <atomic>

#include "runtime/status.h"

namespace halyard::runtime::cuda {

// cuda.h's macros turn some of these names into their newest version. Each function is looked up
// under that name.
#define HY_CUDA_FUNCTIONS(X)            \
  X(cuInit)                             \
  X(cuDriverGetVersion)                 \
  X(cuGetErrorName)                     \
  X(cuGetErrorString)                   \
  X(cuDeviceGetCount)                   \
  X(cuDeviceGet)                        \
  X(cuDeviceGetName)                    \
  X(cuDeviceGetAttribute)               \
  X(cuDeviceTotalMem)                   \
  X(cuDeviceGetUuid)                    \
  X(cuDeviceCanAccessPeer)              \
  X(cuDevicePrimaryCtxRetain)           \
  X(cuDevicePrimaryCtxRelease)          \
  X(cuCtxPushCurrent)                   \
  X(cuCtxPopCurrent)                    \
  X(cuCtxGetDevice)                     \
  X(cuStreamCreate)                     \
  X(cuStreamDestroy)                    \
  X(cuStreamSynchronize)                \
  X(cuStreamWaitEvent)                  \
  X(cuStreamGetCtx)                     \
  X(cuStreamBeginCapture)               \
  X(cuStreamEndCapture)                 \
  X(cuEventCreate)                      \
  X(cuEventDestroy)                     \
  X(cuEventRecord)                      \
  X(cuEventQuery)                       \
  X(cuEventSynchronize)                 \
  X(cuEventElapsedTime)                 \
  X(cuLaunchHostFunc)                   \
  X(cuMemGetInfo)                       \
  X(cuMemAlloc)                         \
  X(cuMemFree)                          \
  X(cuMemAllocFromPoolAsync)            \
  X(cuMemFreeAsync)                     \
  X(cuMemPoolCreate)                    \
  X(cuMemPoolDestroy)                   \
  X(cuMemPoolSetAttribute)              \
  X(cuMemPoolSetAccess)                 \
  X(cuMemPoolTrimTo)                    \
  X(cuMemHostAlloc)                     \
  X(cuMemHostGetDevicePointer)          \
  X(cuMemFreeHost)                      \
  X(cuPointerGetAttribute)              \
  X(cuPointerGetAttributes)             \
  X(cuMemcpyHtoDAsync)                  \
  X(cuMemcpyDtoHAsync)                  \
  X(cuMemcpyPeerAsync)                  \
  X(cuMemcpyDtoDAsync)                  \
  X(cuMemsetD8Async)                    \
  X(cuModuleLoadDataEx)                 \
  X(cuModuleUnload)                     \
  X(cuModuleGetFunction)                \
  X(cuFuncGetAttribute)                 \
  X(cuFuncSetAttribute)                 \
  X(cuGraphCreate)                      \
  X(cuGraphDestroy)                     \
  X(cuGraphAddKernelNode)               \
  X(cuGraphAddMemcpyNode)               \
  X(cuGraphAddEventRecordNode)          \
  X(cuGraphAddEmptyNode)                \
  X(cuGraphAddChildGraphNode)           \
  X(cuGraphInstantiate)                 \
  X(cuGraphExecDestroy)                 \
  X(cuGraphExecKernelNodeSetParams)     \
  X(cuGraphExecMemcpyNodeSetParams)     \
  X(cuGraphExecChildGraphNodeSetParams) \
  X(cuGraphLaunch)

struct Api {
  void* library = nullptr;
  // The first error that broke the device's context for good, or CUDA_SUCCESS. All calls fail after
  // such an error.
  mutable std::atomic<CUresult> lost{CUDA_SUCCESS};
#define X(name) decltype(&::name) name = nullptr;
  HY_CUDA_FUNCTIONS(X)
#undef X
};

// Loads the library, starts the driver and checks its version. Returns kNotFound if there is no
// library, and kUnavailable if it is too old or does not start (the message says what to do).
Status LoadDriver(const char* library, Api* api);
void UnloadDriver(Api* api);

// Converts the result of `call` to a Status with a message for the user (OK for CUDA_SUCCESS). Sets
// `api.lost` if the context is broken.
Status ToStatus(const Api& api, CUresult result, const char* call);

// Returns what kind of memory `address` is in (a CUmemorytype); 0 if the driver does not know it.
// An address of the host is no error then, as it is for cuPointerGetAttribute, so that tools that
// watch for errors of the driver (compute-sanitizer) report none.
unsigned MemoryTypeOf(const Api& api, CUdeviceptr address);

// Makes a context current for the calling thread while this exists, and then restores the one
// before. Its status says if the context is broken. The context is still current then, so that what
// it holds can be freed.
class ContextScope {
 public:
  ContextScope(const Api& api, CUcontext context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  Status TakeStatus() { return static_cast<Status&&>(status_); }
  // If false, nothing can be freed: a context that cannot be made current takes what it holds with
  // it.
  bool current() const { return pushed_; }

 private:
  const Api& api_;
  Status status_;
  bool pushed_ = false;
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_API_H_
