// The passes over a module, in the order in which PlanProgram runs them. Each leaves a valid module
// whose entry computes what it computed before. kInternal errors are bugs. kUnimplemented and
// kInvalidArgument name the instruction and its place.
#ifndef HALYARD_LOWERING_PLAN_PASSES_H_
#define HALYARD_LOWERING_PLAN_PASSES_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/rewrites.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// Turns the hidden state of rng into a value that calls, loops and branches hand on.
absl::Status ThreadRandomState(hlo::Module& module);

// Drops the frontend attributes that the program came with. They speak to other tools, and the
// passes below mark instructions by frontend attributes of their own: kHostPlacement, kSumsFit and
// kPackedFactor (lowering/kernels/contraction), which nobody else may set.
absl::Status DropFrontendAttributes(hlo::Module& module);

// Replaces call, fusion and map by the instructions of their computations. Returns
// kResourceExhausted if there would be too many.
absl::Status InlineCalls(hlo::Module& module);

// Gives every array the default layout. `bitcast` becomes transposes and reshapes, and `copy`
// becomes its operand. Parameters and results of the entry are row-major, whatever layout the text
// asked for.
absl::Status StripLayouts(hlo::Module& module);

// Folds get-tuple-element of tuple. Results of ops with several arrays (reduce, sort, …) are then
// used through get-tuple-element only, and each optimization barrier has one array.
absl::Status FlattenTuples(hlo::Module& module);

// Turns quantized types into their stored integers, and ops on them into arithmetic with integers
// and floats.
absl::Status ExpandQuantized(hlo::Module& module);

// Replaces collectives by `exchange` and ordinary ops (expand/collectives.h). For a program of one
// process, they and the ids become what they are for this one.
absl::Status ExpandCommunication(hlo::Module& module);

// Gives typed custom calls their types as a part of the configuration, and row-major arrays. Comes
// before layouts are dropped.
absl::Status ExpandTypedCalls(hlo::Module& module);

// Returns an error for a window or padding that needs more than the 32 bits with which kernels
// index.
absl::Status CheckWindows(const hlo::Module& module);

// Replaces ops without a kernel of their own by others: PRED conditionals, wide concatenations,
// scalar operands of select and clamp. `libraries` are GpuLibrary bits of the device; ops of these
// libraries are left to them.
absl::Status ExpandOps(hlo::Module& module, uint32_t libraries = 0,
                       const runtime::DeviceInfo& device = {});
// Computes reduce, reduce-window and scatter with complex and real results on real parts only.
absl::Status SplitComplex(hlo::Module& module);
// ExpandTopK turns topk into reductions and sorts of few elements. ExpandSort turns sort, whose
// best form depends on the device, into passes over its elements. Both come after ExpandOps.
absl::Status ExpandTopK(hlo::Module& module);
absl::Status ExpandSort(hlo::Module& module, const runtime::DeviceInfo& device);
// If a workgroup of `device` takes a whole line, the line is one kernel.
absl::Status ExpandFft(hlo::Module& module, uint32_t libraries, const runtime::DeviceInfo& device);
absl::Status ExpandScatters(hlo::Module& module);  // and select-and-scatter
// On GPUs, brings updates of large scatters that meet at one place together, by a sort.
absl::Status GroupScatters(hlo::Module& module, const runtime::DeviceInfo& device);
absl::Status ExpandRandom(hlo::Module& module);  // rng (with its state), rng-bit-generator
absl::Status ExpandBatchNorm(hlo::Module& module);
absl::Status ExpandDimensionSizes(hlo::Module& module);
absl::Status ExpandLinearAlgebra(hlo::Module& module);  // cholesky, triangular-solve

// Folds constants (results of at most 64 KB, of at most 2^22 terms), applies identities that hold
// bit for bit, merges common subexpressions, and drops dead code.
absl::Status Simplify(hlo::Module& module, const RewriteSet& without = {});
// Makes two plain reductions of one that finds the position of the greatest or least value of a
// row: the extreme, and the least position that has it. Sets `changed`.
absl::Status SplitArgReductions(hlo::Module& module, bool* changed);
// Makes two reductions of one over outer dimensions and a short innermost one. Sets `changed`.
absl::Status SplitReductions(hlo::Module& module, bool* changed);
// When splitting a convolution of a dilated operand pays: each phase is a kernel, which takes time
// to compile and to start, and another kernel interleaves them.
struct DilatedLimits {
  int64_t products = int64_t{1} << 22;  // at least, with the holes
  int64_t terms = 64;                   // of a result, at least, with the holes
  int64_t phases = 16;                  // with terms, at most
};
DilatedLimits DilatedLimitsOn(const runtime::DeviceInfo& device);
// Makes of convolutions whose operand is dilated several of the operand as it is, the phases of the
// result, and interleaves these. Sets `changed`.
absl::Status SplitDilated(hlo::Module& module, const DilatedLimits& limits, bool* changed);
// Moves reshapes that split or merge dimensions behind the elementwise ops and reductions that read
// them, where all of these can do without. Sets `changed`.
absl::Status MoveReshapes(hlo::Module& module, bool* changed);
// Makes one exchange of several of the same groups that do not depend on each other, up to a size.
absl::Status CombineExchanges(hlo::Module& module);
// Leaves one computation for each set of structurally equal ones, and one instruction for each set
// of equal ones.
absl::Status MergeEqual(hlo::Module& module, bool* changed);

// Replaces loop state that never changes and starts as a constant by that constant. Sets
// known_trip_count where the induction variable's start, step and bound are constants and no value
// wraps.
absl::Status AnalyzeLoops(hlo::Module& module);

// Returns how often the loop runs, or -1 if only its condition says so. A condition that does more
// than decide, such as to give its host something, is needed however much is known.
int64_t TripCountOf(const hlo::Instruction& loop);

// Unrolls loops of at most 8 iterations over large arrays whose bodies fuse. Sets `changed`.
absl::Status UnrollLoops(hlo::Module& module, bool* changed);

// Drops elements of a loop's state that nothing needs.
absl::Status RemoveDeadState(hlo::Module& module);

// For devices with a memory of their own: if a loop's condition follows from scalar integers alone
// (at most 8 ops), computes it on the host. The instructions carry kHostPlacement as frontend
// attributes. State elements of such a loop, from attribute `index` on, lie in host space.
inline constexpr char kHostPlacement[] = "{placement=\"host\"}";
bool IsOnHost(const hlo::Instruction& inst);
absl::Status PlaceOnHost(hlo::Module& module);

// On x86, lays constant weights of products and convolutions out in panels
// (lowering/kernels/contraction/packed_factor.h) when the program is compiled, which kernels would
// do in every run. So are narrow ones of which a product of one row makes its matrix.
absl::Status PackFactors(hlo::Module& module, const runtime::DeviceInfo& device);

// On x86, lets products of one row sum over blocks and the terms of each, where their matrix is
// computed in that form: weights with a scale for each block are made where they are read.
absl::Status SplitTerms(hlo::Module& module);

// Makes one product of several of the same array by constant matrices, with the constant biases and
// conversions that follow, where only products read parts of the result. The constants are joined
// when the program is compiled.
absl::Status MergeProducts(hlo::Module& module);

// Where cuDNN is to compute a convolution (fuse/library_kernels.h) but for the order of its
// weights, puts them in order: constants when the program is compiled, others by a transpose.
absl::Status ArrangeConvolutions(hlo::Module& module, const runtime::DeviceInfo& device);

// On CUDA, turns attention whose weights several products read, as in a training step, into
// fusions: statistics of the rows, and one for each product. Takes only what tensor cores multiply.
absl::Status FormAttentionGradients(hlo::Module& module, const runtime::DeviceInfo& device,
                                    const PlanChoices& choices);

// Turns attention whose scores are not worth writing to memory into a fusion of its own
// (lowering/kernels/attention/form.h). `choices` overrule this. Here and below, they use the
// instructions' own names.
absl::Status FormAttention(hlo::Module& module, const runtime::DeviceInfo& device,
                           const PlanChoices& choices);
// Returns the last products of the attentions that can have such a kernel, and whether they have it
// by rule.
std::vector<std::pair<hlo::Instruction*, bool>> FindAttentions(hlo::Module& module,
                                                               const runtime::DeviceInfo& device);

// On devices that limit the steps of a thread, makes batches of products of very many terms.
absl::Status CutProducts(hlo::Module& module, const runtime::DeviceInfo& device);

// Cuts every sequence (entry, loop and branch computations) into kernels. Each becomes a fusion
// instruction whose computation obeys lowering/kernels/kernel_form.h. If `fuse` is false, each
// instruction becomes a kernel.
absl::Status FuseKernels(hlo::Module& module, const runtime::DeviceInfo& device, bool fuse,
                         const PlanChoices& choices);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_PASSES_H_
