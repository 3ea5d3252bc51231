// What one kernel may hold: the contract between the fusion pass (which cuts the graph) and codegen
// (which emits a kernel).
//
// A kernel's computation is a DAG of
//   Expr ops: elementwise ops, and ops that only move an index: broadcast, reshape, bitcast,
//   transpose, slice, reverse, pad,
//     concatenate (at most kMaxConcatOperands operands), iota, dynamic-slice, gather (Expr of its
//     operand and indices), constant, convert; fusible into anything, evaluated wherever they are
//     used;
//   Func ops (heroes): reduce, dot, convolution, reduce-window, sort-pass, fft-pass,
//   unscaled-fft: a kernel of its own
//   structure; among them sequences (dynamic-update-slice, scatter, …; sequence.h), which update
//   their results step after step.
// with these rules (checked by VerifyKernelForm):
//   1. Heroes of one kernel are of one family, except that a kernel may hold several `reduce`s over
//   the same dimensions of
//      equal shapes, also one after the other with Expr ops between ("row fusion": softmax, layer
//      norm), when the reduced extents fit (kMaxRowElements). Otherwise at most one hero.
//   2. All outputs have the same dimensions, and all or none are complex. With a hero, every output is the hero or an epilogue
//   of it: Expr ops that use the hero's
//      value at one index only (elementwise, broadcast of others, transpose, reshape). In row
//      fusion outputs may have the reduced shape, or the unreduced shape, but all outputs the same.
//   3. A value that an Expr op with many uses per element needs (the operand of reduce-window, of
//   convolution, of dot) is a kernel
//      parameter or cheap: at most kMaxPrologueOps elementwise ops, no transcendental, since heroes
//      read it many times.
//   4. At most kMaxKernelInstructions instructions, kMaxExpressionDepth deep, kMaxKernelBuffers
//   parameters and outputs together; kMaxSequenceBuffers with a sequence, or one hero that has
//   several results.
//   5. A sequence is the root, all of its results are outputs. Operands that it updates in place
//   are parameters that their outputs alias (KernelRequest::aliases) and that nothing else reads.
//   6. sort-pass (semantics: frontend/hlo/sort_pass.cc) reads parameters only; its results, by
//   get-tuple-element, are the outputs. fft-pass is the root; its tables are parameters. Library ops
//   (unscaled-fft), which only a library computes, are the root, and their operands parameters.
//   7. Attention (attention_form.h): the heroes are two dots with a maximum and a sum over rows
//   between them, and nothing else; the one output is the second dot behind converts, transposes
//   and reshapes that change no order. Rules 1 and 3 do not hold for it.
// A hero with several results (reduce of several arrays, sort-pass) has no epilogue: the outputs
// are its get-tuple-elements, those that are used. Operands of contractions and convolutions are
// parameters, behind index ops and converts at most. The reduced dimensions of a kernel in which a
// reduce is broadcast back (rows) are the last ones. select and clamp have operands of one shape.
// Dimensions are collapsed (lowering/passes/collapse.cc): none of size 1 and no two that no op
// tells apart are left but where an op names them; scalars have rank 0.
#ifndef HALYARD_LOWERING_KERNEL_FORM_H_
#define HALYARD_LOWERING_KERNEL_FORM_H_

#include "absl/status/status.h"
#include "frontend/hlo/module.h"

namespace halyard::lowering {

inline constexpr int kMaxConcatOperands = 8;
inline constexpr int kMaxPrologueOps = 4;
inline constexpr int kMaxKernelInstructions = 64;
inline constexpr int kMaxExpressionDepth = 100;
inline constexpr int kMaxKernelBuffers = 12;
inline constexpr int kMaxSequenceBuffers = 31;  // where one op may have many operands
inline constexpr int64_t kMaxRowElements = 16384;
inline constexpr int64_t kMaxInlineConstantBytes = 64;

enum class OpForm { kExpr, kFunc, kSteps, kNone };
// How codegen treats the op (kSteps: expanded by the passes into kernels and loops; kNone:
// structure only).
OpForm FormOf(hlo::Opcode opcode);
// Whether an array of the shape is complex.
bool HasComplex(const hlo::Shape& shape);

// Whether the op is a hero of its kernel (FormOf: kFunc).
bool IsHero(const hlo::Instruction& inst);

// What an element of an op's result costs to compute.
enum class OpCost {
  kCheap,
  kDivision,
  kRoot,      // square roots, which hardware has
  kFunction,  // elementary functions of one argument: tens of instructions
  kCompound,  // as many or more: powers, atan2, blocks of random bits
};
OpCost CostOf(hlo::Opcode opcode);
// Ops whose evaluation takes tens of instructions: not repeated inside of heroes.
bool IsTranscendental(hlo::Opcode opcode);

// Ops that are there only for devices whose libraries have them (library_call.h).
bool IsLibraryOp(hlo::Opcode opcode);

// Sequences, and how one kernel may compute their operands.
bool IsSequence(hlo::Opcode opcode);
enum class SequenceOperand {
  kInPlace,   // a parameter that becomes the result of the same number
  kMemory,    // a parameter
  kRepeated,  // an element may be read more than once: a parameter, or cheap
  kOnce,      // read once: any Expr ops
};
SequenceOperand SequenceOperandOf(const hlo::Instruction& sequence, size_t operand);

// Rules above, on the entry computation; the error names the rule and the instruction.
absl::Status VerifyKernelForm(const hlo::Computation& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNEL_FORM_H_
