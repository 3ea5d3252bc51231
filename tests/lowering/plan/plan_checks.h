// Parses a program, plans it, runs the plan in the interpreter, and compares the result with the
// evaluator on the original program.
#ifndef HALYARD_TESTS_LOWERING_PLAN_PLAN_CHECKS_H_
#define HALYARD_TESTS_LOWERING_PLAN_PLAN_CHECKS_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/plan/compile_plan.h"

namespace halyard::lowering {

// Each adds test failures, with the program's text, if anything goes wrong.
std::unique_ptr<hlo::Module> Parse(absl::string_view hlo_text);
PlanOptions X86Options();
PlanOptions VulkanOptions();
// Returns the plan, or an empty one after a failure.
ProgramSpec PlanOf(const hlo::Module& module, const PlanOptions& options);
// Makes arguments from `seed`. Results must be equal bit by bit, on x86, on Vulkan, unfused, and
// with donated parameters.
void ExpectPlanComputesTheSame(const hlo::Module& module, uint32_t seed = 1);
// Does the same under `options` alone.
void ExpectPlanComputesTheSame(const hlo::Module& module, const PlanOptions& options,
                               uint32_t seed = 1);
void ExpectPlanComputesTheSame(absl::string_view hlo_text, uint32_t seed = 1);

// Fills an array of any type with numbers whose sums of products are exact, up to some hundred of
// them: integers, or eighths in floats of 32 bits and more.
hlo::Literal ExactNumbers(const hlo::Shape& shape);

int CountSteps(const ProgramSpec& spec, ProgramSpec::Step::Kind kind);
std::string DescribePlan(const ProgramSpec& spec);

}  // namespace halyard::lowering

#endif  // HALYARD_TESTS_LOWERING_PLAN_PLAN_CHECKS_H_
