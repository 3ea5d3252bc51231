// plain: accepts every kernel with heroes, or without any structure. Heroes are computed whole
// before the output, in vectors where the fastest axis allows. This is the template that always
// works, when no other one fits.

#include <algorithm>
#include <functional>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

namespace {

Schedule GpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kPlain.name).Set("threads", GpuThreads(kernel, 64));
}

std::vector<Knob> GpuSpace(const LoweredKernel& kernel) {
  return {{"threads", PowersOfTwo(32, GpuThreads(kernel, 256))}};
}

Schedule CpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kPlain.name).Set("vec", VectorLanes(kernel));
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  return {{"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))}};
}

// A Func over `axes`, and the number of steps that each element takes.
using StageScheduler =
    std::function<void(Halide::Func& func, const std::vector<Axis>& axes, int64_t work)>;

void ScheduleOnCpu(Halide::Func& func, const std::vector<Axis>& axes, const Schedule& schedule,
                   int64_t work) {
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

void Apply(LoweredKernel& kernel, const StageScheduler& schedule_stage) {
  kernel.BuildRow(
      [&](lowering::Hero& hero) {
        kernel.DefineHero(hero);
        hero.result.compute_root();
        schedule_stage(hero.result, hero.axes, Product(hero.reduce_extents));
      },
      [&](lowering::RowValue& value) {
        value.func.compute_root();
        schedule_stage(value.func, value.axes, 1);
      });
  kernel.BuildOutput();
  schedule_stage(kernel.output, kernel.axes, 1);
}

void ApplyOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  Apply(kernel, [&](Halide::Func& func, const std::vector<Axis>& axes, int64_t) {
    GpuElementPerThread(kernel, func, axes, schedule.Get("threads"));
  });
}

void ApplyOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  Apply(kernel, [&](Halide::Func& func, const std::vector<Axis>& axes, int64_t work) {
    ScheduleOnCpu(func, axes, schedule, work);
  });
}

}  // namespace

const Template kPlainOnX86 = {.id = kPlain,
                              .forms = kPlainForms,
                              .device = DeviceClass::kX86,
                              .defaults = CpuDefaults,
                              .space = CpuSpace,
                              .apply = ApplyOnCpu};
const Template kPlainOnGpu = {.id = kPlain,
                              .forms = kPlainForms,
                              .device = DeviceClass::kGpu,
                              .defaults = GpuDefaults,
                              .space = GpuSpace,
                              .apply = ApplyOnGpu};

}  // namespace halyard::schedules
