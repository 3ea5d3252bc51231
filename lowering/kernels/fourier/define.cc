#include "lowering/kernels/fourier/define.h"

#include "lowering/kernels/emitter.h"
#include "lowering/numerics/float_ops.h"

namespace halyard::lowering {

using Halide::Expr;
using numerics::Fp;

namespace {

// Multiplies results 1, 2, … by their factors.
void MultiplyResults(const Transform::Parts& factors, Transform::Parts* values) {
  for (size_t i = 2; i < values->size(); i += 2) {
    const Fp re{factors[i - 2]}, im{factors[i - 1]};
    const Fp x{(*values)[i]}, y{(*values)[i + 1]};
    (*values)[i] = SubtractProduct(y, im, x * re).e;
    (*values)[i + 1] = MultiplyAdd(y, re, x * im).e;
  }
}

}  // namespace

// Each result times its factor, and real and imaginary parts interleaved: all of them are choices
// by constants once `part` and `k` are unrolled.
void LoweredKernel::BuildTransform() {
  const Halide::Var q = axes[0].var, k = axes[1].var, p = axes[2].var, b = axes[3].var;
  Transform& t = As<Transform>();
  Transform::Parts values;
  for (int32_t j = 0; j < static_cast<int32_t>(t.radix); ++j) {
    const Transform::Parts element = t.load(q, j, p, b);
    values.insert(values.end(), element.begin(), element.end());
  }
  if (t.factors) {
    t.factor_func = Halide::Func("factors");
    t.factor_func(p) = Halide::Tuple(t.factors(p));
  }
  const std::vector<Transform::Stage> stages = t.stages(t.radix);
  for (size_t s = 0; s < stages.size(); ++s) {
    values = stages[s](values);
    if (s + 1 == stages.size() && t.factors) {
      Transform::Parts factors;
      for (int i = 0; i < 2 * static_cast<int>(t.radix) - 2; ++i) {
        factors.push_back(t.factor_func(p)[i]);
      }
      MultiplyResults(factors, &values);
    }
    Halide::Func stage("stage" + std::to_string(s));
    stage(q, p, b) = Halide::Tuple(values);
    t.stage_funcs.push_back(stage);
    for (int i = 0; i < static_cast<int>(values.size()); ++i) values[i] = stage(q, p, b)[i];
  }
  const Halide::Var part("part");
  axes.insert(axes.begin(), {part, 2});
  output = Halide::Func("out");
  output(VarsOf(axes)) = Halide::mux(part + 2 * k, values);
  SetOutputBounds();
}

// Stockham's autosorting passes over a line of n elements. Before a pass of radix r, whose s is the
// product of the radices before it, butterfly u takes elements u + j·n/r; its k-th result becomes
// element (u / s)·r·s + k·s + u % s, times the (u / s)·s·k-th of the n-th roots.
void LoweredKernel::BuildFourierLine(const std::vector<int64_t>& radices) {
  Transform& t = As<Transform>();
  const Halide::Var q = axes[0].var, b = axes[3].var, k("k"), u("u"), part("part");
  const int32_t n = static_cast<int32_t>(t.radix);
  int32_t s = 1;
  Transform::Parts values;
  for (const int64_t radix : radices) {
    const int32_t r = static_cast<int32_t>(radix), butterflies = n / r;
    values.clear();
    for (int32_t j = 0; j < r; ++j) {
      Transform::Parts element;
      if (t.passes.empty()) {
        element = t.load(q, u + j * butterflies, 0, b);
      } else {
        // n / r is a multiple of s, the product of `from`'s radix and what was before it.
        const Transform::Pass& from = t.passes.back();
        const int32_t before = s / static_cast<int32_t>(from.radix);
        element = CallElements(from.stored,
                               {(u / before) % static_cast<int32_t>(from.radix),
                                (u / s + j * (butterflies / s)) * before + u % before, q, b});
      }
      values.insert(values.end(), element.begin(), element.end());
    }
    Transform::Pass pass;
    pass.radix = radix;
    pass.butterflies = butterflies;
    const bool last = butterflies == s;
    const std::vector<Transform::Stage> stages = t.stages(radix);
    for (size_t i = 0; i < stages.size(); ++i) {
      values = stages[i](values);
      if (i + 1 == stages.size() && !last) MultiplyResults(t.root_powers(u / s * s, r), &values);
      Halide::Func stage("stage" + std::to_string(t.passes.size()) + "_" + std::to_string(i));
      stage(u, q, b) = Halide::Tuple(values);
      pass.stage_funcs.push_back(stage);
      for (int v = 0; v < 2 * r; ++v) values[v] = stage(u, q, b)[v];
    }
    if (!last) {
      pass.stored = Halide::Func("line" + std::to_string(t.passes.size()));
      pass.stored(k, u, q, b) =
          Halide::Tuple(Halide::mux(2 * k, values), Halide::mux(2 * k + 1, values));
    }
    t.passes.push_back(pass);
    s *= r;
  }
  // The last pass's results lie n / r elements apart: the line as two axes.
  const Transform::Pass& last = t.passes.back();
  axes = {{part, 2}, axes[0], {u, last.butterflies}, {k, last.radix}, axes[3]};
  output = Halide::Func("out");
  output(VarsOf(axes)) = Halide::mux(part + 2 * k, values);
  SetOutputBounds();
}

}  // namespace halyard::lowering
