// The instructions of attention by warpgroups (lowering/kernels/attention/warpgroups.h): wgmma, and
// scores and sums that LLVM never sees.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_ATTENTION_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_ATTENTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codegen/gpu/ptx/ptx_staged.h"

namespace halyard::lowering::gpu {

bool IsAttentionFunction(absl::string_view function);
// Whether all lanes of a warp must take part.
bool IsAttentionConvergent(absl::string_view function);

// Lines of PTX. The registers that they use are those of AttentionDeclarations and
// StagedDeclarations. Messages name what is wrong with the call.
absl::StatusOr<std::vector<std::string>> AttentionInstructions(const StagedCall& call);

// For the begin of a function that has such calls.
std::vector<std::string> AttentionDeclarations();

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_ATTENTION_H_
