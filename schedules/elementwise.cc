// elementwise: no hero; every output element on its own.
//
// CPU: the fastest axis in vectors, `grain` elements to a task. Transposes: square tiles, so that
// both sides' cache lines are used whole. GPUs: elementwise_gpu.cc.

#include "schedules/elementwise.h"

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using Halide::Var;
using lowering::Axis;
using lowering::LoweredKernel;

namespace {

bool Accepts(const LoweredKernel& kernel) {
  return kernel.heroes.empty() && kernel.sequence == nullptr && kernel.transform == nullptr;
}

// Elements whose work is worth a task: some 20 µs.
int64_t DefaultGrain(const LoweredKernel& kernel) {
  const int64_t cost = 1 + kernel.op_count / 4;
  int64_t grain = 1024;
  while (grain * cost < 65536) grain *= 2;
  return grain;
}

Schedule Defaults(const LoweredKernel& kernel) {
  if (IsGpu(kernel)) return GpuElementwiseDefaults(kernel);
  Schedule schedule("elementwise");
  schedule.Set("vec", VectorLanes(kernel)).Set("grain", DefaultGrain(kernel));
  if (kernel.transposed_axis > 0) schedule.Set("tile", 16);
  return schedule;
}

std::vector<Knob> Space(const LoweredKernel& kernel) {
  if (IsGpu(kernel)) return GpuElementwiseSpace(kernel);
  const Schedule defaults = Defaults(kernel);
  std::vector<Knob> knobs = {
      {"vec", PowersOfTwo(1, 4 * VectorLanes(kernel))},
      {"grain", Choices(PowersOfTwo(1024, 1 << 20), 1 << 20, defaults.Get("grain"))}};
  if (kernel.transposed_axis > 0) knobs.push_back({"tile", {4, 8, 16, 32, 64}});
  return knobs;
}

void ApplyTransposed(LoweredKernel& kernel, const Schedule& schedule) {
  Halide::Func& out = kernel.output;
  const int tile = static_cast<int>(schedule.Get("tile"));
  const Axis &fast = kernel.axes[0], &other = kernel.axes[kernel.transposed_axis];
  Var fo("fo"), fi("fi"), oo("oo"), oi("oi");
  const int fast_tile = static_cast<int>(std::min<int64_t>(tile, fast.extent));
  const int other_tile = static_cast<int>(std::min<int64_t>(tile, other.extent));
  out.split(fast.var, fo, fi, fast_tile, Tail(kernel, fast.extent, fast_tile));
  out.split(other.var, oo, oi, other_tile, Tail(kernel, other.extent, other_tile));
  std::vector<Halide::VarOrRVar> order = {fi, oi, fo, oo};
  std::vector<Var> outer = {oo};
  for (size_t a = 1; a < kernel.axes.size(); ++a) {
    if (static_cast<int>(a) == kernel.transposed_axis) continue;
    order.push_back(kernel.axes[a].var);
    outer.push_back(kernel.axes[a].var);
  }
  out.reorder(order);
  if (fast_tile >= 4) out.vectorize(fi);
  const int64_t steps = Product(kernel.axes) / std::max<int64_t>(1, fast.extent * other_tile);
  if (Product(kernel.axes) > schedule.Get("grain")) {
    ParallelOuter(out, outer, std::max<int64_t>(2, steps),
                  std::max<int64_t>(
                      1, schedule.Get("grain") / std::max<int64_t>(1, fast.extent * other_tile)));
  }
}

void Apply(LoweredKernel& kernel, const Schedule& schedule) {
  kernel.BuildOutput();
  Halide::Func& out = kernel.output;
  if (kernel.axes.empty()) {
    if (IsGpu(kernel)) out.gpu_single_thread();
    return;
  }
  if (IsGpu(kernel)) return ApplyGpuElementwise(kernel, schedule);
  if (kernel.transposed_axis > 0) return ApplyTransposed(kernel, schedule);

  const int64_t vec = schedule.Get("vec"), grain = schedule.Get("grain"),
                total = Product(kernel.axes);
  // Short rows are joined until they fill a vector.
  Var row = kernel.axes[0].var;
  int64_t extent = kernel.axes[0].extent;
  size_t next = 1;
  while (extent < 2 * vec && next < kernel.axes.size()) {
    Var fused(UniqueName("row"));
    out.fuse(row, kernel.axes[next].var, fused);
    row = fused;
    extent *= kernel.axes[next++].extent;
  }
  std::vector<Var> outer;
  for (size_t a = next; a < kernel.axes.size(); ++a) outer.push_back(kernel.axes[a].var);
  const bool parallel = total > grain;
  if (parallel && extent >= 2 * grain) {
    Var chunk("chunk"), inner("inner");
    const Halide::TailStrategy tail = Tail(kernel, extent, grain);
    out.split(row, chunk, inner, static_cast<int>(grain), tail);
    // A chunk is whole vectors unless its end is guarded.
    if (vec > 1)
      out.vectorize(
          inner, static_cast<int>(vec),
          tail == Halide::TailStrategy::GuardWithIf ? tail : Halide::TailStrategy::RoundUp);
    outer.insert(outer.begin(), chunk);
    ParallelOuter(out, outer, total / grain, 1);
    return;
  }
  if (vec > 1 && extent >= vec)
    out.vectorize(row, static_cast<int>(vec), Tail(kernel, extent, vec));
  if (parallel)
    ParallelOuter(out, outer, total / std::max<int64_t>(1, extent),
                  std::max<int64_t>(1, grain / std::max<int64_t>(1, extent)));
}

}  // namespace

const Template kElementwiseTemplate = {"elementwise", Accepts, Defaults, Space, Apply};

}  // namespace halyard::schedules
