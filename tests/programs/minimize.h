// Reduces a program that fails to a smaller one.
#ifndef HALYARD_TESTS_PROGRAMS_MINIMIZE_H_
#define HALYARD_TESTS_PROGRAMS_MINIMIZE_H_

#include <functional>
#include <memory>
#include <vector>

#include "frontend/hlo/ir/module.h"

namespace halyard::testing {

struct Program {
  std::unique_ptr<hlo::Module> module;
  std::vector<hlo::Literal> arguments;
};

// Tries fewer results, and parameters in place of instructions (with the values that the evaluator
// gives them), as long as `fails` holds. Makes at most `max_trials` trials.
Program Minimize(const Program& program, const std::function<bool(const Program&)>& fails,
                 int max_trials = 150);

// Returns HLO text, followed by the arguments as comments.
std::string ToText(const Program& program);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_MINIMIZE_H_
