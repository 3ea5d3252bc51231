// Just enough of PTX's syntax: one instruction a line, as LLVM prints it.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_TEXT_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

struct PtxInstruction {
  std::string guard;                  // "@%p1 " or empty
  std::vector<std::string> opcode;    // split at dots: {"ld", "shared", "v4", "b32"}
  std::vector<std::string> operands;  // "{%r1, %r2}" is one
  // Before PTX 7.1, LLVM drops a half of a register by a braced line with a register of its own:
  // "{ .reg .b32 tmp; mov.b64 {tmp, %r1}, %rd1; }". It is the operand "{_, %r1}" here.
  bool braced = false;

  bool Is(absl::string_view name) const { return !opcode.empty() && opcode[0] == name; }
  bool Has(absl::string_view modifier) const;
  // "f32", "b64": the last part of the opcode.
  const std::string& type() const { return opcode.back(); }
  std::string Print() const;  // a line without its end
};

// False when the line is none (a label, directive, comment, brace or empty).
bool ParsePtxInstruction(absl::string_view line, PtxInstruction* instruction);

bool IsPtxFloat(absl::string_view type);

// "%r1", "%r2" of "{%r1, %r2}"; an operand without braces is itself.
std::vector<std::string> PtxRegisters(absl::string_view operand);

// For each instruction whether it is a fused multiply-add that accumulates: its result feeds its
// own addend, through registers, moves, more such instructions, or memory at the same written
// address. `instructions`: one function's.
std::vector<bool> FindAccumulations(const std::vector<PtxInstruction>& instructions);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_TEXT_H_
