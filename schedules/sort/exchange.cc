// exchange: passes of a sorting network over blocks of positions. One task does each block. GPU: a
// block is a workgroup's, and what is between passes is in shared memory; several short lines share
// a workgroup. CPU: blocks are in cache, with places side by side in vectors.

#include <algorithm>

#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::Exchange;

namespace {

constexpr int64_t kPlacesPerThread = 4;
// The number of places that make a task on CPUs.
constexpr int64_t kGrain = 16384;

int64_t DefaultThreads(const LoweredKernel& kernel) {
  return GpuThreads(kernel, std::max<int64_t>(1, kernel.As<Exchange>().block / kPlacesPerThread));
}

Schedule GpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kSortExchange.name).Set("threads", DefaultThreads(kernel));
}

std::vector<Knob> GpuSpace(const LoweredKernel& kernel) {
  return {{"threads", PowersOfTwo(1, GpuThreads(kernel, kernel.As<Exchange>().block))}};
}

Schedule CpuDefaults(const LoweredKernel& kernel) {
  return Schedule(kSortExchange.name)
      .Set("vec", std::min(VectorLanes(kernel), kernel.As<Exchange>().block))
      .Set("grain", kGrain);
}

std::vector<Knob> CpuSpace(const LoweredKernel& kernel) {
  const int64_t block = kernel.As<Exchange>().block;
  return {{"vec", PowersOfTwo(1, std::min(block, 2 * VectorLanes(kernel)))},
          {"grain", PowersOfTwo(1024, 1 << 20)}};
}

void ApplyOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  const int64_t threads = schedule.Get("threads");
  const std::vector<Axis> axes = kernel.axes;
  kernel.BuildExchange();
  Func& out = kernel.output;
  const int64_t size = kernel.As<Exchange>().block, blocks = (axes[0].extent + size - 1) / size;
  const int64_t per_thread = std::max<int64_t>(1, size / threads);
  const Var block("block"), place("in_block"), step("step"), thread("thread");
  const auto map = [&](Func& func, const Var& places) {
    func.split(places, step, thread, static_cast<int>(size / per_thread));
    return step;
  };
  out.split(axes[0].var, block, place, static_cast<int>(size),
            axes[0].extent % size == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  map(out, place);
  Var grid = block;
  int64_t groups = blocks;
  if (axes.size() > 1) {
    const Var fused("groups");
    out.reorder(step, thread, block, axes[1].var).fuse(block, axes[1].var, fused);
    grid = fused;
    groups *= axes[1].extent;
  } else {
    out.reorder(step, thread, block);
  }
  out.gpu_threads(thread);
  for (Func& stage : kernel.As<Exchange>().stage_funcs) {
    const Var i = stage.args()[0];
    stage.compute_at(out, grid).store_in(MemoryType::GPUShared).bound(i, 0, static_cast<int>(size));
    map(stage, i);
    stage.reorder(step, thread).gpu_threads(thread);
  }
  GpuBlocks(kernel, out, grid, groups);
}

void ApplyOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  const std::vector<Axis> axes = kernel.axes;
  kernel.BuildExchange();
  Func& out = kernel.output;
  const int64_t size = kernel.As<Exchange>().block, blocks = (axes[0].extent + size - 1) / size;
  const int vec = static_cast<int>(schedule.Get("vec"));
  const Var block("block"), place("in_block");
  out.split(axes[0].var, block, place, static_cast<int>(size), TailStrategy::GuardWithIf);
  out.vectorize(place, vec, TailStrategy::GuardWithIf);
  for (Func& stage : kernel.As<Exchange>().stage_funcs) {
    const Var i = stage.args()[0];
    stage.compute_at(out, block).bound(i, 0, static_cast<int>(size)).vectorize(i, vec);
  }
  std::vector<Var> outer = {block};
  int64_t tasks = blocks;
  if (axes.size() > 1) {
    outer.push_back(axes[1].var);
    tasks *= axes[1].extent;
  }
  const int64_t per_task = std::max<int64_t>(1, schedule.Get("grain") / size);
  if (tasks <= per_task) return;
  // Stages stay inside the loop over their block, which fusing would remove.
  if (axes.size() > 1 && axes[1].extent > 1) {
    out.parallel(axes[1].var);
  } else {
    Var task("task");
    out.split(block, task, block, static_cast<int>(per_task), TailStrategy::GuardWithIf)
        .parallel(task);
  }
}

}  // namespace

const Template kExchangeOnX86 = {.id = kSortExchange,
                                 .forms = SetOfForms<Exchange>(),
                                 .device = DeviceClass::kX86,
                                 .defaults = CpuDefaults,
                                 .space = CpuSpace,
                                 .apply = ApplyOnCpu};
const Template kExchangeOnGpu = {.id = kSortExchange,
                                 .forms = SetOfForms<Exchange>(),
                                 .device = DeviceClass::kGpu,
                                 .defaults = GpuDefaults,
                                 .space = GpuSpace,
                                 .apply = ApplyOnGpu};

}  // namespace halyard::schedules
