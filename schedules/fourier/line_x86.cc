// fourier_line on x86: whole lines of a Fourier transform (lowering/kernels/fourier/define.h), each
// by one core. What is between passes stays in its caches.
//
// Vectors hold neighbouring butterflies. Those of the first pass have the same result at places a
// radix apart, and the second pass reads these where they are neighbours: so only the first pass
// stores the lanes of a vector apart. From then on, neighbours remain neighbours, because the first
// radix is a multiple of the lanes (FitsFourierLine).

#include <algorithm>

#include "schedules/fourier/lanes.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::TailStrategy;
using lowering::FourierRadices;
using lowering::Transform;

namespace {

// The number of values that make a task: about 20 µs.
constexpr int64_t kGrain = 16384;

bool Accepts(const LoweredKernel& kernel) { return kernel.As<Transform>().IsLine(); }

int64_t Lines(const LoweredKernel& kernel) { return kernel.axes[3].extent; }

Schedule Defaults(const LoweredKernel& kernel) {
  const int64_t n = kernel.As<Transform>().radix;
  return Schedule(kFourierLine.name)
      .Set("vec", ButterflyLanes(kernel))
      .Set("lines", std::clamp<int64_t>(kGrain / n, 1, Lines(kernel)));
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  return {{"vec", PowersOfTwo(1, ButterflyLanes(kernel))},
          {"lines", Choices(PowersOfTwo(1, 256), Lines(kernel), Defaults(kernel).Get("lines"))}};
}

// `func` over u: vectors of butterflies, whose values `inner` are unrolled.
void Vectors(Func& func, const std::vector<Var>& inner, const Var& u, const std::vector<Var>& outer,
             Transform::Pass& pass, int64_t vec) {
  const Var step("step"), lane("lane");
  int64_t lanes = vec;
  while (pass.butterflies % lanes != 0) lanes /= 2;
  func.split(u, step, lane, static_cast<int>(lanes), TailStrategy::RoundUp);
  std::vector<VarOrRVar> order(inner.begin(), inner.end());
  for (const Var& var : {lane, step}) order.emplace_back(var);
  order.insert(order.end(), outer.begin(), outer.end());
  func.reorder(order).vectorize(lane);
  for (const Var& var : inner) func.unroll(var);
  for (Func& stage : pass.stage_funcs)
    stage.compute_at(func, step).vectorize(stage.args()[0], static_cast<int>(lanes));
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  const int64_t vec = schedule.Get("vec"), lines = schedule.Get("lines"), all = Lines(kernel);
  kernel.BuildFourierLine(FourierRadices(kernel.As<Transform>().radix));
  Transform& transform = kernel.As<Transform>();
  Func& out = kernel.output;
  // (part, q, u, k, b)
  const Var part = kernel.axes[0].var, q = kernel.axes[1].var, u = kernel.axes[2].var,
            k = kernel.axes[3].var, b = kernel.axes[4].var;
  const Var task("task"), line("line");
  Vectors(out, {part, k}, u, {q, b}, transform.passes.back(), vec);
  out.split(b, task, line, static_cast<int>(lines), Tail(kernel, all, lines));
  if (all > lines) out.parallel(task);
  for (size_t p = 0; p + 1 < transform.passes.size(); ++p) {
    Transform::Pass& pass = transform.passes[p];
    Func& stored = pass.stored;
    const std::vector<Var> args = stored.args();  // k, u, q, b
    stored.compute_at(out, line)
        .bound(args[0], 0, static_cast<int>(pass.radix))
        .bound(args[1], 0, static_cast<int>(pass.butterflies));
    if (p > 0) stored.reorder_storage({args[1], args[0], args[2], args[3]});
    Vectors(stored, {args[0]}, args[1], {args[2], args[3]}, pass, vec);
  }
}

}  // namespace

const Template kFourierLineOnX86 = {.id = kFourierLine,
                                    .forms = SetOfForms<Transform>(),
                                    .device = DeviceClass::kX86,
                                    .accepts = Accepts,
                                    .defaults = Defaults,
                                    .space = Space,
                                    .apply = Apply};

}  // namespace halyard::schedules
