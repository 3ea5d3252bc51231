#include "lowering/transform.h"

#include "lowering/emitter.h"

namespace halyard::lowering {

using Halide::Expr;

// Each result times its factor, and real and imaginary parts interleaved: all of them are choices
// by constants once `part` and `k` are unrolled.
void LoweredKernel::BuildTransform() {
  const Halide::Var q = axes[0].var, k = axes[1].var, p = axes[2].var, b = axes[3].var;
  Transform& t = *transform;
  Transform::Parts values = t.load(q, p, b);
  if (t.factors) {
    t.factor_func = Halide::Func("factors");
    t.factor_func(p) = Halide::Tuple(t.factors(p));
  }
  for (size_t s = 0; s < t.stages.size(); ++s) {
    values = t.stages[s](values);
    if (s + 1 == t.stages.size() && t.factors) {
      for (int64_t i = 1; i < t.radix; ++i) {
        const Expr re = t.factor_func(p)[2 * i - 2], im = t.factor_func(p)[2 * i - 1];
        const Expr x = values[2 * i], y = values[2 * i + 1];
        values[2 * i] = x * re - y * im;
        values[2 * i + 1] = x * im + y * re;
      }
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

}  // namespace halyard::lowering
