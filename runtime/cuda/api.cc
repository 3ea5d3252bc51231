#include "runtime/cuda/api.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "runtime/gpu/load_error.h"

namespace halyard::runtime::cuda {
namespace {

constexpr int kOldestDriver =
    12000;  // CUDA 12.0: the present form of functions that replace parameters of graph nodes

#define HY_STRING_OF(x) #x
#define HY_STRING(x) HY_STRING_OF(x)

Status LoadFunctions(Api* api) {
#define X(name)                                                                            \
  api->name = reinterpret_cast<decltype(api->name)>(dlsym(api->library, HY_STRING(name))); \
  if (api->name == nullptr) {                                                              \
    return MakeStatus(Code::kUnavailable,                                                  \
                      "the CUDA driver has no %s: update it to 525 (CUDA 12.0) or newer",  \
                      HY_STRING(name));                                                    \
  }
  HY_CUDA_FUNCTIONS(X)
#undef X
  return Status();
}

const char* LibraryName(const char* asked) {
  if (asked != nullptr) return asked;
  const char* named = getenv("HALYARD_LIBCUDA");
  return named == nullptr || named[0] == 0 ? "libcuda.so.1" : named;
}

Status Start(Api* api) {
  // cuDriverGetVersion works before cuInit, and on drivers that lack the rest.
  using VersionFunction = CUresult (*)(int*);
  auto get_version = reinterpret_cast<VersionFunction>(dlsym(api->library, "cuDriverGetVersion"));
  int version = 0;
  if (get_version != nullptr && get_version(&version) == CUDA_SUCCESS && version < kOldestDriver) {
    return MakeStatus(
        Code::kUnavailable,
        "the CUDA driver is for CUDA %d.%d, older than 12.0: update it to 525 or newer",
        version / 1000, version % 1000 / 10);
  }
  HY_RETURN_IF_ERROR(LoadFunctions(api));
  const CUresult result = api->cuInit(0);
  if (result != CUDA_ERROR_UNKNOWN) return ToStatus(*api, result, "cuInit");
  // There is no context yet that this error could have broken.
  return MakeStatus(Code::kUnavailable,
                    "cuInit: the CUDA driver does not start: check it with nvidia-smi");
}

// After these errors, the context cannot be used any more.
bool IsSticky(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

struct ErrorText {
  const char* name;
  const char* text;
};
ErrorText Describe(const Api& api, CUresult result) {
  ErrorText error = {nullptr, nullptr};
  if (api.cuGetErrorName(result, &error.name) != CUDA_SUCCESS || error.name == nullptr)
    error.name = "unknown error";
  if (api.cuGetErrorString(result, &error.text) != CUDA_SUCCESS || error.text == nullptr)
    error.text = "";
  return error;
}

Status Lost(const Api& api, CUresult result, const char* call) {
  const auto [name, text] = Describe(api, result);
  return MakeStatus(Code::kAborted,
                    "%s: %s (%s): the device's state in this process is lost, mostly because a "
                    "kernel failed: start the process again (compute-sanitizer finds the kernel)",
                    call, name, text);
}

}  // namespace

Status LoadDriver(const char* library, Api* api) {
  const char* name = LibraryName(library);
  // The driver stays loaded, because it has threads and handlers for the end of the process.
  api->library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (api->library == nullptr) return gpu::DoesNotLoad(name, "NVIDIA's driver");
  Status status = Start(api);
  if (!status.ok()) UnloadDriver(api);
  return status;
}

void UnloadDriver(Api* api) {
  if (api->library != nullptr) dlclose(api->library);
  api->library = nullptr;
}

unsigned MemoryTypeOf(const Api& api, CUdeviceptr address) {
  unsigned type = 0;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void* value = &type;
  const CUresult result = api.cuPointerGetAttributes(1, &attribute, &value, address);
  return result == CUDA_SUCCESS ? type : 0;
}

Status ToStatus(const Api& api, CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return Status();
  const auto [name, text] = Describe(api, result);
  if (IsSticky(result)) {
    CUresult none = CUDA_SUCCESS;
    api.lost.compare_exchange_strong(none, result);
    return Lost(api, result, call);
  }
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return MakeStatus(
          Code::kResourceExhausted,
          "%s: %s: free buffers, use a smaller batch, or end other programs on the GPU", call,
          name);
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return MakeStatus(Code::kInvalidArgument,
                        "%s: %s: the kernel's groups need more registers or shared memory than the "
                        "device has: use another schedule",
                        call, name);
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
      return MakeStatus(Code::kFailedPrecondition,
                        "%s: %s (%s): the kernel was compiled for another architecture: compile it "
                        "again for this device",
                        call, name, text);
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return MakeStatus(Code::kFailedPrecondition,
                        "%s: %s (%s): the kernel's PTX is newer than the driver: update the "
                        "driver, or have ptxas in $PATH when compiling",
                        call, name, text);
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_JIT_COMPILATION_DISABLED:
      return MakeStatus(Code::kFailedPrecondition,
                        "%s: %s (%s): the driver cannot compile PTX here: have ptxas in $PATH when "
                        "compiling, or install the driver's libnvidia-ptxjitcompiler",
                        call, name, text);
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_INVALID_PTX:
      return MakeStatus(Code::kFailedPrecondition,
                        "%s: %s (%s): the driver does not take the kernel's code: compile it again "
                        "for this device, or update the driver",
                        call, name, text);
    case CUDA_ERROR_DEINITIALIZED:
      return MakeStatus(Code::kUnavailable,
                        "%s: %s: the driver has shut down, the process is ending: destroy devices "
                        "before main returns",
                        call, name);
    case CUDA_ERROR_NO_DEVICE:
      return MakeStatus(Code::kNotFound, "%s: %s: the driver sees no GPU", call, name);
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_OPERATING_SYSTEM:
      return MakeStatus(Code::kUnavailable,
                        "%s: %s (%s): the driver is not in order: check it with nvidia-smi", call,
                        name, text);
    default:
      return MakeStatus(Code::kInternal, "%s: %s (%s)", call, name, text);
  }
}

ContextScope::ContextScope(const Api& api, CUcontext context) : api_(api) {
  status_ = ToStatus(api, api.cuCtxPushCurrent(context), "cuCtxPushCurrent");
  pushed_ = status_.ok();
  const CUresult lost = api.lost.load(std::memory_order_relaxed);
  if (pushed_ && lost != CUDA_SUCCESS) status_ = Lost(api, lost, "an earlier call");
}

ContextScope::~ContextScope() {
  CUcontext popped;
  if (pushed_) api_.cuCtxPopCurrent(&popped);
}

}  // namespace halyard::runtime::cuda
