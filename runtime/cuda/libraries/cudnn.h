// Convolutions by cuDNN.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_CUDNN_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_CUDNN_H_

#include "runtime/cuda/libraries/cudnn_abi.h"
#include "runtime/cuda/libraries/library.h"
#include "runtime/status.h"

namespace halyard::runtime::cuda {

// The library, and a handle for the context that was current in Open. One thread at a time may use
// the handle, so routines are made and enqueued under the locks of Libraries.
class Cudnn {
 public:
  Cudnn() = default;
  ~Cudnn();
  Cudnn(const Cudnn&) = delete;
  Cudnn& operator=(const Cudnn&) = delete;

  Status Open(const char* path);
  Status Check(int result, const char* call) const;

  using Handle = cudnn_abi::Handle;
  using Tensor = cudnn_abi::Tensor;
  using Filter = cudnn_abi::Filter;
  using Convolution = cudnn_abi::Convolution;

  Handle handle = nullptr;
#define X(name, parameters) int(*name) parameters = nullptr;
  HY_CUDNN_FUNCTIONS(X)
#undef X

 private:
  SharedObject file_;
};

// Entry "convolution": the forward convolution y = x * w, as a cross-correlation.
//   type       cudnnDataType of all three
//   format     0: batch, features, space; 1: batch, space, features (cudnnTensorFormat)
//   rank       number of spatial dimensions, 2 or 3
//   n c k      batch, input features, output features
//   groups     number of groups of features
//   x0… w0… y0…  spatial extents of input, window and output
//   p0… s0… d0…  padding on each side, stride, dilation of the window
//   algorithm  0: implicit GEMM; 1: implicit GEMM with precomputed offsets
//   workspace  bytes available
// Arguments: x, w, y, and the workspace unless its size is 0.
Status MakeConvolution(const Cudnn* library, const char* entry, uint32_t num_arguments,
                       LibraryRoutine** routine);

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUDNN_H_
