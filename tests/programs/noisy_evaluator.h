// The evaluator with rounding noise: how far results may move when every inexact op errs a little.
#ifndef HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_
#define HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"

namespace halyard::testing {

// Values of the entry's instructions, by name.
using Values = std::map<std::string, hlo::Literal>;

// noise 0: the evaluator's own results. Otherwise the results of inexact ops (transcendentals,
// sums, products of matrices, complex arithmetic) are moved by up to `noise` units in the last
// place, and NaNs of all ops get any sign.
absl::StatusOr<Values> Evaluate(const hlo::Module& module, absl::Span<const hlo::Literal> arguments,
                                double noise = 0, uint32_t seed = 0);

// Whether the result depends on an inexact op: otherwise its bits are defined.
bool IsInexact(const hlo::Instruction& instruction);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_
