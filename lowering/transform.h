// Transform: a kernel that is one pass of a Fourier transform: many butterflies, each of `radix`
// complex values. What schedules/ sees of it: extents and Funcs.
#ifndef HALYARD_LOWERING_TRANSFORM_H_
#define HALYARD_LOWERING_TRANSFORM_H_

#include <functional>
#include <vector>

#include "Halide.h"
#include "frontend/hlo/module.h"

namespace halyard::lowering {

// Radices with butterflies of their own: 2 … 16 without the multiples of larger primes than 13.
inline constexpr int64_t kMaxRadix = 16;

// The output is y(q, k, p, b) in Halide's order: the k-th result of the butterfly (q, p, b).
struct Transform {
  // Real and imaginary parts, alternating.
  using Parts = std::vector<Halide::Expr>;

  const hlo::Instruction* instruction = nullptr;
  int64_t radix = 1;
  std::function<Parts(const Halide::Expr& q, const Halide::Expr& p, const Halide::Expr& b)> load;
  // The butterfly, one stage after the other.
  std::vector<std::function<Parts(const Parts&)>> stages;
  // The factors of results 1 … radix - 1, which depend on p only. Unset: all 1.
  std::function<Parts(const Halide::Expr& p)> factors;

  // Set by LoweredKernel::BuildTransform. Tuples of all parts: over (q, p, b), each stage reading
  // the one before; over p, if there are factors.
  std::vector<Halide::Func> stage_funcs;
  Halide::Func factor_func;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_TRANSFORM_H_
