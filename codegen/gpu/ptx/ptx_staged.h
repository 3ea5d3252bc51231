// The instructions of products in stages (lowering/kernels/contraction/staged_product.h): cp.async,
// ldmatrix, mma.sync or wgmma (ptx_wgmma.h), and accumulators that LLVM never sees.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_STAGED_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_STAGED_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

bool IsStagedFunction(absl::string_view function);
// Whether all lanes of a warp must take part.
bool IsStagedConvergent(absl::string_view function);

// What a copy's element is loaded from.
struct LoadedFrom {
  std::string address;        // "[%rd1+32]"
  std::vector<size_t> lines;  // the load and the conversions that follow it
};
// Follows `value`, which line `at` of a function's body takes, to the load from global memory that
// gave it, in the same basic block. kResourceExhausted (another schedule may do): it is not such a
// value.
absl::StatusOr<LoadedFrom> TraceLoad(const std::vector<absl::string_view>& lines, size_t at,
                                     std::string value);

// One call: its arguments are registers or constants, `result` a register or "". `address`: of
// kStagedCopy, what its element was loaded from ("[%rd1+32]").
struct StagedCall {
  std::string function;
  std::vector<std::string> arguments;
  std::string result;
  std::string address;
};

// Lines of PTX. The registers that they use are those of StagedDeclarations. Messages name what is
// wrong with the call.
absl::StatusOr<std::vector<std::string>> StagedInstructions(const StagedCall& call);

// "{%name4, %name5}": an operand of several registers.
std::string PtxVector(const char* name, int64_t first, int64_t count);

// For the begin of a function that has such calls.
std::vector<std::string> StagedDeclarations();

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_STAGED_H_
