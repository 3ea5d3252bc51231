// window: each output folds a small neighbourhood (pooling, depthwise convolution, and contractions
// whose factors share the fastest axis). CPU: outputs in vectors, the window walked inside. GPU: a
// thread per output.

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::TailStrategy;
using Halide::Var;
using lowering::Hero;
using lowering::LoweredKernel;

namespace {

bool Accepts(const LoweredKernel& kernel) {
  return kernel.heroes.size() == 1 && !kernel.row_fusion && kernel.direct_epilogue &&
         !kernel.axes.empty() && Product(kernel.heroes[0]->reduce_extents) > 0 &&
         !(LimitsSteps(kernel) && Product(kernel.heroes[0]->reduce_extents) > kMaxLaunchSteps);
}

Schedule Defaults(const LoweredKernel& kernel) {
  Schedule schedule("window");
  if (IsGpu(kernel)) return schedule.Set("threads", GpuThreads(kernel, 128));
  return schedule.Set("vec", VectorLanes(kernel)).Set("grain", 65536);
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  if (IsGpu(kernel)) return {{"threads", PowersOfTwo(32, GpuThreads(kernel, 512))}};
  return {{"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))}, {"grain", PowersOfTwo(4096, 1 << 20)}};
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  Hero& hero = *kernel.heroes[0];
  kernel.DefineHero(hero);
  kernel.BuildOutput();
  Halide::Func& out = kernel.output;
  if (IsGpu(kernel)) {
    const Var thread = GpuElementPerThread(kernel, out, kernel.axes, schedule.Get("threads"));
    hero.result.compute_at(out, thread);
    return;
  }
  const int64_t extent = kernel.axes[0].extent, vec = schedule.Get("vec");
  std::vector<Var> outer;
  for (const lowering::Axis& axis : kernel.axes) outer.push_back(axis.var);
  int64_t steps = Product(kernel.axes);
  const bool vectors =
      vec > 1 && extent >= vec && Tail(kernel, extent, vec) != TailStrategy::GuardWithIf;
  if (vectors) {
    Var block("block"), lane("lane");
    out.split(kernel.axes[0].var, block, lane, static_cast<int>(vec), Tail(kernel, extent, vec))
        .vectorize(lane);
    outer[0] = block;
    steps = Product(kernel.axes, 1) * ((extent + vec - 1) / vec);
  }
  const int64_t work = (vectors ? vec : 1) * Product(hero.reduce_extents);
  const int64_t per_task =
      std::clamp<int64_t>(schedule.Get("grain") / std::max<int64_t>(1, work), 1, steps);
  Var fused = FuseVars(out, outer), task("task"), step("step");
  out.split(fused, task, step, static_cast<int>(per_task), TailStrategy::GuardWithIf);
  if (steps > per_task) out.parallel(task);
  hero.result.compute_at(out, step);
  if (vectors) {
    hero.result.vectorize(hero.axes[0].var, static_cast<int>(vec), TailStrategy::RoundUp);
    Halide::Stage update = hero.result.update();
    std::vector<Halide::VarOrRVar> order = {hero.axes[0].var};
    for (const Halide::Internal::ReductionVariable& r : update.get_schedule().rvars())
      order.push_back(Halide::RVar(r.var));
    update.reorder(order).vectorize(hero.axes[0].var, static_cast<int>(vec), TailStrategy::RoundUp);
  }
}

}  // namespace

const Template kWindowTemplate = {"window", Accepts, Defaults, Space, Apply};

}  // namespace halyard::schedules
