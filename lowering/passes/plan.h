// Plan: a ProgramSpec while it is built: every value has an allocation of its own and copies are
// explicit; then copies that can be avoided are, and temps get places in the arenas.
#ifndef HALYARD_LOWERING_PASSES_PLAN_H_
#define HALYARD_LOWERING_PASSES_PLAN_H_

#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "frontend/hlo/module.h"
#include "lowering/passes/compile_plan.h"
#include "runtime/program_spec.h"

namespace halyard::lowering {

// One use of a kernel computation; `spec.kernels` has an entry per request only at the end.
struct PlannedKernel {
  const hlo::Instruction* fusion = nullptr;
  std::string name, hlo;
  bool on_host = false;
  // {output, input}: the output's element i is written by who reads the input's element i, and
  // nobody else reads that.
  std::vector<std::pair<int32_t, int32_t>> may_alias;
  std::vector<std::pair<int32_t, int32_t>> must_alias;  // sequences
};

struct Plan {
  ProgramSpec spec;  // Step::kernel indexes `kernels` until FinishKernels
  std::vector<PlannedKernel> kernels;
  std::vector<const hlo::Instruction*> sources;  // per allocation; may be null
  bool one_memory = true;                        // host and device space are the same memory (x86)
  // {parameter allocation, result allocation}: the caller wants them to share.
  std::vector<std::pair<int32_t, int32_t>> donations;
};

// Steps of the fused module's entry and of the loops and branches below it.
absl::Status BuildSteps(const hlo::Module& module, const PlanOptions& options, Plan* plan);

// Merges allocations that copies connect, where their lifetimes allow, and drops those copies.
// Decides donations.
void CoalesceCopies(Plan* plan);

// Drops unused allocations, places temps in the arenas, checks the device's limits. `reuse`: temps
// that do not live at the same time may have the same place.
absl::Status AssignMemory(Plan* plan, bool reuse);

// Equal requests become one kernel.
absl::Status FinishKernels(const PlanOptions& options, Plan* plan);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_PLAN_H_
