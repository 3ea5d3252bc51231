#include "runtime/cuda/libraries/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/cuda/libraries/cublaslt.h"
#include "runtime/cuda/libraries/cudnn.h"
#include "runtime/cuda/libraries/cufft.h"
#include "runtime/cuda/libraries/nccl.h"

namespace halyard::runtime::cuda {
namespace {

constexpr size_t kPathBytes = 1024;

struct LibraryFile {
  uint32_t library;
  // The major version of CUDA to which the file belongs. A driver accepts libraries of its own
  // version and of older ones.
  int cuda;
  const char* name;
};
constexpr LibraryFile kFiles[] = {
    {kCublasLt, 13, "libcublasLt.so.13"}, {kCublasLt, 12, "libcublasLt.so.12"},
    {kCudnn, 12, "libcudnn.so.9"},        {kCufft, 13, "libcufft.so.12"},
    {kCufft, 12, "libcufft.so.11"},       {kNccl, 12, "libnccl.so.2"},
};

// The folders into which packages of distributions and of NVIDIA install the libraries.
constexpr const char* kFolders[] = {
    "/usr/local/cuda/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
};

// Writes "FOLDER/NAME" to `path` if that file exists.
bool FileIn(const char* folder, size_t folder_bytes, const char* name, char* path, size_t size) {
  const int length = snprintf(path, size, "%.*s/%s", static_cast<int>(folder_bytes), folder, name);
  return folder_bytes != 0 && length > 0 && static_cast<size_t>(length) < size &&
         access(path, R_OK) == 0;
}

bool FileInList(const char* list, const char* name, char* path, size_t size) {
  while (list != nullptr && *list != 0) {
    const char* end = strchrnul(list, ':');
    if (FileIn(list, static_cast<size_t>(end - list), name, path, size)) return true;
    list = *end == 0 ? end : end + 1;
  }
  return false;
}

}  // namespace

SharedObject::~SharedObject() {
  if (handle_ != nullptr) dlclose(handle_);
}

Status SharedObject::Open(const char* path) {
  // The library stays loaded, because it registers code that runs when the process ends.
  handle_ = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle_ != nullptr) return Status();
  return MakeStatus(Code::kFailedPrecondition,
                    "%s does not load (%s): repair it, or compile with --no-libraries", path,
                    dlerror());
}

Status SharedObject::FindAddress(const char* path, const char* name, void** address) const {
  *address = dlsym(handle_, name);
  if (*address != nullptr) return Status();
  return MakeStatus(Code::kFailedPrecondition,
                    "%s has no %s: update it, or compile with --no-libraries", path, name);
}

bool FindNumber(const char* entry, const char* key, int64_t* value) {
  const size_t size = strlen(key);
  for (const char* at = strchr(entry, ' '); at != nullptr; at = strchr(at + 1, ' ')) {
    if (strncmp(at + 1, key, size) != 0 || at[1 + size] != '=') continue;
    const char* begin = at + size + 2;
    char* end = nullptr;
    *value = strtoll(begin, &end, 10);
    return end != begin && (*end == 0 || *end == ' ');
  }
  return false;
}

Status FindNumberFrom(const char* library, const char* entry, const char* key, int64_t least,
                      int64_t* value) {
  if (FindNumber(entry, key, value) && *value >= least && *value <= INT32_MAX) return Status();
  return MakeStatus(Code::kInvalidArgument, "%s: \"%s\" does not say %s", library, entry, key);
}

bool Libraries::FindFile(uint32_t library, char* path, size_t size) const {
  const char* named = getenv("HALYARD_CUDA_LIBRARIES");
  const bool only_named = named != nullptr && named[0] != 0;
  for (const LibraryFile& file : kFiles) {
    if (file.library != library || file.cuda > driver_version_ / 1000) continue;
    if (only_named) {
      if (FileInList(named, file.name, path, size)) return true;
      continue;
    }
    if (FileInList(getenv("LD_LIBRARY_PATH"), file.name, path, size)) return true;
    for (const char* folder : kFolders) {
      if (FileIn(folder, strlen(folder), file.name, path, size)) return true;
    }
  }
  return false;
}

uint32_t Libraries::Find() const {
  uint32_t found = 0;
  char path[kPathBytes];
  for (const LibraryFile& file : kFiles) {
    if (FindFile(file.library, path, sizeof(path))) found |= file.library;
  }
  return found;
}

template <typename Library>
Status Libraries::Open(uint32_t library, const char* name, Library** opened) {
  if (*opened != nullptr) return Status();
  char path[kPathBytes];
  if (!FindFile(library, path, sizeof(path))) {
    return MakeStatus(Code::kNotFound,
                      "it calls %s, whose file is not found: install it, name its folder in "
                      "$HALYARD_CUDA_LIBRARIES, or compile with --no-libraries",
                      name);
  }
  Library* made = gpu::NewObject<Library>();
  if (made == nullptr) return gpu::OutOfHostMemory("a library");
  Status status = made->Open(path);
  if (!status.ok()) {
    gpu::DeleteObject(made);
    return status;
  }
  *opened = made;
  return Status();
}

Status Libraries::Make(uint32_t library, const char* entry, uint32_t num_arguments,
                       LibraryRoutine** routine) {
  gpu::MutexLock lock(&mutex_);
  if (library == kCublasLt) {
    HY_RETURN_IF_ERROR(Open(library, "cuBLASLt", &cublaslt_));
    return MakeMatmul(cublaslt_, entry, num_arguments, routine);
  }
  if (library == kCudnn) {
    gpu::MutexLock handle(&capture_mutex_);
    HY_RETURN_IF_ERROR(Open(library, "cuDNN", &cudnn_));
    return MakeConvolution(cudnn_, entry, num_arguments, routine);
  }
  if (library == kCufft) {
    gpu::MutexLock plans(&capture_mutex_);
    HY_RETURN_IF_ERROR(Open(library, "cuFFT", &cufft_));
    return MakeTransform(cufft_, entry, num_arguments, routine);
  }
  return MakeStatus(Code::kFailedPrecondition,
                    "it calls library %u, which this version of the runtime does not know",
                    library);
}

Status Libraries::Capture(LibraryRoutine* routine, const uint64_t* arguments, CUgraph* graph) {
  gpu::MutexLock lock(&capture_mutex_);
  if (capture_stream_ == nullptr) {
    HY_RETURN_IF_ERROR(ToStatus(
        *api_, api_->cuStreamCreate(&capture_stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate"));
  }
  // The capture mode is relaxed, so that what the library loads meanwhile, and other threads, do
  // not break it.
  HY_RETURN_IF_ERROR(
      ToStatus(*api_, api_->cuStreamBeginCapture(capture_stream_, CU_STREAM_CAPTURE_MODE_RELAXED),
               "cuStreamBeginCapture"));
  Status status = routine->Enqueue(capture_stream_, arguments);
  CUgraph captured = nullptr;
  Status ended =
      ToStatus(*api_, api_->cuStreamEndCapture(capture_stream_, &captured), "cuStreamEndCapture");
  if (status.ok()) status = static_cast<Status&&>(ended);
  if (!status.ok()) {
    if (captured != nullptr) api_->cuGraphDestroy(captured);
    return status;
  }
  *graph = captured;
  return Status();
}

Status Libraries::OpenNccl(const Nccl** nccl) {
  gpu::MutexLock lock(&mutex_);
  HY_RETURN_IF_ERROR(Open(kNccl, "NCCL", &nccl_));
  *nccl = nccl_;
  return Status();
}

void Libraries::Close() {
  gpu::DeleteObject(cublaslt_);
  gpu::DeleteObject(cudnn_);
  gpu::DeleteObject(cufft_);
  gpu::DeleteObject(nccl_);
  nccl_ = nullptr;
  cufft_ = nullptr;
  cudnn_ = nullptr;
  cublaslt_ = nullptr;
  if (capture_stream_ != nullptr) api_->cuStreamDestroy(capture_stream_);
  capture_stream_ = nullptr;
}

}  // namespace halyard::runtime::cuda
