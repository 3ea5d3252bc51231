// What Halide's Vulkan code generator hands to its runtime: SPIR-V modules, one kernel each, with a
// description of their resources. Layout (CodeGen_Vulkan_Dev.cpp of Halide 21):
// 32-bit little-endian words.
#ifndef HALYARD_CODEGEN_GPU_SPIRV_BLOB_H_
#define HALYARD_CODEGEN_GPU_SPIRV_BLOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

struct SpirvModule {
  std::string entry;
  uint32_t num_uniform_buffers = 0;  // 1 if there are scalars
  uint32_t num_storage_buffers = 0;
  uint32_t num_specialization_constants = 0;
  bool has_dynamic_workgroup = false;  // the thread count is a specialisation constant
  std::vector<uint32_t> words;
};

// kDataLoss with the word where the blob stops making sense.
absl::StatusOr<std::vector<SpirvModule>> ParseSpirvBlob(absl::string_view blob);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_SPIRV_BLOB_H_
