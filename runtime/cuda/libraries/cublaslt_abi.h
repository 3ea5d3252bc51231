// The part of cuBLASLt's C interface that the runtime uses, as in CUDA 12 and 13. The runtime is
// built without the library's headers.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_CUBLASLT_ABI_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_CUBLASLT_ABI_H_

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

namespace halyard::runtime::cuda::cublaslt_abi {

using Handle = void*;
using MatmulDesc = void*;
using MatrixLayout = void*;
using Preference = void*;
struct Algorithm {
  uint64_t data[8];
};
struct HeuristicResult {
  Algorithm algorithm;
  size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
};

// cudaDataType
enum DataType : int32_t {
  kF32 = 0,
  kF64 = 1,
  kF16 = 2,
  kS8 = 3,
  kS32 = 10,
  kBf16 = 14,
  kF8E4M3 = 28,
  kF8E5M2 = 29,
};
// cublasComputeType_t
enum ComputeType : int32_t {
  kCompute32F = 68,
  kCompute64F = 70,
  kCompute32I = 72,
  kCompute32FFastTf32 = 77,
};
enum : int {
  kDescTransA = 3,
  kDescTransB = 4,
  kDescEpilogue = 7,
  kDescBiasPointer = 8,
  kDescFastAccumulation = 25
};
enum : int { kLayoutBatchCount = 5, kLayoutBatchStride = 6 };
enum : int {
  kPreferenceWorkspaceBytes = 1,
  kPreferenceReductionMask = 3,
  kPreferenceAlignmentA = 5,  // and 6 to 8 for b, c and d
  kPreferenceAlignmentD = 8
};
enum : int32_t { kEpilogueNone = 1, kEpilogueRelu = 2, kEpilogueBias = 4 };
enum : uint32_t { kReduceInComputeType = 2 };  // cublasLtReductionScheme_t

// Names and parameters. All functions return a cublasStatus_t, which is 0 for success.
#define HY_CUBLASLT_FUNCTIONS(X)                                                         \
  X(cublasLtCreate, (Handle*))                                                           \
  X(cublasLtDestroy, (Handle))                                                           \
  X(cublasLtMatmulDescCreate, (MatmulDesc*, int32_t compute, int32_t scale))             \
  X(cublasLtMatmulDescDestroy, (MatmulDesc))                                             \
  X(cublasLtMatmulDescSetAttribute, (MatmulDesc, int, const void*, size_t))              \
  X(cublasLtMatrixLayoutCreate,                                                          \
    (MatrixLayout*, int32_t type, uint64_t rows, uint64_t columns, int64_t stride))      \
  X(cublasLtMatrixLayoutDestroy, (MatrixLayout))                                         \
  X(cublasLtMatrixLayoutSetAttribute, (MatrixLayout, int, const void*, size_t))          \
  X(cublasLtMatmulPreferenceCreate, (Preference*))                                       \
  X(cublasLtMatmulPreferenceDestroy, (Preference))                                       \
  X(cublasLtMatmulPreferenceSetAttribute, (Preference, int, const void*, size_t))        \
  X(cublasLtMatmulAlgoGetHeuristic,                                                      \
    (Handle, MatmulDesc, MatrixLayout a, MatrixLayout b, MatrixLayout c, MatrixLayout d, \
     Preference, int wanted, HeuristicResult*, int* found))                              \
  X(cublasLtMatmul,                                                                      \
    (Handle, MatmulDesc, const void* alpha, const void* a, MatrixLayout, const void* b,  \
     MatrixLayout, const void* beta, const void* c, MatrixLayout, void* d, MatrixLayout, \
     const Algorithm*, void* workspace, size_t workspace_bytes, CUstream))

}  // namespace halyard::runtime::cuda::cublaslt_abi

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUBLASLT_ABI_H_
