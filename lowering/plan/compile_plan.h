// Runs the passes in order, from a verified module to a Program without the code of its kernels.
#ifndef HALYARD_LOWERING_PLAN_COMPILE_PLAN_H_
#define HALYARD_LOWERING_PLAN_COMPILE_PLAN_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/rewrites.h"
#include "runtime/device_info.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering {

struct PlanOptions {
  runtime::DeviceInfo device;  // the target
  runtime::DeviceInfo host;    // x86 device that runs host-placed scalars (not used for an x86
                               // target)
  std::string target;          // as the user wrote it
  bool fuse = true;  // false: one kernel for each instruction (for --compare=reference and tests)
  bool attention = true;  // false: attention becomes kernels like any other ops, with its scores in
                          // memory
  RewriteSet without;     // rewrites to leave out
  // Program-level choices (choices.h). "" stands for what `find_choices` returns, and without it
  // for the rules. A comment alone ("#") stands for the rules.
  std::string choices;
  // Called with the program's ProgramKey; returns choices, or "". Not called if `fuse` is false.
  std::function<absl::StatusOr<std::string>(const std::string& key)> find_choices;
  // Called after each pass with its name and the module.
  std::function<void(const char* pass, const hlo::Module& module)> on_pass;
};

// Runs the passes before form_attention. Choices refer to the canonical names of the resulting
// module.
absl::StatusOr<std::unique_ptr<hlo::Module>> PrepareModule(const hlo::Module& module,
                                                           const PlanOptions& options);
// Returns the choices that apply to the result of PrepareModule, by the instructions' own names:
// options.choices, or those found.
absl::StatusOr<PlanChoices> ChoicesFor(const hlo::Module& prepared, const PlanOptions& options);
// Makes kernels of the attention in the result of PrepareModule, as PlanPrepared does first, if the
// options want that.
absl::Status FormAttentionKernels(hlo::Module& module, const PlanOptions& options,
                                  const PlanChoices& choices);
// Plans the result of PrepareModule.
absl::StatusOr<ProgramSpec> PlanPrepared(hlo::Module& module, const PlanOptions& options);

// Runs all steps: inline calls and fusions → expand (ops without a kernel of their own) → simplify
// → fuse → outline kernels → place → schedule steps → plan memory. Fills in the `request` of every
// kernel (KernelRequest::Serialize, with an empty `schedule`). Equal requests share one kernel, and
// `object` is empty. Constants over 64 bytes are in ProgramSpec::constants and never in a request.
absl::StatusOr<ProgramSpec> PlanProgram(const hlo::Module& module, const PlanOptions& options);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_COMPILE_PLAN_H_
