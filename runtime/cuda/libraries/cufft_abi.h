// The part of cuFFT's C interface that the runtime uses, as in CUDA 12 and 13. The runtime is built
// without the library's headers.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_CUFFT_ABI_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_CUFFT_ABI_H_

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

namespace halyard::runtime::cuda::cufft_abi {

using Plan = int;

// cufftType; C and Z are complex, R and D real.
enum Type : int32_t { kC2C = 0x29, kR2C = 0x2a, kZ2Z = 0x69, kD2Z = 0x6a };
enum : int { kForward = -1, kInverse = 1 };
inline constexpr int kMaxRank = 3;

// Names and parameters. All functions return a cufftResult, which is 0 for success.
#define HY_CUFFT_FUNCTIONS(X)                                                                    \
  X(cufftCreate, (Plan*))                                                                        \
  X(cufftDestroy, (Plan))                                                                        \
  X(cufftSetAutoAllocation, (Plan, int on))                                                      \
  X(cufftMakePlanMany64,                                                                         \
    (Plan, int rank, long long* n, long long* in_embed, long long in_stride, long long in_batch, \
     long long* out_embed, long long out_stride, long long out_batch, int32_t type,              \
     long long batch, size_t* workspace_bytes))                                                  \
  X(cufftSetStream, (Plan, CUstream))                                                            \
  X(cufftSetWorkArea, (Plan, void*))                                                             \
  X(cufftExecC2C, (Plan, void* in, void* out, int direction))                                    \
  X(cufftExecZ2Z, (Plan, void* in, void* out, int direction))                                    \
  X(cufftExecR2C, (Plan, void* in, void* out))                                                   \
  X(cufftExecD2Z, (Plan, void* in, void* out))

}  // namespace halyard::runtime::cuda::cufft_abi

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUFFT_ABI_H_
