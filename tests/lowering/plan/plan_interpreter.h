// Runs a ProgramSpec on byte buffers that are laid out by its plan. The evaluator computes each
// kernel from its request's HLO. This finds wrong order, wrong sharing of memory and wrong kernels
// without generating code.
#ifndef HALYARD_TESTS_LOWERING_PLAN_PLAN_INTERPRETER_H_
#define HALYARD_TESTS_LOWERING_PLAN_PLAN_INTERPRETER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/values/literal.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering {

struct InterpreterOptions {
  bool donate = false;  // results take over the parameters that the plan says they may
};

// Takes one literal for each flattened parameter, and returns one for each flattened result.
absl::StatusOr<std::vector<hlo::Literal>> InterpretPlan(const ProgramSpec& spec,
                                                        absl::Span<const hlo::Literal> arguments,
                                                        const InterpreterOptions& options = {});

}  // namespace halyard::lowering

#endif  // HALYARD_TESTS_LOWERING_PLAN_PLAN_INTERPRETER_H_
