// The part of cuDNN's C interface that the runtime uses, as in version 9. The runtime is built
// without the library's headers.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_CUDNN_ABI_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_CUDNN_ABI_H_

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

namespace halyard::runtime::cuda::cudnn_abi {

using Handle = void*;
using Tensor = void*;
using Filter = void*;
using Convolution = void*;

enum DataType : int32_t { kF32 = 0, kF64 = 1, kF16 = 2, kBf16 = 9 };
enum : int { kNchw = 0, kNhwc = 1 };
enum : int { kCrossCorrelation = 1 };
// kTensorMath uses tensor cores for types that they have. kFmaMath uses plain multiply-adds (no
// TF32).
enum : int { kTensorMath = 1, kFmaMath = 3 };
inline constexpr int kMaxDimensions = 5;

// Names and parameters. All functions return a cudnnStatus_t, which is 0 for success.
#define HY_CUDNN_FUNCTIONS(X)                                                                      \
  X(cudnnCreate, (Handle*))                                                                        \
  X(cudnnDestroy, (Handle))                                                                        \
  X(cudnnSetStream, (Handle, CUstream))                                                            \
  X(cudnnCreateTensorDescriptor, (Tensor*))                                                        \
  X(cudnnSetTensorNdDescriptor, (Tensor, int32_t type, int count, const int* dims, const int*))    \
  X(cudnnDestroyTensorDescriptor, (Tensor))                                                        \
  X(cudnnCreateFilterDescriptor, (Filter*))                                                        \
  X(cudnnSetFilterNdDescriptor, (Filter, int32_t type, int format, int count, const int* dims))    \
  X(cudnnDestroyFilterDescriptor, (Filter))                                                        \
  X(cudnnCreateConvolutionDescriptor, (Convolution*))                                              \
  X(cudnnSetConvolutionNdDescriptor,                                                               \
    (Convolution, int count, const int* padding, const int* stride, const int* dilation, int mode, \
     int32_t compute_type))                                                                        \
  X(cudnnSetConvolutionMathType, (Convolution, int))                                               \
  X(cudnnSetConvolutionGroupCount, (Convolution, int))                                             \
  X(cudnnDestroyConvolutionDescriptor, (Convolution))                                              \
  X(cudnnGetConvolutionForwardWorkspaceSize,                                                       \
    (Handle, Tensor x, Filter, Convolution, Tensor y, int algorithm, size_t* bytes))               \
  X(cudnnConvolutionForward,                                                                       \
    (Handle, const void* alpha, Tensor, const void* x, Filter, const void* w, Convolution,         \
     int algorithm, void* workspace, size_t workspace_bytes, const void* beta, Tensor, void* y))

}  // namespace halyard::runtime::cuda::cudnn_abi

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUDNN_ABI_H_
