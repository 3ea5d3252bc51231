#include "runtime/cuda/kernel.h"

#include <string.h>

namespace halyard::runtime::cuda {
namespace {

constexpr uint32_t kPlainSharedBytes = 48 << 10;  // more has to be asked for

Status LoadModule(const Api& api, ByteSpan bytes, const char* kernel, CUmodule* module) {
  // PTX is text that has to end in a zero.
  gpu::Array<uint8_t> image;
  if (!image.Resize(bytes.size + 1)) return gpu::OutOfHostMemory("a kernel's code");
  if (bytes.size != 0) memcpy(image.data(), bytes.data, bytes.size);
  image[bytes.size] = 0;
  char log[1024] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log) - 1)};
  const CUresult result = api.cuModuleLoadDataEx(module, image.data(), 2, options, values);
  if (result == CUDA_SUCCESS) return Status();
  const Status status = ToStatus(api, result, "cuModuleLoadDataEx");
  return MakeStatus(status.code(), "kernel %s: %s%s%s", kernel, status.message(),
                    log[0] == 0 ? "" : ": ", log);
}

Status FindFunction(const Api& api, const CudaKernel& kernel, const gpu::PlannedLaunch& launch,
                    CUfunction* function) {
  const char* name = kernel.plan.name;
  CUresult result = api.cuModuleGetFunction(function, kernel.modules[launch.module], launch.entry);
  if (result == CUDA_ERROR_NOT_FOUND) {
    return MakeStatus(Code::kInvalidArgument, "kernel %s: its code has no function %s", name,
                      launch.entry);
  }
  HY_RETURN_IF_ERROR(ToStatus(api, result, "cuModuleGetFunction"));
  int threads = 0;
  result = api.cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, *function);
  HY_RETURN_IF_ERROR(ToStatus(api, result, "cuFuncGetAttribute"));
  const uint32_t wanted = launch.block[0] * launch.block[1] * launch.block[2];
  if (wanted > static_cast<uint32_t>(threads)) {
    return MakeStatus(Code::kInvalidArgument,
                      "kernel %s: %s runs in groups of %u threads, but its registers allow %d: use "
                      "another schedule",
                      name, launch.entry, wanted, threads);
  }
  if (launch.shared_bytes <= kPlainSharedBytes) return Status();
  result = api.cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  static_cast<int>(launch.shared_bytes));
  return ToStatus(api, result, "cuFuncSetAttribute");
}

}  // namespace

Status LoadModules(const Api& api, const KernelObjectView& object, CudaKernel* kernel) {
  for (uint32_t i = 0; i < object.num_modules; ++i) {
    CUmodule module = nullptr;
    HY_RETURN_IF_ERROR(LoadModule(api, object.module(i), kernel->plan.name, &module));
    if (!kernel->modules.Append(module)) {
      api.cuModuleUnload(module);
      return gpu::OutOfHostMemory("a kernel");
    }
  }
  for (const gpu::PlannedLaunch& launch : kernel->plan.launches) {
    CUfunction function = nullptr;
    HY_RETURN_IF_ERROR(FindFunction(api, *kernel, launch, &function));
    if (!kernel->functions.Append(function)) return gpu::OutOfHostMemory("a kernel");
  }
  return Status();
}

void UnloadModules(const Api& api, CudaKernel* kernel) {
  for (CUmodule module : kernel->modules) api.cuModuleUnload(module);
  kernel->modules.Clear();
}

}  // namespace halyard::runtime::cuda
