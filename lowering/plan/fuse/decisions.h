// The decisions that a program leaves open, each with what is decided now and the alternatives.
#ifndef HALYARD_LOWERING_PLAN_FUSE_DECISIONS_H_
#define HALYARD_LOWERING_PLAN_FUSE_DECISIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/compile_plan.h"
#include "lowering/plan/fuse/choices.h"
#include "lowering/plan/fuse/fusion_group.h"

namespace halyard::lowering {

struct Decision {
  std::string name;                 // as in choices.h
  std::string instruction;          // "exponential exp.3 f32[8,16]"
  std::string now;                  // a line of choices.h that states the present decision
  std::vector<std::string> others;  // lines that lead to other kernels
  // The present kernels that compute or read the value, by the name of their root.
  std::vector<std::string> kernels;
};

// Lists the decisions under the choices that apply (ChoicesFor): those that the choices leave open
// and those that they make. They are in the order of the canonical module, callees first. Errors
// are those of PlanProgram.
absl::StatusOr<std::vector<Decision>> ListDecisions(const hlo::Module& module,
                                                    const PlanOptions& options);

// Returns text to edit and to give to --choices: each present decision, followed by its
// alternatives behind `#`.
std::string DecisionsText(const std::vector<Decision>& decisions);

// Returns whether a search should try to place `inst` elsewhere. It should not for constants,
// iotas, scalars, and broadcasts, which cost next to nothing wherever they are.
bool IsWorthDeciding(const hlo::Instruction& inst);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_FUSE_DECISIONS_H_
