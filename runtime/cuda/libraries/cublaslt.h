// Matrix products by cuBLASLt.
#ifndef HALYARD_RUNTIME_CUDA_LIBRARIES_CUBLASLT_H_
#define HALYARD_RUNTIME_CUDA_LIBRARIES_CUBLASLT_H_

#include "runtime/cuda/libraries/cublaslt_abi.h"
#include "runtime/cuda/libraries/library.h"
#include "runtime/status.h"

namespace halyard::runtime::cuda {

// The library, and a handle for the context that was current in Open. Thread-safe after that.
class CublasLt {
 public:
  CublasLt() = default;
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  Status Open(const char* path);
  Status Check(int result, const char* call) const;

  using Handle = cublaslt_abi::Handle;
  using MatmulDesc = cublaslt_abi::MatmulDesc;
  using MatrixLayout = cublaslt_abi::MatrixLayout;
  using Preference = cublaslt_abi::Preference;
  using HeuristicResult = cublaslt_abi::HeuristicResult;
  using Algorithm = cublaslt_abi::Algorithm;

  Handle handle = nullptr;
#define X(name, parameters) int(*name) parameters = nullptr;
  HY_CUBLASLT_FUNCTIONS(X)
#undef X

 private:
  SharedObject file_;
};

// Entry "matmul": d[m, n] = op(a)[m, k] · op(b)[k, n], with column-major matrices, as the library
// counts.
//   a b d          cudaDataType of the matrices
//   compute        cublasComputeType_t
//   m n k batch
//   ta tb          1 if the matrix is stored transposed
//   lda ldb ldd    distance between columns, in elements
//   sa sb sd       distance between the matrices of a batch, in elements
//   bias           1 if a vector of d's type, with an element for each row, is added to d
//   relu           1 if negative elements of d become zero
//   fast           1 if f8 sums need not be promoted
//   algorithm      index among the library's proposals, best first
//   workspace      bytes available
// Arguments: a, b, d, the workspace unless its size is 0, and the bias if there is one.
Status MakeMatmul(const CublasLt* library, const char* entry, uint32_t num_arguments,
                  LibraryRoutine** routine);

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUBLASLT_H_
