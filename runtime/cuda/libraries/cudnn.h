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

// Entry "convolution": y = x * w, forward, as cross-correlation.
//   type       cudnnDataType of all three
//   format     0: batch, features, space; 1: batch, space, features (cudnnTensorFormat)
//   rank       dimensions of space, 2 or 3
//   n c k      batch, input features, output features; groups
//   x0… w0… y0…  extents of space of input, window, output
//   p0… s0… d0…  padding on each side, stride, dilation of the window
//   algorithm  0 implicit GEMM, 1 the same with precomputed offsets
//   workspace  bytes that there are
// Arguments: x, w, y, workspace.
Status MakeConvolution(const Cudnn* library, const char* entry, uint32_t num_arguments,
                       LibraryRoutine** routine);

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUDNN_H_
