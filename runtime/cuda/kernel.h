// Loaded kernels: their modules, and a function for each launch.
#ifndef HALYARD_RUNTIME_CUDA_KERNEL_H_
#define HALYARD_RUNTIME_CUDA_KERNEL_H_

#include <pthread.h>

#include "runtime/cuda/api.h"
#include "runtime/cuda/libraries/library.h"
#include "runtime/gpu/kernel_plan.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

struct CudaKernel {
  gpu::KernelPlan plan;
  gpu::Array<CUmodule> modules;
  gpu::Array<CUfunction> functions;  // one for each launch; null for a library's routine
  gpu::Array<LibraryRoutine*> routines;

  // The KernelCache uses these members.
  gpu::Array<uint8_t> bytes;  // the kernel object
  uint64_t hash = 0;          // of `bytes`
  uint64_t references = 0;
  bool loading = true;
};

// The kernels of a device. A kernel that several executables load is loaded once. Thread-safe;
// kernels of different objects are loaded (and their PTX compiled) at the same time. The context is
// current in every call.
class KernelCache {
 public:
  KernelCache() { pthread_cond_init(&loaded_, nullptr); }
  ~KernelCache() { pthread_cond_destroy(&loaded_); }
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  // Loads PTX (which the driver compiles) or cubins, and libraries' routines. The error contains
  // the driver's log.
  Status Load(const Api& api, const KernelObjectView& object, const DeviceInfo& device,
              Libraries* libraries, CudaKernel** kernel);
  // If `current` is false, the context could not be made current, and takes the modules with it.
  void Release(const Api& api, bool current, CudaKernel* kernel);

 private:
  CudaKernel* Find(const KernelObjectView& object, uint64_t hash);  // with the lock
  void Forget(CudaKernel* kernel);                                  // with the lock
  Status LoadNew(const Api& api, const KernelObjectView& object, const DeviceInfo& device,
                 Libraries* libraries, CudaKernel* kernel);

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t loaded_;
  gpu::Array<CudaKernel*> kernels_;
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_KERNEL_H_
