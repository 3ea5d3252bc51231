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

// Entry "matmul": column by column as the library counts, d[m, n] = op(a)[m, k] · op(b)[k, n].
//   a b d          cudaDataType of the matrices
//   compute        cublasComputeType_t
//   m n k batch
//   ta tb          1: stored transposed
//   lda ldb ldd    elements from column to column
//   sa sb sd       elements from matrix to matrix of a batch
//   bias           1: d's rows get a vector of d's type; relu: 1
//   fast           1: f8 sums need not be promoted
//   algorithm      which of the library's proposals, best first
//   workspace      bytes
// Arguments: a, b, d, then the workspace if its bytes are not 0, then the bias if there is one.
Status MakeMatmul(const CublasLt* library, const char* entry, uint32_t num_arguments,
                  LibraryRoutine** routine);

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_LIBRARIES_CUBLASLT_H_
