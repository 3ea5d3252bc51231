// The passes over a module, in the order in which PlanProgram runs them. Each leaves a valid module
// whose entry computes what it computed before. kInternal errors are bugs; kUnimplemented and
// kInvalidArgument name the instruction and its place.
#ifndef HALYARD_LOWERING_PASSES_PASSES_H_
#define HALYARD_LOWERING_PASSES_PASSES_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "frontend/hlo/module.h"
#include "lowering/passes/choices.h"
#include "lowering/passes/rewrites.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// The hidden state of rng becomes a value that calls, loops and branches hand on.
absl::Status ThreadRandomState(hlo::Module& module);

// call, fusion and map are replaced by the instructions of their computations. kResourceExhausted
// if that makes too many.
absl::Status InlineCalls(hlo::Module& module);

// Every array has the default layout; `bitcast` becomes transposes and reshapes, `copy` its
// operand. Parameters and results of the entry are row-major whatever layout the text wished for.
absl::Status StripLayouts(hlo::Module& module);

// get-tuple-element of tuple is folded; results of ops with several arrays (reduce, sort, …) are
// used through get-tuple-element only; optimization barriers are one per array.
absl::Status FlattenTuples(hlo::Module& module);

// Quantized types become their stored integers, and ops on them arithmetic with integers and floats.
absl::Status ExpandQuantized(hlo::Module& module);

// Collectives and ids become what they are for one process. Several processes, or a host that is
// waited for, cannot be compiled yet: an error that names op and target.
absl::Status ExpandCommunication(hlo::Module& module, absl::string_view target);

// Kernels index with 32 bits: an error for a window or padding that needs more.
absl::Status CheckWindows(const hlo::Module& module);

// Ops without a kernel of their own become others: PRED
// conditionals, wide concatenations, scalar operands of select and clamp.
// `libraries`: GpuLibrary bits of the device, whose libraries' ops are left to them.
absl::Status ExpandOps(hlo::Module& module, uint32_t libraries = 0,
                       const runtime::DeviceInfo& device = {});
// reduce, reduce-window and scatter with complex and real results: on real parts only.
absl::Status SplitComplex(hlo::Module& module);
// topk becomes reductions and sorts of few elements; sort, whose best form depends on the device,
// passes over its elements (both after ExpandOps).
absl::Status ExpandTopK(hlo::Module& module);
absl::Status ExpandSort(hlo::Module& module, const runtime::DeviceInfo& device);
// `device`: where a workgroup takes a whole line, it is one kernel.
absl::Status ExpandFft(hlo::Module& module, uint32_t libraries, const runtime::DeviceInfo& device);
absl::Status ExpandScatters(hlo::Module& module);  // and select-and-scatter
absl::Status ExpandRandom(hlo::Module& module);  // rng (with its state), rng-bit-generator
absl::Status ExpandBatchNorm(hlo::Module& module);
absl::Status ExpandDimensionSizes(hlo::Module& module);
absl::Status ExpandLinearAlgebra(hlo::Module& module);  // cholesky, triangular-solve

// Constant folding (results of at most 64 KB), identities that hold bit for bit, common
// subexpressions, dead code.
absl::Status Simplify(hlo::Module& module, const RewriteSet& without = {});
// One computation for each set of structurally equal ones, one instruction for each set of equal
// ones.
absl::Status MergeEqual(hlo::Module& module, bool* changed);

// Loop state that never changes and starts as a constant is that constant; sets known_trip_count
// where the induction variable's start, step and bound are constants and no value wraps.
absl::Status AnalyzeLoops(hlo::Module& module);

// Elements of a loop's state that nothing needs are dropped.
absl::Status RemoveDeadState(hlo::Module& module);

// For devices with a memory of their own: loops whose condition follows from scalar integers alone
// (at most 8 ops) compute it on the host. Such instructions carry kHostPlacement as frontend
// attributes; such loops' state elements from attribute `index` on lie in host space.
inline constexpr char kHostPlacement[] = "{placement=\"host\"}";
bool IsOnHost(const hlo::Instruction& inst);
absl::Status PlaceOnHost(hlo::Module& module);

// On x86, constant weights of products and convolutions are laid out in panels
// (lowering/packed_factor.h) when the program is compiled, which kernels would do in every run.
absl::Status PackFactors(hlo::Module& module, const runtime::DeviceInfo& device);

// Attention whose scores are not worth writing to memory becomes a fusion of its own
// (attention_form.h). `choices` (here and below: by the instructions' own names) overrule that.
absl::Status FormAttention(hlo::Module& module, const runtime::DeviceInfo& device,
                           const PlanChoices& choices);
// Last products of the attentions that can have such a kernel, and whether they have it by rule.
std::vector<std::pair<hlo::Instruction*, bool>> FindAttentions(hlo::Module& module,
                                                               const runtime::DeviceInfo& device);

// Cuts every sequence (entry, loop and branch computations) into kernels: each becomes a fusion
// instruction whose computation obeys lowering/kernel_form.h. `fuse` false: one kernel per
// instruction.
absl::Status FuseKernels(hlo::Module& module, const runtime::DeviceInfo& device, bool fuse,
                         const PlanChoices& choices);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_PASSES_H_
