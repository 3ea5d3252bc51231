// The rules of Simplify. Each returns an instruction that computes the same bits as `inst`, or
// null.
#ifndef HALYARD_LOWERING_PLAN_SIMPLIFY_RULES_H_
#define HALYARD_LOWERING_PLAN_SIMPLIFY_RULES_H_

#include "lowering/plan/rewriter.h"

namespace halyard::lowering {

// Returns the operand of a broadcast of a scalar to any shape, or `inst` itself if it is a scalar,
// or else null.
hlo::Instruction* SplatOf(hlo::Instruction* inst);

// reshape, transpose, broadcast, slice, pad, concatenate, iota, reverse, dynamic slices.
hlo::Instruction* SimplifyDataMovement(Rewriter& rewriter, hlo::Instruction* inst);
// Whether each element of the result is made from those at the same place of the operands, which
// have the result's dimensions but for scalars. (A conversion of bits between types of one width is
// such an op, too: its operand's dimensions tell.)
bool IsElementwise(const hlo::Instruction& inst);
// For elementwise ops whose operands are all broadcasts of the same form, or reshapes that add or
// drop dimensions of size 1 or are of generated arrays, does the op first, on fewer elements.
hlo::Instruction* SinkThroughElementwise(Rewriter& rewriter, hlo::Instruction* inst);
// Identities of elementwise ops.
hlo::Instruction* SimplifyArithmetic(Rewriter& rewriter, hlo::Instruction* inst);
// Transposes before and after dots. `users` counts the uses of each instruction.
hlo::Instruction* SimplifyTransposedDot(
    Rewriter& rewriter, hlo::Instruction* inst,
    const std::unordered_map<const hlo::Instruction*, int>& users);
// Pads before convolutions.
hlo::Instruction* SimplifyPaddedConvolution(Rewriter& rewriter, hlo::Instruction* inst);
// Convolutions of 1×1 windows are dots.
hlo::Instruction* SimplifyPointwiseConvolution(Rewriter& rewriter, hlo::Instruction* inst);
// reduce and reduce-window of one element for each result.
hlo::Instruction* SimplifySingles(Rewriter& rewriter, hlo::Instruction* inst);
// Arrays without elements. Kernels rely on this rule.
hlo::Instruction* SimplifyEmpty(Rewriter& rewriter, hlo::Instruction* inst);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_SIMPLIFY_RULES_H_
