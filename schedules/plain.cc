// plain: accepts every kernel except sequences. Heroes are computed whole before the output, in
// vectors where the fastest axis allows. This is the template that always works, when no other one
// fits.

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::TailStrategy;
using Halide::Var;
using lowering::Axis;
using lowering::LoweredKernel;

namespace {

bool Accepts(const LoweredKernel& kernel) {
  return kernel.sequence == nullptr && kernel.transform == nullptr;
}

Schedule Defaults(const LoweredKernel& kernel) {
  Schedule schedule("plain");
  if (IsGpu(kernel)) return schedule.Set("threads", GpuThreads(kernel, 64));
  return schedule.Set("vec", VectorLanes(kernel));
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  if (IsGpu(kernel)) return {{"threads", PowersOfTwo(32, GpuThreads(kernel, 256))}};
  return {{"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))}};
}

void ScheduleStage(LoweredKernel& kernel, Halide::Func& func, const std::vector<Axis>& axes,
                   const Schedule& schedule, int64_t work) {
  if (IsGpu(kernel)) {
    GpuElementPerThread(kernel, func, axes, schedule.Get("threads"));
    return;
  }
  if (axes.empty()) return;
  const int vec = static_cast<int>(schedule.Get("vec"));
  const bool vectors = vec > 1 && axes[0].extent >= vec;
  const bool parallel = axes.size() > 1 && axes.back().extent > 1 && Product(axes) * work > 65536;
  if (vectors) func.vectorize(axes[0].var, vec, TailStrategy::GuardWithIf);
  if (parallel) func.parallel(axes.back().var);
  for (int s = 0; s < func.num_update_definitions(); ++s) {
    if (vectors) func.update(s).vectorize(axes[0].var, vec, TailStrategy::GuardWithIf);
    if (parallel) func.update(s).parallel(axes.back().var);
  }
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  kernel.BuildRow(
      [&](lowering::Hero& hero) {
        kernel.DefineHero(hero);
        hero.result.compute_root();
        ScheduleStage(kernel, hero.result, hero.axes, schedule, Product(hero.reduce_extents));
      },
      [&](lowering::RowValue& value) {
        value.func.compute_root();
        ScheduleStage(kernel, value.func, value.axes, schedule, 1);
      });
  kernel.BuildOutput();
  ScheduleStage(kernel, kernel.output, kernel.axes, schedule, 1);
}

}  // namespace

const Template kPlainTemplate = {"plain", Accepts, Defaults, Space, Apply};

}  // namespace halyard::schedules
