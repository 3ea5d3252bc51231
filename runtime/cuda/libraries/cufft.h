// Fourier transforms by cuFFT.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_CUFFT_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_CUFFT_H_

#include "runtime/cuda/libraries/cufft_abi.h"
#include "runtime/cuda/libraries/library.h"
#include "runtime/status.h"

namespace halyard::runtime::cuda {

// The library. One thread at a time may use a plan, so routines are made and enqueued under the
// locks of Libraries.
class Cufft {
 public:
  Cufft() = default;
  Cufft(const Cufft&) = delete;
  Cufft& operator=(const Cufft&) = delete;

  Status Open(const char* path);
  Status Check(int result, const char* call) const;

  using Plan = cufft_abi::Plan;
#define X(name, parameters) int(*name) parameters = nullptr;
  HY_CUFFT_FUNCTIONS(X)
#undef X

 private:
  SharedObject file_;
};

// Entry "fft": transforms all dimensions but the first of dense arrays [batch, n0, …]. For real
// arrays, computes the first n/2 + 1 elements of the last dimension, which has n elements.
//   type       cufftType: C2C, Z2Z, R2C, D2Z
//   inverse    1 for the inverse transform, which is not divided by the number of elements
//   rank       1 to 3
//   n0 …       the extents of the real or complex array
//   batch      number of transforms
//   workspace  bytes available. If a plan for the whole batch needs more, parts of the batch are
//              transformed one after the other.
// Arguments: input, output, and the workspace unless its size is 0.
Status MakeTransform(const Cufft* library, const char* entry, uint32_t num_arguments,
                     LibraryRoutine** routine);

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUFFT_H_
