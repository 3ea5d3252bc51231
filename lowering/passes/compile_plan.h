// From a verified module to a Program without its kernels' code: the passes, in order.
#ifndef HALYARD_LOWERING_PASSES_COMPILE_PLAN_H_
#define HALYARD_LOWERING_PASSES_COMPILE_PLAN_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "frontend/hlo/module.h"
#include "lowering/passes/choices.h"
#include "lowering/passes/rewrites.h"
#include "runtime/device_info.h"
#include "runtime/program_spec.h"

namespace halyard::lowering {

struct PlanOptions {
  runtime::DeviceInfo device;  // the target
  runtime::DeviceInfo host;    // x86: where host-placed scalars run (for an x86 target: unused)
  std::string target;          // as the user wrote it
  bool fuse = true;  // false: one kernel per instruction (for --compare=reference and tests)
  bool attention = true;  // false: attention is kernels as any other ops, its scores in memory
  RewriteSet without;     // rewrites that are left out
  // Program-level choices (choices.h); "": what `find_choices` says, and without it the rules. A
  // comment alone ("#"): the rules.
  std::string choices;
  // Is told the program's ProgramKey; gives choices, or "". Not asked where `fuse` is false.
  std::function<absl::StatusOr<std::string>(const std::string& key)> find_choices;
  // Called after each pass with its name and the module as it stands.
  std::function<void(const char* pass, const hlo::Module& module)> on_pass;
};

// The passes before form_attention: the module whose canonical names choices go by.
absl::StatusOr<std::unique_ptr<hlo::Module>> PrepareModule(const hlo::Module& module,
                                                           const PlanOptions& options);
// The choices that count for what PrepareModule gave: options.choices, or those found; by the
// instructions' own names.
absl::StatusOr<PlanChoices> ChoicesFor(const hlo::Module& prepared, const PlanOptions& options);
// The rest, of what PrepareModule gave.
absl::StatusOr<ProgramSpec> PlanPrepared(hlo::Module& module, const PlanOptions& options);

// inline calls and fusions → expand (ops without a kernel of their own) → simplify → fuse → outline
// kernels → place → schedule steps → plan memory. Every kernel's `request` is filled in
// (KernelRequest::Serialize; `schedule` empty), equal requests share one kernel, and `object` is
// empty. Constants over 64 bytes are ProgramSpec::constants, never in a request.
absl::StatusOr<ProgramSpec> PlanProgram(const hlo::Module& module, const PlanOptions& options);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_COMPILE_PLAN_H_
