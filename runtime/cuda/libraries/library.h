// Routines of vendors' libraries as launches of kernels (Launch::library). The libraries are found
// by the names of their files, and loaded by the first kernel that calls them. They are never
// linked and never required.
//
// The entry of a launch holds a routine's name, and then numbers by name: "matmul a=14 b=14 d=0
// m=…".
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_LIBRARY_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_LIBRARY_H_

#include <stdint.h>

#include "runtime/cuda/api.h"
#include "runtime/device_info.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

// One call that is ready: the algorithm is chosen and descriptors are made. Thread-safe.
class LibraryRoutine {
 public:
  // Puts the call on `stream`, which is being captured. `arguments` are addresses, in the launch's
  // order.
  virtual Status Enqueue(CUstream stream, const uint64_t* arguments) = 0;
  virtual void Destroy() = 0;  // frees the routine

 protected:
  ~LibraryRoutine() = default;
};

// Makes a routine by Init(entry, num_arguments), and passes its error on.
template <typename Routine, typename Library>
Status MakeRoutine(const Library* library, const char* entry, uint32_t num_arguments,
                   LibraryRoutine** routine) {
  Routine* made = gpu::NewObject<Routine>(library);
  if (made == nullptr) return gpu::OutOfHostMemory("a library's routine");
  Status status = made->Init(entry, num_arguments);
  if (!status.ok()) {
    made->Destroy();
    return status;
  }
  *routine = made;
  return Status();
}

// A library's file and the functions in it. kFailedPrecondition says what is wrong with the file.
class SharedObject {
 public:
  SharedObject() = default;
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  Status Open(const char* path);
  template <typename Function>
  Status Find(const char* path, const char* name, Function* function) const {
    void* address = nullptr;
    HY_RETURN_IF_ERROR(FindAddress(path, name, &address));
    *function = reinterpret_cast<Function>(address);
    return Status();
  }

 private:
  Status FindAddress(const char* path, const char* name, void** address) const;

  void* handle_ = nullptr;
};

// Finds the number that follows `key` in an entry. Returns false if there is none.
bool FindNumber(const char* entry, const char* key, int64_t* value);
// The same, with an error in the name of `library` unless the number is from `least` to INT32_MAX.
Status FindNumberFrom(const char* library, const char* entry, const char* key, int64_t least,
                      int64_t* value);

class CublasLt;
class Cudnn;
class Cufft;
class Nccl;

// The libraries of one device. Thread-safe; the context is current in Make, Capture and Close.
class Libraries {
 public:
  Libraries() = default;
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;

  void Init(const Api* api, int driver_version) {
    api_ = api;
    driver_version_ = driver_version;
  }
  // Returns the GpuLibrary bits of the libraries whose files exist: in $HALYARD_CUDA_LIBRARIES if
  // that is set, else in $LD_LIBRARY_PATH and where they are usually installed.
  uint32_t Find() const;

  // kNotFound and kFailedPrecondition say what is missing, and to compile with --no-libraries.
  Status Make(uint32_t library, const char* entry, uint32_t num_arguments,
              LibraryRoutine** routine);
  // Captures the routine's work on these arguments as a graph, which the caller destroys.
  Status Capture(LibraryRoutine* routine, const uint64_t* arguments, CUgraph* graph);
  // Returns the library by which devices exchange bytes. The errors are those of Make.
  Status OpenNccl(const Nccl** nccl);
  void Close();  // call this after all routines are destroyed

 private:
  bool FindFile(uint32_t library, char* path, size_t size) const;
  // Returns the library, and loads and opens it if necessary. Call this with the lock held.
  template <typename Library>
  Status Open(uint32_t library, const char* name, Library** opened);

  const Api* api_ = nullptr;
  int driver_version_ = 0;
  gpu::Mutex mutex_;  // guards the members below
  CublasLt* cublaslt_ = nullptr;
  Cudnn* cudnn_ = nullptr;
  Cufft* cufft_ = nullptr;
  Nccl* nccl_ = nullptr;
  gpu::Mutex capture_mutex_;
  CUstream capture_stream_ = nullptr;
};

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_LIBRARY_H_
