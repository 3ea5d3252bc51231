// The part of NCCL's C interface that the runtime uses, as in NCCL 2.14 and newer. The runtime is
// built without the library's headers.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_NCCL_ABI_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_NCCL_ABI_H_

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

namespace halyard::runtime::cuda::nccl_abi {

struct Communicator;  // ncclComm
struct UniqueId {     // ncclUniqueId, which is passed by value
  char bytes[128];
};

inline constexpr uint32_t kOldestVersion = 21400;  // 2.14.0

// ncclConfig_t as of 2.14. Newer versions have more members, and take those that are beyond `size`
// to be unset.
struct Config {
  size_t size;
  uint32_t magic, version;
  int32_t blocking;
};
// No call waits with it; ncclCommGetAsyncError says when what was called is done.
inline constexpr Config kNonBlocking = {sizeof(Config), 0xcafebeef, kOldestVersion, 0};

// ncclResult_t
enum Result : int {
  kSuccess = 0,
  kUnhandledCudaError = 1,
  kSystemError = 2,
  kInternalError = 3,
  kInvalidArgument = 4,
  kInvalidUsage = 5,
  kRemoteError = 6,
  kInProgress = 7
};
inline constexpr int kUint8 = 1;  // ncclDataType_t

// Names and parameters. All functions return an ncclResult_t.
#define HY_NCCL_FUNCTIONS(X)                                                                \
  X(ncclGetVersion, (int*))                                                                 \
  X(ncclGetUniqueId, (UniqueId*))                                                           \
  X(ncclCommInitRankConfig, (Communicator**, int size, UniqueId, int rank, Config*))        \
  X(ncclCommAbort, (Communicator*))                                                         \
  X(ncclCommGetAsyncError, (Communicator*, int* result))                                    \
  X(ncclGroupStart, ())                                                                     \
  X(ncclGroupEnd, ())                                                                       \
  X(ncclSend, (const void* from, size_t, int type, int peer, Communicator*, CUstream))      \
  X(ncclRecv, (void* to, size_t, int type, int peer, Communicator*, CUstream))              \
  X(ncclAllGather, (const void* from, void* to, size_t, int type, Communicator*, CUstream)) \
  X(ncclBroadcast,                                                                          \
    (const void* from, void* to, size_t, int type, int root, Communicator*, CUstream))

}  // namespace halyard::runtime::cuda::nccl_abi

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_NCCL_ABI_H_
