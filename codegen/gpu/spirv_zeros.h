// Keeps drivers from folding operations on a literal zero.
#ifndef HALYARD_CODEGEN_GPU_SPIRV_ZEROS_H_
#define HALYARD_CODEGEN_GPU_SPIRV_ZEROS_H_

#include "absl/status/statusor.h"
#include "codegen/gpu/spirv_module.h"

namespace halyard::lowering::gpu {

// llvmpipe makes x of x + 0 (wrong for -0), -x of 0 - x (wrong for 0) and 0 of x * 0 (wrong for
// NaN, infinity and -x), NoContraction or not, as it may by Vulkan's rules without
// SignedZeroInfNanPreserve. In float additions, subtractions from zero, multiplications and
// divisions, and where a variable is set to it, a literal zero is replaced by one that is computed:
// the top bit of the group's index. So are zeros among which a select chooses, if floats are made
// of the result: where the driver finds that the condition is constant (x < x), the zero is left.
absl::StatusOr<SpirvWords> HideZeros(const SpirvWords& module);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_SPIRV_ZEROS_H_
