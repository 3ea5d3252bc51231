// Transform: a kernel that is one pass of a Fourier transform: many butterflies, each of `radix`
// complex values. Up to kMaxRadix a butterfly is in one thread's hands; above, it is a whole line
// (fourier_line.h), done in passes of smaller radices. What schedules/ sees of it: extents and
// Funcs.
#ifndef HALYARD_LOWERING_TRANSFORM_H_
#define HALYARD_LOWERING_TRANSFORM_H_

#include <functional>
#include <vector>

#include "Halide.h"
#include "frontend/hlo/module.h"
#include "lowering/fourier_line.h"

namespace halyard::lowering {

// The output is y(q, k, p, b) in Halide's order: the k-th result of the butterfly (q, p, b).
struct Transform {
  // Real and imaginary parts, alternating.
  using Parts = std::vector<Halide::Expr>;
  using Stage = std::function<Parts(const Parts&)>;

  const hlo::Instruction* instruction = nullptr;
  int64_t radix = 1;
  // The element (q, j, p, b) of the operand.
  std::function<Parts(const Halide::Expr& q, const Halide::Expr& j, const Halide::Expr& p,
                      const Halide::Expr& b)>
      load;
  // The butterfly of a radix up to kMaxRadix, one stage after the other.
  std::function<std::vector<Stage>(int64_t radix)> stages;
  // Radices up to kMaxRadix: the factors of results 1 … radix - 1, which depend on p only. Unset:
  // all 1.
  std::function<Parts(const Halide::Expr& p)> factors;
  // Lines: w, w², … of the k-th of the radix-th roots of one, radix of them.
  std::function<Parts(const Halide::Expr& k, int64_t powers)> root_powers;

  bool IsLine() const { return radix > kMaxRadix; }

  // Set by LoweredKernel::BuildTransform. Tuples of all parts: over (q, p, b), each stage reading
  // the one before; over p, if there are factors.
  std::vector<Halide::Func> stage_funcs;
  Halide::Func factor_func;

  // Set by LoweredKernel::BuildFourierLine, for each pass in order.
  struct Pass {
    int64_t radix = 1, butterflies = 1;
    // Tuples of all parts over (u, q, b), butterfly u of the line; the last one's values are the
    // pass's results.
    std::vector<Halide::Func> stage_funcs;
    // The results as a pair of parts, over (k, u, q, b): what the next pass reads. The last pass
    // has none: its results are the output.
    Halide::Func stored;
  };
  std::vector<Pass> passes;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_TRANSFORM_H_
