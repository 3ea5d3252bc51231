// What one kernel may contain: the contract between the fusion pass (which cuts the graph) and
// codegen (which emits a kernel).
//
// A kernel's computation is a DAG of two kinds of ops:
//
// - Expr ops are elementwise ops and ops that only move an index: broadcast, reshape, bitcast,
//   transpose, slice, reverse, pad, concatenate (at most kMaxConcatOperands operands), iota,
//   dynamic-slice, gather (an Expr of its operand and indices), constant and convert. They may be
//   fused into anything, and are evaluated wherever they are used.
// - Func ops (heroes) are reduce, dot, convolution, reduce-window, sort-pass, fft-pass and
//   unscaled-fft. They give a kernel a structure of its own. Among them are sequences
//   (dynamic-update-slice, scatter, …; lowering/kernels/sequence/define.h), which update their
//   results step after step.
//
// VerifyKernelForm checks these rules:
//
// 1. A kernel has at most one hero. As an exception, it may have several `reduce`s over the same
//    dimensions of equal shapes, also one after the other with Expr ops between ("row fusion":
//    softmax, layer norm), if the rows fit (plan/fuse/fusion_group.h, FusionLimits).
// 2. All outputs have the same dimensions, and all or none are complex. With a hero, every output
//    is the hero or an epilogue of it: Expr ops that use the hero's value at one index only
//    (elementwise, broadcast of others, transpose, reshape). In row fusion, outputs may have the
//    reduced shape or the unreduced shape, but all outputs have the same.
// 3. A value that an Expr op with many uses per element needs (the operand of reduce-window, of
//    convolution, of dot) is a kernel parameter, or cheap: at most kMaxPrologueOps elementwise ops
//    and no transcendental, because heroes read it many times.
// 4. A kernel has at most kMaxKernelInstructions instructions (QuartersOf says how they
//    count), a depth of kMaxExpressionDepth, and kMaxKernelBuffers parameters and outputs together.
//    With a sequence, or one hero that has several results, the last limit is kMaxSequenceBuffers.
// 5. A sequence is the root, and all of its results are outputs. Operands that it updates in place
//    are parameters that their outputs alias (KernelRequest::aliases) and that nothing else reads.
// 6. sort-pass (semantics: frontend/hlo/evaluate/sort_pass.cc) reads parameters only, and its
// results, by
//    get-tuple-element, are the outputs. fft-pass is the root, and its tables are parameters.
//    Library ops (unscaled-fft), which only a library computes, are the root, and their operands
//    are parameters.
// 7. In attention (lowering/kernels/attention/form.h), the heroes are two dots with a maximum and a
// sum over rows
//    between them, and nothing else. The one output is the second dot behind converts, transposes
//    and reshapes that change no order. Of its gradient, chains have two or three dots and no
//    reduction, with one output likewise, and statistics have one or two dots, a maximum and sums,
//    which are the outputs. Rules 1 and 3 do not apply to these kernels.
//
// A hero with several results (reduce of several arrays, sort-pass) has no epilogue: the outputs
// are those of its get-tuple-elements that are used. Operands of contractions and convolutions are
// parameters, behind index ops and converts at most. If a reduce is broadcast back in a kernel
// (rows), its reduced dimensions are the last ones. select and clamp have operands of one shape.
// Dimensions are collapsed (lowering/plan/simplify/collapse.cc): no dimension has size 1, and no
// two remain that no op distinguishes, except where an op names them. Scalars have rank 0.
#ifndef HALYARD_LOWERING_KERNELS_KERNEL_FORM_H_
#define HALYARD_LOWERING_KERNELS_KERNEL_FORM_H_

#include <optional>

#include "absl/status/status.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {

inline constexpr int kMaxConcatOperands = 8;
inline constexpr int kMaxPrologueOps = 4;
inline constexpr int kMaxKernelInstructions = 64;
// Kernels index with 32 bits, and loops are rounded up to whole tiles and tasks.
inline constexpr int64_t kMaxExtent = INT32_MAX - (int64_t{1} << 24);
inline constexpr int kMaxExpressionDepth = 256;
inline constexpr int kMaxKernelBuffers = 12;
inline constexpr int kMaxSequenceBuffers = 31;  // for ops that may have many operands
inline constexpr int64_t kMaxInlineConstantBytes = 64;

enum class OpForm { kExpr, kFunc, kSteps, kNone };
// How codegen treats the op, by its kind in the op table. kSteps: passes expand it into kernels and
// loops. kNone: codegen never sees it, or it is structure only.
OpForm FormOf(hlo::Opcode opcode);
// Returns whether an array of the shape is complex.
bool HasComplex(const hlo::Shape& shape);

// Whether the instruction is one number everywhere: a scalar constant, or a scalar that is
// broadcast.
bool IsNumber(const hlo::Instruction& inst);

// Returns how much an instruction counts among a kernel's, in quarters of one: nothing for numbers,
// a quarter for additions, shifts and logic of integers of at most 32 bits, which are an
// instruction of the machine each.
int QuartersOf(const hlo::Instruction& inst);

// Whether the op is a hero of its kernel (FormOf: kFunc).
bool IsHero(const hlo::Instruction& inst);

using hlo::OpCost;
OpCost CostOf(hlo::Opcode opcode);
// Ops whose evaluation takes tens of instructions. They are not repeated inside heroes.
bool IsTranscendental(hlo::Opcode opcode);

// Ops that exist only for devices whose libraries have them (lowering/kernels/library/form.h).
bool IsLibraryOp(hlo::Opcode opcode);

// Returns the op if the body of a fold is one commutative, associative op on its two parameters.
std::optional<hlo::Opcode> SingleCommutativeOp(const hlo::Computation& body);
// Returns whether the value is a scalar constant, the float 0 or -0.
bool IsZero(const hlo::Instruction& value);
// Returns whether `inst` folds one array by that op.
bool IsFoldBy(const hlo::Instruction& inst, hlo::Opcode opcode);

// Sequences, and how one kernel may compute their operands.
bool IsSequence(hlo::Opcode opcode);
enum class SequenceOperand {
  kInPlace,   // a parameter that becomes the result of the same number
  kMemory,    // a parameter
  kRepeated,  // an element may be read more than once: a parameter, or cheap
  kOnce,      // read once: any Expr ops
};
SequenceOperand SequenceOperandOf(const hlo::Instruction& sequence, size_t operand);

// Checks the rules above on the entry computation. The error names the rule and the instruction.
absl::Status VerifyKernelForm(const hlo::Computation& kernel);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_KERNEL_FORM_H_
