// The evaluator with rounding noise, which shows how far results may move when every inexact op is
// slightly off.
#ifndef HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_
#define HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::testing {

// The values of the entry's instructions, by name.
using Values = std::map<std::string, hlo::Literal>;

struct Noise {
  // The results of inexact ops (transcendentals, sums, products of matrices, complex arithmetic)
  // are moved by up to this many units in the last place, and NaNs of all ops get any sign.
  double units = 0;
  uint32_t seed = 0;
  // Arithmetic on f32, bf16 and f64 takes denormals for zeros, and makes zeros of denormal results.
  bool flush = false;

  auto operator<=>(const Noise&) const = default;
};

// Without noise, returns the evaluator's own results. With noise, the ops of loops, branches and
// calls are off, too. Those of other computations (a reduction's) are off together with the op that
// calls them.
absl::StatusOr<Values> Evaluate(const hlo::Module& module, absl::Span<const hlo::Literal> arguments,
                                const Noise& noise = {});

// Returns whether the op needs no arithmetic, so that denormals pass through it.
bool MovesOnly(const hlo::Instruction& instruction);

// Returns whether the result depends on an inexact op. Otherwise, its bits are defined.
bool IsInexact(const hlo::Instruction& instruction);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_NOISY_EVALUATOR_H_
