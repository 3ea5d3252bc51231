// A Plan is a ProgramSpec while it is built. At first, every value has its own allocation, and
// copies are explicit. Then copies that can be avoided are removed, and temporaries get places in
// the arenas.
#ifndef HALYARD_LOWERING_PLAN_STEPS_PLAN_H_
#define HALYARD_LOWERING_PLAN_STEPS_PLAN_H_

#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/compile_plan.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering {

// One use of a kernel computation. Only at the end does `spec.kernels` have one entry for each
// request.
struct PlannedKernel {
  const hlo::Instruction* fusion = nullptr;
  std::string name, hlo;
  bool on_host = false;
  // {output, input}: only the element of the output with the same index needs element i of the
  // input, and nobody else reads it.
  std::vector<std::pair<int32_t, int32_t>> may_alias;
  std::vector<std::pair<int32_t, int32_t>> must_alias;  // sequences
};

struct Plan {
  ProgramSpec spec;  // Step::kernel indexes `kernels` until FinishKernels
  std::vector<PlannedKernel> kernels;
  std::vector<const hlo::Instruction*> sources;  // one for each allocation; may be null
  bool one_memory = true;                        // whether host and device space are the same
                                                 // memory (x86)
  // {parameter allocation, result allocation}: the caller wants them to share memory.
  std::vector<std::pair<int32_t, int32_t>> donations;
};

// Makes the steps of the fused module's entry and of the loops and branches below it.
absl::Status BuildSteps(const hlo::Module& module, const PlanOptions& options, Plan* plan);

// Merges allocations that copies connect, where their lifetimes allow it, and drops those copies.
// Decides donations.
void CoalesceCopies(Plan* plan);

// Drops unused allocations, places temporaries in the arenas, and checks the device's limits. With
// `reuse`, temporaries that do not live at the same time may have the same place.
absl::Status AssignMemory(Plan* plan, bool reuse);

// Turns equal requests into one kernel.
absl::Status FinishKernels(const PlanOptions& options, Plan* plan);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_PLAN_H_
