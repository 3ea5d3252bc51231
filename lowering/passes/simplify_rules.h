// The rules of Simplify. Each gives an instruction that computes the same bits as `inst`, or null.
#ifndef HALYARD_LOWERING_PASSES_SIMPLIFY_RULES_H_
#define HALYARD_LOWERING_PASSES_SIMPLIFY_RULES_H_

#include "lowering/passes/rewriter.h"

namespace halyard::lowering {

// The operand of a broadcast of a scalar to any shape, `inst` itself if it is a scalar, else null.
hlo::Instruction* SplatOf(hlo::Instruction* inst);

// reshape, transpose, broadcast, slice, pad, concatenate, iota, reverse, dynamic slices.
hlo::Instruction* SimplifyDataMovement(Rewriter& rewriter, hlo::Instruction* inst);
// Elementwise ops whose operands are all reshapes or broadcasts of the same form: the op first, on
// fewer elements.
hlo::Instruction* SinkThroughElementwise(Rewriter& rewriter, hlo::Instruction* inst);
// Identities of elementwise ops.
hlo::Instruction* SimplifyArithmetic(Rewriter& rewriter, hlo::Instruction* inst);
// dot and reduce. `users` counts the uses of each instruction.
hlo::Instruction* SimplifyContraction(
    Rewriter& rewriter, hlo::Instruction* inst,
    const std::unordered_map<const hlo::Instruction*, int>& users);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_SIMPLIFY_RULES_H_
