#include "runtime/cuda/kernel.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hash.h"

namespace halyard::runtime::cuda {
namespace {

constexpr uint32_t kPlainSharedBytes = 48 << 10;  // more must be asked for
constexpr uint32_t kLogBytes = 8 << 10;

// Returns the architecture that a module's code is for (90 for sm_90), or 0 if that is not known.
int32_t ArchitectureOf(ByteSpan bytes) {
  if (bytes.size > sizeof(Elf64_Ehdr) && memcmp(bytes.data, ELFMAG, SELFMAG) == 0) {
    Elf64_Ehdr header;
    memcpy(&header, bytes.data, sizeof(header));
    // Its place depends on the version of the cubin's format.
    const uint8_t version = header.e_ident[EI_ABIVERSION];
    if (version == 7) return static_cast<int32_t>(header.e_flags & 0xff);
    if (version == 8) return static_cast<int32_t>(header.e_flags >> 8 & 0xff);
    return 0;
  }
  static const char kTarget[] = ".target sm_";
  const void* at = memmem(bytes.data, bytes.size, kTarget, sizeof(kTarget) - 1);
  if (at == nullptr) return 0;
  int32_t architecture = 0;
  const uint8_t* end = bytes.data + bytes.size;
  for (const uint8_t* c = static_cast<const uint8_t*>(at) + sizeof(kTarget) - 1;
       c < end && *c >= '0' && *c <= '9'; ++c) {
    architecture = architecture * 10 + (*c - '0');
  }
  return architecture;
}

// Whether PTX uses what no other architecture has (".target sm_90a").
bool IsOfOneArchitecture(ByteSpan bytes, int32_t architecture) {
  char target[32];
  const int length = snprintf(target, sizeof(target), ".target sm_%da", architecture);
  return memmem(bytes.data, bytes.size, target, static_cast<size_t>(length)) != nullptr;
}

// A cubin runs on its architecture and later ones of the same major number, PTX on all later ones.
// Code for one architecture alone runs there only. (Cubins of sm_90a need no check of their own,
// because sm_90 is the only architecture whose major number is 9.)
Status CheckArchitecture(ByteSpan bytes, const char* kernel, const DeviceInfo& device) {
  const int32_t architecture = ArchitectureOf(bytes);
  const bool is_cubin = bytes.size >= SELFMAG && memcmp(bytes.data, ELFMAG, SELFMAG) == 0;
  const bool alone = !is_cubin && IsOfOneArchitecture(bytes, architecture);
  if (architecture == 0 || architecture == device.cuda_capability) return Status();
  if (architecture < device.cuda_capability && !alone &&
      (!is_cubin || architecture / 10 == device.cuda_capability / 10))
    return Status();
  return MakeStatus(Code::kFailedPrecondition,
                    "kernel %s was compiled for sm_%d, %s is sm_%d: compile it with "
                    "--target=cuda:sm_%d",
                    kernel, architecture, device.name, device.cuda_capability,
                    device.cuda_capability);
}

Status LoadModule(const Api& api, ByteSpan bytes, const char* kernel, CUmodule* module) {
  // PTX is text that must end in a zero.
  gpu::Array<uint8_t> image;
  gpu::Array<char> log;
  if (!image.Resize(bytes.size + 1) || !log.Resize(kLogBytes)) {
    return gpu::OutOfHostMemory("a kernel's code");
  }
  if (bytes.size != 0) memcpy(image.data(), bytes.data, bytes.size);
  // There is no register limit here, because the text's .maxntid says how many fit.
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), reinterpret_cast<void*>(uintptr_t{kLogBytes - 1})};
  const CUresult result = api.cuModuleLoadDataEx(module, image.data(), 2, options, values);
  if (result == CUDA_SUCCESS) return Status();
  const Status status = ToStatus(api, result, "cuModuleLoadDataEx");
  return MakeStatus(status.code(), "kernel %s: %s%s%s", kernel, status.message(),
                    log[0] == 0 ? "" : ": ", log.data());
}

// Returns the most shared memory that any launch of the function asks for, because one limit of the
// function applies to all its launches.
uint32_t SharedBytesOf(const gpu::KernelPlan& plan, const gpu::PlannedLaunch& launch) {
  uint32_t bytes = 0;
  for (const gpu::PlannedLaunch& other : plan.launches) {
    if (other.module == launch.module && strcmp(other.entry, launch.entry) == 0 &&
        other.shared_bytes > bytes) {
      bytes = other.shared_bytes;
    }
  }
  return bytes;
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
  const uint32_t shared_bytes = SharedBytesOf(kernel.plan, launch);
  if (shared_bytes <= kPlainSharedBytes) return Status();
  result = api.cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  static_cast<int>(shared_bytes));
  const Status status = ToStatus(api, result, "cuFuncSetAttribute");
  return status.ok() ? Status()
                     : MakeStatus(status.code(), "kernel %s: %u bytes of shared memory: %s", name,
                                  shared_bytes, status.message());
}

void Unload(const Api& api, bool current, CudaKernel* kernel) {
  for (CUmodule module : kernel->modules) {
    if (current) api.cuModuleUnload(module);
  }
  for (LibraryRoutine* routine : kernel->routines) {
    if (current && routine != nullptr) routine->Destroy();
  }
  gpu::DeleteObject(kernel);
}

Status MakeRoutine(const CudaKernel& kernel, const gpu::PlannedLaunch& launch, Libraries* libraries,
                   LibraryRoutine** routine) {
  for (uint32_t i = 0; i < launch.num_arguments; ++i) {
    if (kernel.plan.arguments[launch.first_argument + i].kind == LaunchArgument::Kind::kScalar) {
      return MakeStatus(Code::kInvalidArgument, "kernel %s: a library's routine takes no scalars",
                        kernel.plan.name);
    }
  }
  const Status status =
      libraries->Make(launch.library, launch.entry, launch.num_arguments, routine);
  return status.ok()
             ? Status()
             : MakeStatus(status.code(), "kernel %s: %s", kernel.plan.name, status.message());
}

}  // namespace

Status KernelCache::LoadNew(const Api& api, const KernelObjectView& object,
                            const DeviceInfo& device, Libraries* libraries, CudaKernel* kernel) {
  HY_RETURN_IF_ERROR(gpu::PlanKernel(object, device, &kernel->plan));
  for (uint32_t i = 0; i < object.num_modules; ++i) {
    CUmodule module = nullptr;
    HY_RETURN_IF_ERROR(CheckArchitecture(object.module(i), kernel->plan.name, device));
    HY_RETURN_IF_ERROR(LoadModule(api, object.module(i), kernel->plan.name, &module));
    if (!kernel->modules.Append(module)) {
      api.cuModuleUnload(module);
      return gpu::OutOfHostMemory("a kernel");
    }
  }
  for (const gpu::PlannedLaunch& launch : kernel->plan.launches) {
    CUfunction function = nullptr;
    LibraryRoutine* routine = nullptr;
    if (launch.library != 0) {
      HY_RETURN_IF_ERROR(MakeRoutine(*kernel, launch, libraries, &routine));
    } else {
      HY_RETURN_IF_ERROR(FindFunction(api, *kernel, launch, &function));
    }
    if (!kernel->routines.Append(routine)) {
      if (routine != nullptr) routine->Destroy();
      return gpu::OutOfHostMemory("a kernel");
    }
    if (!kernel->functions.Append(function)) return gpu::OutOfHostMemory("a kernel");
  }
  return Status();
}

CudaKernel* KernelCache::Find(const KernelObjectView& object, uint64_t hash) {
  for (CudaKernel* kernel : kernels_) {
    // The hash finds damage, but not malice: different bytes with equal hashes are easy to make.
    if (kernel->hash == hash && kernel->bytes.size() == object.bytes.size &&
        memcmp(kernel->bytes.data(), object.bytes.data, object.bytes.size) == 0) {
      return kernel;
    }
  }
  return nullptr;
}

void KernelCache::Forget(CudaKernel* kernel) {
  for (size_t i = 0; i < kernels_.size(); ++i) {
    if (kernels_[i] == kernel) return kernels_.Remove(i);
  }
}

Status KernelCache::Load(const Api& api, const KernelObjectView& object, const DeviceInfo& device,
                         Libraries* libraries, CudaKernel** result) {
  const uint64_t hash = Hash64(object.bytes.data, object.bytes.size);
  pthread_mutex_lock(&mutex_);
  CudaKernel* kernel = Find(object, hash);
  while (kernel != nullptr && kernel->loading) {
    pthread_cond_wait(&loaded_, &mutex_);
    kernel = Find(object, hash);  // null if loading has failed
  }
  if (kernel != nullptr) {
    ++kernel->references;
    pthread_mutex_unlock(&mutex_);
    *result = kernel;
    return Status();
  }
  kernel = gpu::NewObject<CudaKernel>();
  const bool copied = kernel != nullptr && kernel->bytes.Resize(object.bytes.size);
  if (!copied || !kernels_.Append(kernel)) {
    pthread_mutex_unlock(&mutex_);
    gpu::DeleteObject(kernel);
    return gpu::OutOfHostMemory("a kernel");
  }
  memcpy(kernel->bytes.data(), object.bytes.data, object.bytes.size);
  kernel->hash = hash;
  kernel->references = 1;
  pthread_mutex_unlock(&mutex_);
  Status status = LoadNew(api, object, device, libraries, kernel);
  pthread_mutex_lock(&mutex_);
  kernel->loading = false;
  if (!status.ok()) Forget(kernel);
  pthread_cond_broadcast(&loaded_);
  pthread_mutex_unlock(&mutex_);
  if (!status.ok()) {
    Unload(api, true, kernel);
    return status;
  }
  *result = kernel;
  return Status();
}

void KernelCache::Release(const Api& api, bool current, CudaKernel* kernel) {
  pthread_mutex_lock(&mutex_);
  const bool last = --kernel->references == 0;
  if (last) Forget(kernel);
  pthread_mutex_unlock(&mutex_);
  if (last) Unload(api, current, kernel);
}

}  // namespace halyard::runtime::cuda
