// The evaluator with rounding noise: how far results may move when every inexact op errs a little.
#ifndef HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_
#define HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"

namespace halyard::testing {

// Values of the entry's instructions, by name.
using Values = std::map<std::string, hlo::Literal>;

struct Noise {
  // The results of inexact ops (transcendentals, sums, products of matrices, complex arithmetic)
  // are moved by up to so many units in the last place, and NaNs of all ops get any sign.
  double units = 0;
  uint32_t seed = 0;
  // Arithmetic on f32, bf16 and f64 takes denormals for zeros, and makes zeros of them.
  bool flush = false;

  auto operator<=>(const Noise&) const = default;
};

// Without noise: the evaluator's own results. With it, the ops of loops, branches and calls err,
// too; those of other computations (a reduction's) do with the op that calls them.
absl::StatusOr<Values> Evaluate(const hlo::Module& module, absl::Span<const hlo::Literal> arguments,
                                const Noise& noise = {});

// Whether the result depends on an inexact op: otherwise its bits are defined.
bool IsInexact(const hlo::Instruction& instruction);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_
