// transform: one pass of a Fourier transform, y(part, q, k, p, b): butterflies (q, p, b) of all k.
//
// CPU: butterflies lie side by side in the lanes of vectors, along q if it has more than one place,
// else along p or b. All values of a butterfly are in registers or on the stack. The factors depend
// only on p, so they are computed outside the loop over q. GPU: a thread does a butterfly.

#include <algorithm>

#include "schedules/fourier/lanes.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::Transform;

namespace {

bool Accepts(const LoweredKernel& kernel) { return !kernel.As<Transform>().IsLine(); }

// The axes q, p and b, which number butterflies, as places among the output's axes.
constexpr int kQ = 0, kP = 2, kB = 3;

// The number of values that make a task: about 20 µs.
constexpr int64_t kGrain = 32768;

Schedule GpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kTransform.name).Set("threads", GpuThreads(kernel, 64));
}

std::vector<Knob> GpuSpace(const LoweredKernel& kernel) {
  return {{"threads", PowersOfTwo(32, GpuThreads(kernel, 256))}};
}

Schedule CpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kTransform.name).Set("vec", ButterflyLanes(kernel)).Set("grain", kGrain);
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  return {{"vec", PowersOfTwo(1, 2 * ButterflyLanes(kernel))},
          {"grain", PowersOfTwo(1024, 1 << 20)}};
}

void ApplyOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  const std::vector<Axis> axes = kernel.axes;
  kernel.BuildTransform();
  Transform& transform = kernel.As<Transform>();
  Func& out = kernel.output;
  const std::vector<Axis> butterflies = {axes[kQ], axes[kP], axes[kB]};
  const Var part = kernel.axes[0].var;
  out.reorder(part, axes[1].var, axes[kQ].var, axes[kP].var, axes[kB].var);
  out.unroll(part).unroll(axes[1].var);
  const Var thread = GpuElementPerThread(kernel, out, butterflies, schedule.Get("threads"));
  for (Func& stage : transform.stage_funcs) stage.compute_at(out, thread);
  if (transform.factors) transform.factor_func.compute_at(out, thread);
}

void ApplyOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  const std::vector<Axis> axes = kernel.axes;
  kernel.BuildTransform();
  Func& out = kernel.output;
  Transform& transform = kernel.As<Transform>();
  const Var part = kernel.axes[0].var, k = axes[1].var;

  // The axis of the lanes, and the loops over what is left of q, p and b. Along p or b, elements
  // lie so far apart that it is done only if q has but one place.
  const int64_t vec = schedule.Get("vec");
  const bool along_p = axes[kP].extent >= std::min(vec, axes[kB].extent);
  const int along = axes[kQ].extent > 1 ? kQ : along_p ? kP : kB;
  int64_t lanes = vec;
  while (lanes > axes[along].extent) lanes /= 2;
  Var blocks("blocks"), lane("lane");
  out.split(axes[along].var, blocks, lane, static_cast<int>(lanes),
            Tail(kernel, axes[along].extent, lanes));
  auto loop = [&](int axis) { return axis == along ? blocks : axes[axis].var; };
  auto steps = [&](int axis) {
    return axis == along ? (axes[axis].extent + lanes - 1) / lanes : axes[axis].extent;
  };
  // Two loops: the inner one over q, the outer over p and b; or the other way round, where only q
  // gives enough tasks.
  const bool by_q = steps(kP) * steps(kB) < 8 && steps(kQ) > steps(kP) * steps(kB);
  out.reorder(part, k, lane, loop(kQ), loop(kP), loop(kB));
  Var pb("pb");
  out.fuse(loop(kP), loop(kB), pb);
  Var inner = loop(kQ), outer = pb;
  if (by_q) {
    out.reorder(pb, loop(kQ));
    std::swap(inner, outer);
  }
  out.vectorize(lane).unroll(k).unroll(part);
  const int64_t outer_steps = by_q ? steps(kQ) : steps(kP) * steps(kB);
  const int64_t work = Product(kernel.axes) / 2;
  if (work > 2 * schedule.Get("grain") && outer_steps > 1) {
    const int64_t per_task = std::max<int64_t>(1, outer_steps * schedule.Get("grain") / work);
    Var task("task"), step("step");
    out.split(outer, task, step, static_cast<int>(per_task), TailStrategy::GuardWithIf)
        .parallel(task);
    outer = step;
  }
  const Var factor_loop = by_q ? inner : outer;
  for (Func& stage : transform.stage_funcs) {
    stage.compute_at(out, inner)
        .vectorize(stage.args()[along == kQ ? 0 : along - 1], static_cast<int>(lanes));
  }
  if (!transform.factors) return;
  transform.factor_func.compute_at(out, factor_loop);
  if (along == kP) {
    transform.factor_func.vectorize(transform.factor_func.args()[0], static_cast<int>(lanes));
  }
}

}  // namespace

const Template kTransformOnX86 = {.id = kTransform,
                                  .forms = SetOfForms<Transform>(),
                                  .device = DeviceClass::kX86,
                                  .accepts = Accepts,
                                  .defaults = CpuDefaults,
                                  .space = CpuSpace,
                                  .apply = ApplyOnCpu};
const Template kTransformOnGpu = {.id = kTransform,
                                  .forms = SetOfForms<Transform>(),
                                  .device = DeviceClass::kGpu,
                                  .accepts = Accepts,
                                  .defaults = GpuDefaults,
                                  .space = GpuSpace,
                                  .apply = ApplyOnGpu};

}  // namespace halyard::schedules
