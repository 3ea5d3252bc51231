// What Halide's SPIR-V needs before a driver may see it.
#ifndef HALYARD_CODEGEN_GPU_SPIRV_PASSES_H_
#define HALYARD_CODEGEN_GPU_SPIRV_PASSES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "codegen/gpu/spirv_module.h"

namespace halyard::lowering::gpu {

// Decorates every float operation NoContraction: drivers then neither fuse a multiplication with an
// addition nor reorder or fold it. Halide's SPIR-V does not tell strict operations from others, so
// all of them are, but for this: with `fuse_multiply_accumulate`, an addition that adds a product
// to an accumulator (a place it loads and, perhaps after more such additions, stores back) stays
// free, as does the product.
absl::StatusOr<SpirvWords> AddNoContraction(const SpirvWords& module,
                                            bool fuse_multiply_accumulate);

// Declares what the device can promise of floats (VK_KHR_shader_float_controls): that signed zeros,
// infinities, NaN and denormals are kept and that results are rounded to the nearest even value.
// A promise is asked for if the device makes it for every width of float in the module, and then
// for all widths it makes it for: some devices only have it for all at once. `float_controls`:
// runtime::FloatControl bits; `keeps_denormals`: f32's.
absl::StatusOr<SpirvWords> AddFloatControls(const SpirvWords& module, uint32_t float_controls,
                                            bool keeps_denormals);

// Drops names, which only people read.
absl::StatusOr<SpirvWords> StripNames(const SpirvWords& module);

// Offsets of the members of the uniform buffer at binding 0 (the launch's scalars); empty if there
// is none.
absl::StatusOr<std::vector<uint32_t>> UniformOffsets(const SpirvWords& module);

// SPIRV-Tools' validator, for Vulkan 1.2.
absl::Status ValidateSpirv(const SpirvWords& module);
absl::StatusOr<std::string> DisassembleSpirv(absl::Span<const uint32_t> module);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_SPIRV_PASSES_H_
