// A SPIR-V module as its instructions.
#ifndef HALYARD_CODEGEN_GPU_SPIRV_MODULE_H_
#define HALYARD_CODEGEN_GPU_SPIRV_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"

namespace halyard::lowering::gpu {

using SpirvWords = std::vector<uint32_t>;

inline constexpr size_t kSpirvBoundWord = 3;  // of the header: one more than the greatest id

// A view of one instruction: `words[0]` holds the opcode and the length.
struct SpirvInstruction {
  spv::Op op = spv::Op::OpNop;
  absl::Span<const uint32_t> words;
  size_t position = 0;  // in the module
};

// kDataLoss with the word at which the module breaks. The views are into `module`.
absl::StatusOr<std::vector<SpirvInstruction>> SplitSpirv(const SpirvWords& module);

// Whether the section of decorations is over at an instruction of this kind.
bool EndsSpirvAnnotations(spv::Op op);

// Appends an instruction.
void AppendSpirv(spv::Op op, std::initializer_list<uint32_t> operands, SpirvWords* words);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_SPIRV_MODULE_H_
