// The decisions that a program leaves: for each, what is decided now and what else there is.
#ifndef HALYARD_LOWERING_PASSES_DECISIONS_H_
#define HALYARD_LOWERING_PASSES_DECISIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/module.h"
#include "lowering/passes/choices.h"
#include "lowering/passes/compile_plan.h"
#include "lowering/passes/fusion_group.h"

namespace halyard::lowering {

struct Decision {
  std::string name;                 // as in choices.h
  std::string instruction;          // "exponential exp.3 f32[8,16]"
  std::string now;                  // a line of choices.h that says what is so without it
  std::vector<std::string> others;  // lines that lead to other kernels
  // Kernels that compute the value or read it, as they are now: their root's name.
  std::vector<std::string> kernels;
};

// Under the choices that count (ChoicesFor); the decisions that those leave as well as those that they make. In the
// order of the canonical module, callees first. Errors: PlanProgram's.
absl::StatusOr<std::vector<Decision>> ListDecisions(const hlo::Module& module,
                                                    const PlanOptions& options);

// As text to edit and to give to --choices: what is so, each with what else there is behind `#`.
std::string DecisionsText(const std::vector<Decision>& decisions);

// Whether a search should try to place `inst` elsewhere: not constants, iotas, scalars, and what is
// broadcast, which cost next to nothing wherever they are.
bool IsWorthDeciding(const hlo::Instruction& inst);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_DECISIONS_H_
