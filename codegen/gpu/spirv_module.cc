#include "codegen/gpu/spirv_module.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace halyard::lowering::gpu {

using spv::Op;

absl::StatusOr<std::vector<SpirvInstruction>> SplitSpirv(const SpirvWords& module) {
  constexpr size_t kHeaderWords = 5;
  std::vector<SpirvInstruction> instructions;
  for (size_t i = kHeaderWords; i < module.size();) {
    const size_t length = module[i] >> 16;
    if (length == 0 || length > module.size() - i) {
      return absl::DataLossError(absl::StrCat("SPIR-V: a broken instruction at word ", i));
    }
    SpirvInstruction instruction;
    instruction.op = static_cast<Op>(module[i] & 0xffff);
    instruction.words = absl::MakeConstSpan(&module[i], length);
    instruction.position = i;
    instructions.push_back(instruction);
    i += length;
  }
  return instructions;
}

bool EndsSpirvAnnotations(Op op) {
  const auto code = static_cast<uint32_t>(op);
  return (code >= static_cast<uint32_t>(Op::OpTypeVoid) &&
          code <= static_cast<uint32_t>(Op::OpTypeForwardPointer)) ||
         (code >= static_cast<uint32_t>(Op::OpConstantTrue) &&
          code <= static_cast<uint32_t>(Op::OpSpecConstantOp)) ||
         op == Op::OpVariable || op == Op::OpUndef || op == Op::OpFunction || op == Op::OpLine;
}

void AppendSpirv(Op op, std::initializer_list<uint32_t> operands, SpirvWords* words) {
  words->push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | static_cast<uint32_t>(op));
  words->insert(words->end(), operands.begin(), operands.end());
}

}  // namespace halyard::lowering::gpu
