// A Transform is a kernel that is one pass of a Fourier transform: many butterflies, each of
// `radix` complex values. Up to kMaxRadix, one thread computes a butterfly. Above, a butterfly is a
// whole line (form.h), which is computed in passes of smaller radices. schedules/ sees its
// extents and Funcs.
#ifndef HALYARD_LOWERING_KERNELS_FOURIER_DEFINE_H_
#define HALYARD_LOWERING_KERNELS_FOURIER_DEFINE_H_

#include <functional>
#include <vector>

#include "Halide.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/kernels/fourier/form.h"

namespace halyard::lowering {

// The output is y(q, k, p, b) in Halide's order: the k-th result of butterfly (q, p, b).
struct Transform {
  // Real and imaginary parts alternate.
  using Parts = std::vector<Halide::Expr>;
  using Stage = std::function<Parts(const Parts&)>;

  const hlo::Instruction* instruction = nullptr;
  int64_t radix = 1;
  // Returns the element (q, j, p, b) of the operand.
  std::function<Parts(const Halide::Expr& q, const Halide::Expr& j, const Halide::Expr& p,
                      const Halide::Expr& b)>
      load;
  // The butterfly of a radix up to kMaxRadix, as stages that follow each other.
  std::function<std::vector<Stage>(int64_t radix)> stages;
  // For radices up to kMaxRadix, the factors of results 1 … radix - 1, which depend on p only. If
  // unset, all are 1.
  std::function<Parts(const Halide::Expr& p)> factors;
  // For lines, the powers w, w², … of the k-th of the radix-th roots of one; there are `powers` of
  // them.
  std::function<Parts(const Halide::Expr& k, int64_t powers)> root_powers;

  bool IsLine() const { return radix > kMaxRadix; }

  // LoweredKernel::BuildTransform sets these. They are Tuples of all parts: over (q, p, b), where
  // each stage reads the one before; and over p, if there are factors.
  std::vector<Halide::Func> stage_funcs;
  Halide::Func factor_func;

  // LoweredKernel::BuildFourierLine sets this, for each pass in order.
  struct Pass {
    int64_t radix = 1, butterflies = 1;
    // Tuples of all parts over (u, q, b), where u is the butterfly of the line. The values of the
    // last Func are the pass's results.
    std::vector<Halide::Func> stage_funcs;
    // The results as a pair of parts, over (k, u, q, b), which the next pass reads. The last pass
    // has none, because its results are the output.
    Halide::Func stored;
  };
  std::vector<Pass> passes;
};

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_FOURIER_DEFINE_H_
